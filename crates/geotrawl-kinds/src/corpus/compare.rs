//! Compares findings with the labels of the corpus.

use super::{DocumentEntry, FieldCheck, ManifestLabel};
use crate::formats::bbox::classify_bbox;
use crate::formats::json::JsonDocument;
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use crate::kinds::read_document;
use crate::probe::Finding;
use crate::sniff::{SNIFF_LEN, SniffedType, sniff_type};
use crate::urls;
use geotrawl_model::{Bbox, Resource};
use serde_json::Value;
use url::Url;

/// Makes all comparisons that the label allows.
pub fn compare_with_label(
    label: &ManifestLabel,
    entry: Option<&DocumentEntry>,
    finding: &Finding,
    bytes: &[u8],
) -> Vec<FieldCheck> {
    let mut checks = CorpusChecks(Vec::new());
    if let Some(expected) = label.expected["wellformed"].as_bool() {
        let form = form(bytes);
        checks.add("wellformed", form.is_ok() == expected, || format!("{form:?} instead of {expected}"));
    }
    let Some(entry) = entry else {
        checks.add("kind", false, || format!("{} is not in the table", label.document));
        return checks.0;
    };
    let kinds: Vec<&str> = finding.resources.iter().map(|found| found.resource.kind.as_str()).collect();
    let stray = kinds.iter().find(|kind| !entry.kinds.contains(kind));
    checks.add("claim", stray.is_none(), || format!("claimed as {}", kinds.join(", ")));
    if let Some(document) = finding.document {
        checks.add("document", document == label.document, || {
            format!("{document} instead of {}", label.document)
        });
    }
    if !entry.kinds.is_empty() {
        let right = stray.is_none() && !kinds.is_empty();
        checks.add("kind", right, || {
            format!("{kinds:?} instead of {:?}; document {:?}", entry.kinds, finding.document)
        });
    }
    let main = finding
        .resources
        .iter()
        .map(|found| &found.resource)
        .find(|resource| entry.kinds.contains(&resource.kind.as_str()));
    if let Some(resource) = main {
        if entry.version && !label.version.is_empty() {
            let ours = resource.versions.first().map(String::as_str);
            checks.add("version", ours == Some(label.version.as_str()), || {
                format!("{ours:?} instead of {}", label.version)
            });
        }
        count(&mut checks, label, finding, resource, bytes);
        titles(&mut checks, label, resource);
        boxes(&mut checks, label, resource);
        if label.document.ends_with("-capabilities") {
            capabilities(&mut checks, label, finding, resource, bytes);
        }
    }
    endpoints(&mut checks, label, finding);
    checks.0
}

struct CorpusChecks(Vec<FieldCheck>);

impl CorpusChecks {
    fn add(&mut self, field: &'static str, right: bool, difference: impl FnOnce() -> String) {
        let difference = (!right).then(|| difference().chars().take(600).collect());
        self.0.push(FieldCheck { field, difference, excuse: None });
    }
}

/// Reads a document to its end and returns whether it is well-formed.
fn form(bytes: &[u8]) -> Result<(), String> {
    let mut input = bytes;
    let mut reader = XmlReader::new(&mut input, None);
    while reader.next() != XmlEvent::Eof {}
    reader.violation().map_or(Ok(()), |violation| Err(violation.to_string()))
}

/// Compares the number of datasets, whatever the label calls them.
fn count(
    checks: &mut CorpusChecks,
    label: &ManifestLabel,
    finding: &Finding,
    resource: &Resource,
    bytes: &[u8],
) {
    let expected = &label.expected;
    let length = |name: &str| {
        expected[name].as_u64().or_else(|| expected[name].as_array().map(|list| list.len() as u64))
    };
    let theirs = match label.document.as_str() {
        "arcgis-rest-mapserver" | "arcgis-rest-featureserver" => Some(length("layers").unwrap_or(0)),
        "arcgis-rest-directory" => length("services"),
        "stac-api-collections" => length("collections"),
        "dcat-datajson" => length("datasets"),
        "inspire-atom-feed" => length("entries"),
        "geopackage" | "ckan-package-search" | "tms-root" => length("count"),
        "shapefile-zip" => length("shapes"),
        document if document.ends_with("-capabilities") => length("count"),
        _ => None,
    };
    if let Some(theirs) = theirs {
        let ours = resource.dataset_count;
        checks.add("count", ours == theirs, || format!("{ours} instead of {theirs}"));
    }
    if let Some(theirs) = expected["collections"].as_array().filter(|_| label.document.starts_with("ogcapi"))
    {
        let theirs: Vec<&str> = theirs.iter().filter_map(Value::as_str).collect();
        let named =
            |name: &str| finding.resources.iter().any(|f| f.resource.datasets.iter().any(|d| d.name == name));
        let missing: Vec<&&str> = theirs.iter().filter(|name| !named(name)).collect();
        let more = finding.resources.iter().any(|f| f.resource.dataset_count > theirs.len() as u64);
        checks.add("count", missing.is_empty() && !more, || format!("missing {missing:?}"));
    }
    // Features are not datasets, but they are counted while reading.
    if let (Some(theirs), Some(doc)) = (length("features"), JsonDocument::from_reader(&mut &bytes[..])) {
        let ours = doc.array_len("/features");
        checks.add("features", ours == Some(theirs), || format!("{ours:?} instead of {theirs}"));
    }
}

fn titles(checks: &mut CorpusChecks, label: &ManifestLabel, resource: &Resource) {
    let expected = &label.expected;
    let text = |name: &str| expected[name].as_str().and_then(|t| tidy_text(t, 1024));
    let theirs = match label.document.as_str() {
        document if document.starts_with("arcgis-rest-") || document.starts_with("schemaorg-") => {
            text("name")
        }
        document if document.starts_with("stac-") && document != "stac-itemcollection" => {
            text("title").or_else(|| text("id"))
        }
        "inspire-atom-feed" | "tms-root" | "tms-tilemap" => text("title"),
        document if document.starts_with("ogcapi-") => text("title"),
        document if document.ends_with("-capabilities") => {
            if expected.get("title").is_some() {
                let theirs = text("title");
                let right = resource.title == theirs;
                checks.add("title", right, || format!("{:?} instead of {theirs:?}", resource.title));
            }
            return;
        }
        _ => None,
    };
    let Some(theirs) = theirs else { return };
    let named = |text: &Option<String>| {
        text.as_deref().is_some_and(|t| t == theirs || tidy_text(t, 1024).as_deref() == Some(&theirs))
    };
    let dataset = resource.datasets.iter().any(|d| named(&d.title) || d.name == theirs);
    // Servers call unnamed maps "Layers", so any other title is better.
    let default = theirs == "Layers" && resource.title.is_some();
    let right = named(&resource.title) || named(&resource.abstract_) || dataset || default;
    checks.add("title", right, || format!("{:?} instead of {theirs:?}", resource.title));
}

fn boxes(checks: &mut CorpusChecks, label: &ManifestLabel, resource: &Resource) {
    let expected = &label.expected;
    let numbers =
        |value: &Value| -> Option<Vec<f64>> { value.as_array()?.iter().map(Value::as_f64).collect() };
    let (written, slack) = match label.document.as_str() {
        document if document.starts_with("arcgis-rest-") => {
            let extent = &expected["extent"];
            let Some(corners) = esri_corners(extent) else { return };
            let code = extent
                .pointer("/spatialReference/latestWkid")
                .or_else(|| extent.pointer("/spatialReference/wkid"));
            match code.and_then(Value::as_u64) {
                Some(4326 | 4269 | 4283) => (Some(corners), 1e-3),
                Some(3857 | 102_100) => (Some(mercator(corners)), 1e-5),
                _ => {
                    let placed =
                        resource.bbox.is_some() || resource.issues.iter().any(|i| i.code.starts_with("crs-"));
                    checks.add("bbox", placed, || "neither a box nor a reason for its absence".to_owned());
                    return;
                }
            }
        }
        "stac-collection" | "stac-item" | "stac-api-landing" => {
            let list = &expected["bbox"];
            let flat = numbers(list).or_else(|| list.as_array()?.first().and_then(numbers));
            (flat.and_then(|n| four(&n)), 1e-9)
        }
        "tilejson" | "pmtiles" => (numbers(&expected["bounds"]).and_then(|n| four(&n)), 1e-6),
        "shapefile-shp" => (numbers(&expected["bbox"]).and_then(|n| four(&n)), 1e-9),
        _ => return,
    };
    let Some(theirs) = written.and_then(|written| classify_bbox(written).bbox()) else { return };
    let near = |ours: Bbox| {
        let (a, b): ([f64; 4], [f64; 4]) = (ours.into(), theirs.into());
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= slack)
    };
    let right = resource.bbox.is_some_and(near) || resource.datasets.iter().filter_map(|d| d.bbox).any(near);
    // Without a coordinate system, the numbers of a shapefile may be degrees or not.
    let unplaced = label.document == "shapefile-shp"
        && resource.bbox.is_none()
        && resource.issues.iter().any(|i| i.code.starts_with("crs-") || i.code.contains("prj"));
    checks.add("bbox", right || unplaced, || format!("{:?} instead of {theirs:?}", resource.bbox));
}

fn four(numbers: &[f64]) -> Option<[f64; 4]> {
    match numbers {
        [west, south, east, north] => Some([*west, *south, *east, *north]),
        [west, south, _, east, north, _] => Some([*west, *south, *east, *north]),
        _ => None,
    }
}

fn esri_corners(extent: &Value) -> Option<[f64; 4]> {
    let number = |name: &str| extent.get(name).and_then(Value::as_f64);
    Some([number("xmin")?, number("ymin")?, number("xmax")?, number("ymax")?])
}

/// Converts Web Mercator metres to degrees by formula, independently of the code under test.
fn mercator([west, south, east, north]: [f64; 4]) -> [f64; 4] {
    const RADIUS: f64 = 6_378_137.0;
    let longitude = |x: f64| (x / RADIUS).to_degrees();
    let latitude = |y: f64| (2.0 * (y / RADIUS).exp().atan() - std::f64::consts::FRAC_PI_2).to_degrees();
    [longitude(west), latitude(south), longitude(east), latitude(north)]
}

/// Compares names, boxes and profiles of capabilities documents.
fn capabilities(
    checks: &mut CorpusChecks,
    label: &ManifestLabel,
    finding: &Finding,
    resource: &Resource,
    bytes: &[u8],
) {
    let expected = &label.expected;
    let names: Vec<&str> =
        expected["first_names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !names.is_empty() {
        let named = resource.datasets.iter().map(|d| d.name.as_str()).filter(|name| !name.is_empty());
        let ours: Vec<&str> = named.take(names.len()).collect();
        checks.add("names", ours == names, || format!("{ours:?} instead of {names:?}"));
    }
    if let Some(theirs) = expected.get("bbox_first_found") {
        let theirs: Option<Vec<f64>> =
            theirs.as_array().map(|b| b.iter().filter_map(Value::as_f64).collect());
        let is_xml = matches!(sniff_type(&bytes[..bytes.len().min(SNIFF_LEN)], None), SniffedType::Xml(_));
        let reading = if is_xml { read_document(&mut &bytes[..], None, super::ADDRESS) } else { None };
        let first = reading.and_then(|(_, _, reading)| reading.first_box);
        let ours = first.map(|b| b.to_vec());
        // The JSON reader may change the last digit.
        let equal = match (&ours, &theirs) {
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0))
            }
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        // A usable box must occur in the record, as the box of the service or of a dataset.
        let kept = first
            .and_then(|b| classify_bbox(b).bbox())
            .is_none_or(|b| resource.bbox == Some(b) || resource.datasets.iter().any(|d| d.bbox == Some(b)));
        checks.add("bbox", equal && kept, || format!("{ours:?} instead of {theirs:?}; kept: {kept}"));
    }
    if let Some(theirs) = expected["wcps"].as_bool() {
        let ours = finding.resources.iter().any(|found| found.resource.kind == "wcps");
        checks.add("wcps", ours == theirs, || format!("{ours} instead of {theirs}"));
    }
}

/// Checks that every service address of the label is a target.
fn endpoints(checks: &mut CorpusChecks, label: &ManifestLabel, finding: &Finding) {
    const NAMES: [&str; 5] = ["endpoints", "remote_urls", "servers", "server_url", "geo_resource_urls"];
    let documents = [
        "json-config-ows",
        "terria-init-json",
        "qgis-project",
        "wmc-viewcontext",
        "gdal-wms-xml",
        "mapbox-style",
    ];
    if !documents.contains(&label.document.as_str()) {
        return;
    }
    let mut addresses: Vec<&str> = Vec::new();
    for name in NAMES {
        match &label.expected[name] {
            Value::String(address) => addresses.push(address),
            Value::Array(list) => {
                let address = |v: &'_ Value| v.as_str().is_some() || v["url"].as_str().is_some();
                addresses.extend(
                    list.iter()
                        .filter(|v| address(v))
                        .filter_map(|v| v.as_str().or_else(|| v["url"].as_str())),
                );
            }
            _ => {}
        }
    }
    let Ok(base) = Url::parse(super::ADDRESS) else { return };
    let missing: Vec<&&str> = addresses
        .iter()
        .filter(|address| {
            let Some(wanted) = urls::clean_link(address, &base) else { return false };
            let mut worth = Vec::new();
            urls::append_targets(wanted.clone(), "label".into(), "", &mut worth);
            // Addresses that cannot be requested (a namespace, a font) are no targets here either.
            !worth.is_empty()
                && !finding.targets.iter().any(|target| {
                    same_service(&target.url, &wanted)
                        || worth.iter().any(|w| same_service(&target.url, &w.url))
                })
        })
        .collect();
    if !addresses.is_empty() {
        checks.add("endpoints", missing.is_empty(), || {
            format!("{} of {}: {missing:?}", missing.len(), addresses.len())
        });
    }
}

/// Returns whether two addresses lead to the same service: same host, and one path contains the
/// other.
fn same_service(found: &Url, wanted: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_ascii_lowercase();
    let (ours, theirs) = (path(found), path(wanted));
    found.host_str() == wanted.host_str()
        && (ours == theirs || !ours.is_empty() && theirs.starts_with(&format!("{ours}/")))
}
