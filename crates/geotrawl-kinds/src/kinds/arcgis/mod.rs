//! ArcGIS REST services: code shared by all kinds of them.
//!
//! Every service is at `.../rest/services/[folder/]name/TypeServer`, responds to `?f=json`, and is
//! recognised by the members of its description. Errors have status 200 and an `error` member and
//! are handled before.

pub mod directory;
pub mod featureserver;
pub mod geocodeserver;
pub mod gpserver;
pub mod imageserver;
pub mod layer;
pub mod mapserver;
pub mod sceneserver;
pub mod vectortileserver;

use super::members::{ResourceDraft, parse_float, prose_member, text_member, title_member};
use crate::formats::crs::CrsRef;
use crate::formats::json::JsonDocument;
use crate::formats::xml::tidy_text;
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use crate::urls;
use geotrawl_model::{Bbox, Dataset, Issue};
use serde_json::Value;
use url::Url;

/// Part of the URL of every service.
pub const MARKS: &[&str] = &["/rest/services"];

/// The URL of a service, split into its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArcgisAddress {
    /// `MapServer` or similar, as written in the URL; `None` for a folder of the directory.
    pub type_: Option<String>,
    /// URL of the service without layer and operation, or of the folder.
    pub root: Url,
    /// Name of the service or folder; `None` for the whole directory.
    pub name: Option<String>,
    /// Segments after the type: the number of a layer, an operation.
    pub rest: Vec<String>,
}

/// Splits a URL into its parts. Returns `None` if it does not belong to an ArcGIS server.
pub fn parse_address(url: &Url) -> Option<ArcgisAddress> {
    let stripped = urls::endpoint_url(url);
    let segments: Vec<&str> = stripped.path().split('/').filter(|s| !s.is_empty()).collect();
    let services = segments
        .windows(2)
        .position(|pair| pair[0].eq_ignore_ascii_case("rest") && pair[1].eq_ignore_ascii_case("services"))?;
    let after = &segments[services + 2..];
    let at = after.iter().position(|segment| is_type(segment));
    let end = services + 2 + at.map_or(after.len(), |at| at + 1);
    let decode =
        |segment: &str| percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned();
    let name = match at {
        Some(at) => after.get(at.checked_sub(1)?).map(|s| decode(s)),
        None => after.last().map(|s| decode(s)),
    };
    let mut root = stripped.clone();
    root.set_path(&format!("/{}", segments[..end].join("/")));
    // The query belongs to an operation: services have no parameters.
    root.set_query(None);
    let rest = at.map(|at| after[at + 1..].iter().map(|s| decode(s)).collect()).unwrap_or_default();
    // A folder has a plain name, and there are only two levels.
    if at.is_none() && (after.len() > 1 || after.iter().any(|s| s.contains('.'))) {
        return None;
    }
    Some(ArcgisAddress { type_: at.map(|at| after[at].to_owned()), root, name, rest })
}

fn is_type(segment: &str) -> bool {
    const TYPES: [&str; 15] = [
        "FeatureServer",
        "GPServer",
        "GeocodeServer",
        "GeoDataServer",
        "GeoEnrichmentServer",
        "GeometryServer",
        "GlobeServer",
        "ImageServer",
        "MapServer",
        "MobileServer",
        "NAServer",
        "OGCFeatureServer",
        "SceneServer",
        "StreamServer",
        "VectorTileServer",
    ];
    TYPES.iter().any(|known| known.eq_ignore_ascii_case(segment))
}

/// Returns the URL of the service to probe, if the URL belongs to a service of this type.
pub fn service_probe_url(url: &Url, type_: &str) -> Option<Url> {
    let address = parse_address(url)?;
    address.type_.as_deref()?.eq_ignore_ascii_case(type_).then_some(address.root)
}

/// Starts a probe that requests the description of a service.
pub fn start_service_probe(at: &Url) -> (Box<dyn ServiceProbe>, ProbeRequest) {
    let root = parse_address(at).map_or_else(|| urls::endpoint_url(at), |address| address.root);
    super::single_response::start(urls::with_params(&root, &[("f", "json")]))
}

/// Returns the URL of the service described by a document at `at`.
pub fn service_url(at: &Url) -> Url {
    parse_address(at).map_or_else(|| urls::endpoint_url(at), |address| address.root)
}

/// Returns whether the URL belongs to a service of another type.
pub fn is_other_type(at: &Url, type_: &str) -> bool {
    parse_address(at).and_then(|a| a.type_).is_some_and(|there| !there.eq_ignore_ascii_case(type_))
}

/// Returns whether the URL is that of a service of this type: extra evidence for the terse
/// documents of old servers.
pub fn is_type_of(at: &Url, type_: &str) -> bool {
    parse_address(at)
        .filter(|a| a.rest.is_empty())
        .and_then(|a| a.type_)
        .is_some_and(|there| there.eq_ignore_ascii_case(type_))
}

/// Returns `currentVersion` as written.
pub fn server_version(doc: &JsonDocument) -> Option<String> {
    doc.get("currentVersion").and_then(|v| match v {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => tidy_text(text, 32),
        _ => None,
    })
}

/// Creates the resource of a service from the members that all types share.
pub fn service_draft(kind: &str, doc: &JsonDocument, at: &Url) -> ResourceDraft {
    let mut draft = ResourceDraft::new(kind, service_url(at));
    let root = &doc.root;
    let info = root.get("documentInfo").unwrap_or(&Value::Null);
    let resource = &mut draft.resource;
    resource.versions.extend(server_version(doc));
    let name = parse_address(at)
        .and_then(|address| address.name)
        .and_then(|name| tidy_text(&name.replace('_', " "), 200));
    let map_name = title_member(root, "mapName").filter(|t| !is_default_title(t));
    let own_title = title_member(info, "Title").filter(|t| !is_default_title(t));
    let described = title_member(root, "serviceDescription").filter(|t| t.chars().count() <= 100);
    resource.title = map_name
        .or(own_title)
        .or_else(|| title_member(root, "name").filter(|t| !is_default_title(t)))
        .or(described)
        .or(name)
        .or_else(|| title_member(root, "mapName"));
    resource.abstract_ =
        prose_member(root, "serviceDescription").or_else(|| prose_member(root, "description"));
    if resource.abstract_.is_none() || resource.abstract_ == resource.title {
        resource.abstract_ = prose_member(root, "description")
            .or_else(|| prose_member(info, "Comments"))
            .or_else(|| prose_member(info, "Subject"))
            .or(resource.abstract_.take());
    }
    resource.keywords = super::members::parse_keywords(info.get("Keywords"));
    resource.licence = super::members::stated_licence(
        root.get("accessInformation")
            .and_then(super::members::text_in_any_form)
            .or_else(|| title_member(root, "copyrightText")),
    );
    resource.contact.person = title_member(info, "Author");
    resource.software = Some(match server_version(doc) {
        Some(version) => format!("ArcGIS Server {version}"),
        None => "ArcGIS Server".to_owned(),
    });
    let reference = root.get("spatialReference").or_else(|| root.pointer("/tileInfo/spatialReference"));
    if let Some(label) = reference.and_then(crs_of).and_then(|crs| crs.label()) {
        resource.crs = vec![label.into()];
    }
    let extent = ["fullExtent", "extent", "initialExtent"]
        .iter()
        .find_map(|name| root.get(*name).filter(|e| e.is_object()));
    if let Some(extent) = extent {
        let bbox = extent_bbox(&mut draft, extent, reference);
        draft.resource.bbox = bbox;
    }
    draft.note_syntax_issues(doc);
    draft
}

/// Returns whether a title is a default of the software.
fn is_default_title(title: &str) -> bool {
    const DEFAULTS: [&str; 7] = ["layers", "map", "new map frame", "untitled", "data frame", "scene", "map1"];
    let plain = title.trim().to_ascii_lowercase();
    DEFAULTS.contains(&plain.as_str()) || plain.starts_with("untitled.")
}

/// Returns the coordinate system of a `spatialReference`: the latest code, the code, or the text.
pub fn crs_of(reference: &Value) -> Option<CrsRef> {
    let code = |name: &str| reference.get(name).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    let known = |code: u32| CrsRef::from_authority("EPSG", &code.to_string());
    if let Some(code) = code("latestWkid").filter(|c| *c > 0 && *c < 100_000) {
        return known(code);
    }
    let wkt = || {
        text_member(reference, "wkt").or_else(|| text_member(reference, "wkt2")).and_then(CrsRef::from_wkt)
    };
    match code("wkid") {
        Some(code) if code > 0 => match wkt() {
            Some(crs) if code >= 100_000 => Some(crs),
            _ => known(code),
        },
        _ => wkt(),
    }
}

/// Returns the WGS 84 box of an extent.
pub fn extent_bbox(draft: &mut ResourceDraft, extent: &Value, reference: Option<&Value>) -> Option<Bbox> {
    let number = |name: &str| extent.get(name).and_then(parse_float);
    let corners = [number("xmin")?, number("ymin")?, number("xmax")?, number("ymax")?];
    if corners[0] > corners[2] || corners.iter().all(|c| c.abs() < f64::EPSILON) {
        return None;
    }
    let own = extent.get("spatialReference").filter(|r| r.is_object());
    if let Some(crs) = own.or(reference).and_then(crs_of) {
        return draft.place_box_in(&crs, corners);
    }
    draft.add_issue(Issue::new("crs-unknown", "the extent has no coordinate system"));
    None
}

/// Adds the layers of a service as datasets.
pub fn add_layers(draft: &mut ResourceDraft, doc: &JsonDocument) {
    let layers = doc.get("layers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for layer in layers {
        let bbox =
            layer.get("extent").filter(|e| e.is_object()).and_then(|extent| extent_bbox(draft, extent, None));
        let type_ = title_member(layer, "geometryType").or_else(|| title_member(layer, "type"));
        draft.add_dataset(Dataset {
            // Old servers list only numbers.
            name: super::members::identifier_member(layer, "id")
                .or_else(|| layer.as_u64().map(|id| id.to_string()))
                .unwrap_or_default(),
            title: title_member(layer, "name"),
            abstract_: prose_member(layer, "description"),
            bbox,
            formats: type_.into_iter().map(Into::into).collect(),
            time: time_of(layer).into_iter().collect(),
            ..Dataset::default()
        });
    }
    if let Some(count) = doc.array_len("/layers") {
        draft.resource.dataset_count = count;
    }
}

/// Returns the time extent of a layer or service, which is in milliseconds since 1970.
pub fn time_of(value: &Value) -> Option<String> {
    let extent = value.pointer("/timeInfo/timeExtent")?.as_array()?;
    let at = |i: usize| extent.get(i).and_then(Value::as_i64).and_then(iso_time);
    match (at(0), at(1)) {
        (Some(from), Some(to)) => Some(format!("{from}/{to}")),
        (Some(from), None) => Some(format!("{from}/..")),
        (None, Some(to)) => Some(format!("../{to}")),
        (None, None) => None,
    }
}

/// Formats milliseconds since 1970 as a date, with Howard Hinnant's civil calendar algorithm, to
/// avoid a dependency for these lines alone.
fn iso_time(milliseconds: i64) -> Option<String> {
    let days = milliseconds.div_euclid(86_400_000);
    let seconds = milliseconds.rem_euclid(86_400_000) / 1000;
    // Years 0 to 9999.
    if !(-719_528..2_932_897).contains(&days) {
        return None;
    }
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Returns targets for the OGC services that publish the same data.
pub fn related_services(doc: &JsonDocument, at: &Url) -> Vec<CrawlTarget> {
    let Some(extensions) = doc.text_member("supportedExtensions") else { return Vec::new() };
    let root = service_url(at);
    let mut targets = Vec::new();
    for extension in extensions.split([',', ' ']).filter(|e| !e.is_empty()) {
        let Some(lower) = root.path().to_ascii_lowercase().find("/rest/services/") else { continue };
        let (front, back) = root.path().split_at(lower);
        let back = &back["/rest/services/".len()..];
        let (kind, path) = match extension.trim() {
            "WMSServer" => ("wms", format!("{front}/services/{back}/WMSServer")),
            "WFSServer" => ("wfs", format!("{front}/services/{back}/WFSServer")),
            "WCSServer" => ("wcs", format!("{front}/services/{back}/WCSServer")),
            _ => continue,
        };
        let mut url = root.clone();
        url.set_path(&path);
        let intent = geotrawl_model::Intent::Ows { kind: kind.to_owned(), siblings: false };
        targets.push(CrawlTarget::new(url, intent, "sibling"));
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(url: &str) -> Option<(Option<String>, String, Option<String>)> {
        parse_address(&Url::parse(url).unwrap()).map(|a| (a.type_, a.root.to_string(), a.name))
    }

    #[test]
    fn addresses_lose_layers_operations_and_keys() {
        let map = Some((
            Some("MapServer".to_owned()),
            "https://x.org/arcgis/rest/services/A/Roads_1/MapServer".to_owned(),
            Some("Roads_1".to_owned()),
        ));
        for rest in ["", "/", "/3", "?f=pjson&token=abc", "/export?bbox=1,2,3,4&f=image", "/tile/1/2/3"] {
            let url = format!("https://x.org/arcgis/rest/services/A/Roads_1/MapServer{rest}");
            assert_eq!(parts(&url), map, "{rest}");
        }
        for (url, root) in [
            ("https://x.org/arcgis/rest/services?f=json", "https://x.org/arcgis/rest/services"),
            ("https://x.org/server/rest/services/Folder/", "https://x.org/server/rest/services/Folder"),
        ] {
            assert_eq!(parts(url).map(|(t, r, _)| (t, r)), Some((None, root.to_owned())));
        }
        assert_eq!(parts("https://x.org/rest/services/a.html"), None);
        assert_eq!(parts("https://x.org/services"), None);
    }

    #[test]
    fn milliseconds_become_dates() {
        assert_eq!(iso_time(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(iso_time(1_582_979_696_000).as_deref(), Some("2020-02-29T12:34:56Z"));
        assert_eq!(iso_time(-62_135_596_800_000).as_deref(), Some("0001-01-01T00:00:00Z"));
        assert_eq!(iso_time(i64::MAX), None);
        assert_eq!(iso_time(i64::MIN), None);
    }
}
