//! What a resource says about itself: asked for in the way in which the crawl asks.

use geotrawl_kinds::kinds::{self, family::Family, family::family};
use geotrawl_kinds::model::Resource;
use geotrawl_kinds::probe::{Ask, Finding, Intent};
use geotrawl_kinds::urls;
use url::Url;

/// Kinds that are read from the description of another one.
const READ_FROM: &[(&str, &str)] = &[("ncwms", "wms"), ("wcps", "wcs"), ("wms-c", "wms"), ("mvt", "xyz")];

/// How to ask a resource of this kind at this address.
pub fn intent(kind: &str, url: &Url) -> Intent {
    let other = READ_FROM.iter().find(|(of, _)| *of == kind).map(|(_, from)| *from);
    let asked = other.unwrap_or(kind);
    let ask = Intent::Ask { kind: asked.to_owned() };
    match kinds::by_id(asked) {
        Some(known) if known.ows().is_some() => Intent::Ows { kind: asked.to_owned(), siblings: false },
        Some(known) if known.approach(url).is_some() => ask,
        // A tile by itself is a file; a scene's layer is asked as its server is.
        _ if kind == "mvt" || matches!(kind, "pmtiles" | "mbtiles") || family(kind) == Family::File => {
            Intent::File
        }
        _ => Intent::Page,
    }
}

/// The address to ask: some documents are given only to whoever says how.
pub fn address(kind: &str, url: &Url) -> Url {
    let arcgis = url.path().to_ascii_lowercase().contains("/rest/services/");
    // A CSW that describes its OpenSearch wants to be asked as a CSW, and records are kept without that.
    let csw = url.query_pairs().any(|(name, value)| name == "mode" && value == "opensearch")
        && !url.query_pairs().any(|(name, _)| name.eq_ignore_ascii_case("request"));
    match kind {
        "i3s" if arcgis => urls::with_params(url, &[("f", "json")]),
        "opensearch" if csw => {
            let params = [("service", "CSW"), ("version", "2.0.2"), ("request", "GetCapabilities")];
            urls::with_params(url, &params)
        }
        _ => url.clone(),
    }
}

const ACCEPT_JSON: &str = "application/json, application/geo+json;q=0.9, */*;q=0.5";
const ACCEPT_XML: &str = "application/opensearchdescription+xml, application/atom+xml, application/xml, \
                          text/xml;q=0.9, */*;q=0.5";
const ACCEPT_LINKED: &str = "application/ld+json, text/turtle;q=0.9, application/rdf+xml;q=0.9, \
                             application/json;q=0.8, */*;q=0.5";

/// How a description is written that is read wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Json,
    Xml,
    /// In a page, or a document of linked data.
    Linked,
}

fn script(kind: &str) -> Option<Script> {
    Some(match kind {
        "3dtiles" | "i3s" | "maplibre-style" | "stac-catalog" | "tilejson" => Script::Json,
        "inspire-atom" | "opensearch" => Script::Xml,
        "dcat" | "schemaorg-dataset" => Script::Linked,
        _ => return None,
    })
}

/// What to accept for a description that is asked for as a page: servers that have it in several forms give people
/// a page. `None` where it stands in pages, or where the probe knows better.
pub fn accept(kind: &str) -> Option<&'static str> {
    match script(kind)? {
        Script::Json => Some(ACCEPT_JSON),
        Script::Xml => Some(ACCEPT_XML),
        Script::Linked => None,
    }
}

/// The second question for a description when a page came: another address or another header. `None` for what is
/// asked in a way of its own.
pub fn once_more(kind: &str, ask: &Ask) -> Option<Ask> {
    Some(match script(kind)? {
        Script::Json => Ask {
            url: urls::with_params(&ask.url, &[("f", "json")]),
            accept: "application/json",
            ..ask.clone()
        },
        Script::Xml => Ask { accept: "application/xml, text/xml", ..ask.clone() },
        Script::Linked => Ask { accept: ACCEPT_LINKED, ..ask.clone() },
    })
}

/// The resource among what was found: of the same kind, at the same address if there are several.
pub fn found(finding: Finding, kind: &str, url: &str) -> Option<Resource> {
    let mut same: Vec<Resource> =
        finding.resources.into_iter().map(|found| found.resource).filter(|one| one.kind == kind).collect();
    let at = same.iter().position(|resource| resource.url == url).unwrap_or(0);
    (!same.is_empty()).then(|| same.swap_remove(at))
}

/// What was found instead, in words.
pub fn others(finding: &Finding) -> Option<String> {
    let first = finding.resources.first()?;
    let name =
        kinds::by_id(&first.resource.kind).map_or(first.resource.kind.as_str(), |kind| kind.doc().name);
    Some(format!("a description of another kind: {name}"))
}

/// How many bytes of a description are kept for planning: enough to find what the model does not hold.
pub fn kept(kind: &str) -> usize {
    match kind {
        "wmts" => 32 << 20,
        "wms-c" | "sos" | "thredds" => 8 << 20,
        "opensearch" | "tilejson" | "tms" | "opendap" | "wms" | "ncwms" | "ogcapi-edr" => 1 << 20,
        _ => 256 << 10,
    }
}

/// What was described, in words.
pub fn words(resource: &Resource) -> String {
    let name = kinds::by_id(&resource.kind).map_or(resource.kind.as_str(), |kind| kind.doc().name);
    let version = resource.versions.first().map(|version| format!(" {version}")).unwrap_or_default();
    let count = resource.dataset_count.max(resource.datasets.len() as u64);
    let datasets = match count {
        0 => "no dataset".to_owned(),
        1 => "1 dataset".to_owned(),
        n => format!("{n} datasets"),
    };
    format!("{name}{version} with {datasets}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_kinds::kinds::KINDS;

    #[test]
    fn some_addresses_need_a_word_more() {
        for (kind, url, expected) in [
            (
                "opensearch",
                "https://x.org/csw?mode=opensearch",
                "https://x.org/csw?mode=opensearch&service=CSW&version=2.0.2&request=GetCapabilities",
            ),
            (
                "opensearch",
                "https://x.org/os?mode=opensearch&Request=a",
                "https://x.org/os?mode=opensearch&Request=a",
            ),
            ("csw", "https://x.org/csw?mode=opensearch", "https://x.org/csw?mode=opensearch"),
            (
                "i3s",
                "https://x.org/arcgis/rest/services/a/SceneServer/layers/0",
                "https://x.org/arcgis/rest/services/a/SceneServer/layers/0?f=json",
            ),
        ] {
            assert_eq!(address(kind, &Url::parse(url).expect("a URL")).as_str(), expected);
        }
    }

    #[test]
    fn every_kind_is_asked_in_its_way() {
        let at = |text: &str| Url::parse(text).expect("a URL");
        for (kind, url, expected) in [
            ("wms", "https://x.org/wms", "ows:wms"),
            ("ncwms", "https://x.org/wms", "ows:wms"),
            ("wms-c", "https://x.org/wms", "ows:wms"),
            ("wcps", "https://x.org/wcs", "ows:wcs"),
            ("stac-api", "https://x.org/stac", "ask:stac-api"),
            ("ogcapi-tiles", "https://x.org/api", "ask:ogcapi-tiles"),
            ("xyz", "https://x.org/{z}/{x}/{y}.png", "ask:xyz"),
            ("mvt", "https://x.org/{z}/{x}/{y}.pbf", "ask:xyz"),
            ("mvt", "https://x.org/1/1/1.pbf", "file"),
            ("geotiff", "https://x.org/a.tif", "file"),
            ("pmtiles", "https://x.org/a.pmtiles", "file"),
            ("zarr", "https://x.org/a.zarr", "ask:zarr"),
            ("tilejson", "https://x.org/a.json", "page"),
            ("schemaorg-dataset", "https://x.org/a", "page"),
            ("new-kind", "https://x.org/a", "page"),
        ] {
            assert_eq!(intent(kind, &at(url)).to_string(), expected, "{kind}");
        }
        for kind in KINDS {
            // Only documents that are read wherever they stand are asked as pages.
            let id = kind.doc().id;
            let page = intent(id, &at("https://x.org/erddap/rest/services/a/{z}/{x}/{y}")) == Intent::Page;
            let documents = [
                "3dtiles",
                "dcat",
                "i3s",
                "inspire-atom",
                "maplibre-style",
                "opensearch",
                "schemaorg-dataset",
                "stac-catalog",
                "tilejson",
            ];
            assert_eq!(page, documents.contains(&id), "{id}");
            assert_eq!(script(id).is_some(), documents.contains(&id), "{id}");
        }
    }
}
