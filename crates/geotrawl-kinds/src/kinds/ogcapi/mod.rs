//! The OGC API family: one landing page, one list of collections, and several APIs for them.
//!
//! Conformance classes state which APIs there are; without them, link relations and the contents of
//! the collections do. Every API is a separate kind; they share the parser ([`survey`]) and the
//! probe ([`api_probe`]).

mod api_probe;
pub mod coverages;
pub mod edr;
pub mod features;
mod linked;
pub mod maps;
pub mod processes;
pub mod records;
pub mod styles;
mod survey;
pub mod tiles;

pub use linked::LinkedApi;

use super::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::formats::json::JsonDocument;
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use crate::urls;
use geotrawl_model::Intent;
use survey::ApiSurvey;
use url::Url;

/// One API of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OgcInterface {
    /// Features of collections.
    Features,
    /// Records of catalogues.
    Records,
    /// Tiles.
    Tiles,
    /// Maps drawn by the server.
    Maps,
    /// Coverages.
    Coverages,
    /// Processes.
    Processes,
    /// Environmental data retrieval.
    Edr,
    /// Styles.
    Styles,
}

impl OgcInterface {
    const ALL: [Self; 8] = [
        Self::Features,
        Self::Records,
        Self::Tiles,
        Self::Maps,
        Self::Coverages,
        Self::Processes,
        Self::Edr,
        Self::Styles,
    ];

    /// Returns the kind id.
    fn id(self) -> &'static str {
        match self {
            Self::Features => "ogcapi-features",
            Self::Records => "ogcapi-records",
            Self::Tiles => "ogcapi-tiles",
            Self::Maps => "ogcapi-maps",
            Self::Coverages => "ogcapi-coverages",
            Self::Processes => "ogcapi-processes",
            Self::Edr => "ogcapi-edr",
            Self::Styles => "ogcapi-styles",
        }
    }

    /// Returns substrings of its conformance classes.
    fn class(self) -> &'static [&'static str] {
        match self {
            Self::Features => &["/ogcapi-features-1/", "/wfs-1/3.0/"],
            Self::Records => &["/ogcapi-records-1/"],
            Self::Tiles => &["/ogcapi-tiles-1/"],
            Self::Maps => &["/ogcapi-maps-1/"],
            Self::Coverages => &["/ogcapi-coverages-1/"],
            Self::Processes => &["/ogcapi-processes-1/"],
            Self::Edr => &["/ogcapi-edr-1/"],
            Self::Styles => &["/ogcapi-styles-1/"],
        }
    }
}

/// A kind of the OGC API family.
pub struct OgcApi {
    api: OgcInterface,
    profile: &'static KindProfile,
}

impl Kind for OgcApi {
    fn profile(&self) -> &'static KindProfile {
        self.profile
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        if self.api == OgcInterface::Features && survey::is_description(doc) {
            return Some(DocumentClaim::default());
        }
        if self.api == OgcInterface::Records && survey::is_record(doc) {
            return Some(DocumentClaim::default());
        }
        let survey = ApiSurvey::from_document_outline(doc)?;
        survey.proven_interfaces().contains(&self.api).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        if survey::is_description(doc) {
            return DocumentReading { document: Some("openapi-ogcapi"), ..DocumentReading::default() };
        }
        if survey::is_record(doc) {
            return DocumentReading { document: Some("ogcapi-record"), ..DocumentReading::default() };
        }
        let Some(mut survey) = ApiSurvey::from_document(doc) else { return DocumentReading::default() };
        let landing = landing_url(at);
        let first = survey.proven_interfaces().first() == Some(&self.api);
        // A landing page alone does not list the collections, so they are requested once.
        let targets = if first && survey.is_partial() {
            vec![CrawlTarget::new(
                landing.clone(),
                Intent::Ask { kind: OgcInterface::Features.id().to_owned() },
                "content",
            )]
        } else {
            Vec::new()
        };
        let document = survey.document;
        let resource = survey.build_resource(self.api, &landing, doc.complete);
        DocumentReading {
            resources: vec![resource],
            targets,
            document: Some(document),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        // Only one kind starts the probe: the others share its landing page.
        if self.api == OgcInterface::Features {
            &[
                "/collections",
                "/conformance",
                "ogcapi",
                "ogc-api",
                "ogcfeatureserver",
                "/oapif",
                "/wfs3",
                "/ogc/features",
                "/ogc/api",
            ]
        } else {
            &[]
        }
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        looks_like_api(url).then(|| landing_url(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(api_probe::start(landing_url(at)))
    }
}

/// Path segments below a landing page.
const BELOW: &[&str] = &[
    "collections",
    "conformance",
    "processes",
    "tilematrixsets",
    "tiles",
    "styles",
    "api",
    "openapi",
    "jobs",
    "map",
];

/// Returns the landing page of the API that a URL belongs to.
pub fn landing_url(at: &Url) -> Url {
    let mut url = urls::endpoint_url(at);
    let path = url.path().to_owned();
    let segments: Vec<&str> = path.split('/').collect();
    let is = |i: usize, names: &[&str]| {
        segments.get(i).is_some_and(|s| names.contains(&s.to_ascii_lowercase().as_str()))
    };
    // Cut before the first `collections` or `processes`; other segments count only at the end.
    let cut =
        (1..segments.len()).find(|i| is(*i, &["collections", "processes", "tilematrixsets"])).or_else(|| {
            let last = segments.iter().rposition(|s| !s.is_empty())?;
            let below = is(last, &["conformance"]) || last > 1 && is(last, BELOW) && !is(last, &["api"]);
            below.then_some(last)
        });
    if let Some(cut) = cut {
        let kept = segments[..cut].join("/");
        url.set_path(if kept.is_empty() { "/" } else { &kept });
        strip_below(&mut url);
    }
    url
}

/// Removes the parameters of URLs below the landing page.
pub fn strip_below(url: &mut Url) {
    const PARAMETERS: &[&str] = &[
        "limit",
        "offset",
        "page",
        "datetime",
        "q",
        "properties",
        "lang",
        "ids",
        "type",
        "startindex",
        "sortby",
        "cursor",
    ];
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !PARAMETERS.contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    let pairs: Vec<(&str, &str)> = kept.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    url.set_query(None);
    *url = urls::with_params(url, &pairs);
}

/// Returns whether a URL certainly belongs to an API: `/collections` alone is also common in shops.
fn looks_like_api(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let last = segments.last().copied().unwrap_or_default();
    if last.contains('.')
        || segments.iter().any(|s| matches!(*s, "docs" | "blog" | "wiki" | "products" | "standards"))
    {
        return false;
    }
    let below_collection =
        segments.iter().position(|s| *s == "collections").and_then(|at| segments.get(at + 2));
    let asked = |names: &[&str]| {
        url.query_pairs().any(|(name, _)| names.contains(&name.to_ascii_lowercase().as_str()))
    };
    // Libraries have items in collections, too.
    let geospatial =
        segments.iter().any(|s| matches!(*s, "api" | "ogc" | "features" | "edr" | "pygeoapi" | "ldproxy"));
    let operation = below_collection.is_some_and(|s| match *s {
        "queryables" | "sortables" | "coverage" | "position" | "cube" => true,
        "items" | "locations" | "schema" => geospatial || asked(&["f", "bbox", "limit", "crs"]),
        _ => false,
    });
    let named = segments
        .iter()
        .any(|s| matches!(*s, "ogcapi" | "ogc-api" | "oapif" | "wfs3" | "ogcfeatureserver" | "oapi"))
        || path.contains("/ogc/features")
        || path.contains("/ogc/api/") && segments.contains(&"collections");
    let as_json = segments.contains(&"collections")
        && url.query_pairs().any(|(k, v)| k == "f" && v.to_ascii_lowercase().contains("json"));
    operation || named || as_json || last == "conformance"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landing_pages_are_found_from_below() {
        for (url, landing) in [
            ("https://x.org/api/?f=json", "https://x.org/api/"),
            ("https://x.org/api/collections/a/items?f=json&limit=1", "https://x.org/api"),
            ("https://x.org/collections", "https://x.org/"),
            ("https://x.org/ogc/conformance", "https://x.org/ogc"),
            ("https://x.org/conformance", "https://x.org/"),
            ("https://x.org/ogc/features/collections/a/tiles/b", "https://x.org/ogc/features"),
        ] {
            assert_eq!(landing_url(&Url::parse(url).unwrap()).as_str(), landing);
        }
    }

    #[test]
    fn only_strong_signs_are_followed() {
        for (url, sure) in [
            ("https://x.org/api/collections/rivers/items", true),
            ("https://x.org/data/collections/rivers/items?limit=10", true),
            ("https://library.org/collections/letters/items", false),
            ("https://x.org/ogcapi", true),
            ("https://x.org/collections?f=json", true),
            ("https://x.org/arcgis/rest/services/a/OGCFeatureServer", true),
            ("https://shop.org/collections/shoes", false),
            ("https://shop.org/collections", false),
            ("https://shop.org/collections/shoes/products/red", false),
            ("https://x.org/docs/ogc-api", false),
            ("https://ogcapi.ogc.org/features/overview.html", false),
        ] {
            assert_eq!(looks_like_api(&Url::parse(url).unwrap()), sure, "{url}");
        }
    }
}
