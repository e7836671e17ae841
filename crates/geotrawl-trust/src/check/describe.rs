//! How to request the description of a resource, in the same way as a crawl.

use super::operations;
use geotrawl_kinds::kinds::{self, DescriptionFormat, DescriptionRequest};
use geotrawl_kinds::probe::{Finding, ProbeRequest};
use geotrawl_kinds::urls;
use geotrawl_model::{Intent, Resource};
use url::Url;

/// Returns how to request the description of a resource of this kind.
pub fn description_intent(kind: &str, url: &Url) -> Intent {
    let profile = kinds::kind_profile(kind);
    let asked = profile.and_then(|profile| profile.read_from).unwrap_or(kind);
    let ask = Intent::Ask { kind: asked.to_owned() };
    match kinds::by_id(asked) {
        Some(known) if known.ows().is_some() => Intent::Ows { kind: asked.to_owned(), siblings: false },
        Some(known) if known.start_probe(url).is_some() => ask,
        _ if profile.is_some_and(|profile| profile.request == DescriptionRequest::File) => Intent::File,
        _ => Intent::Page,
    }
}

/// Returns the address to request: some servers return the document only if the address asks for
/// it.
pub fn description_url(kind: &str, url: &Url) -> Url {
    operations::operation_of(kind).map_or_else(|| url.clone(), |operation| operation.description_url(url))
}

const ACCEPT_JSON: &str = "application/json, application/geo+json;q=0.9, */*;q=0.5";
const ACCEPT_XML: &str = "application/opensearchdescription+xml, application/atom+xml, application/xml, \
                          text/xml;q=0.9, */*;q=0.5";
const ACCEPT_LINKED: &str = "application/ld+json, text/turtle;q=0.9, application/rdf+xml;q=0.9, \
                             application/json;q=0.8, */*;q=0.5";

/// Returns the format of a description that is read from any address, or `None` for kinds with
/// their own requests.
fn page_format(kind: &str) -> Option<DescriptionFormat> {
    let profile = kinds::kind_profile(kind)?;
    (profile.request == DescriptionRequest::Page).then_some(profile.description)
}

/// Returns the `Accept` header for a description that is requested as a page, since servers with
/// several formats return HTML by default. `None` for descriptions inside HTML pages, or where the
/// probe knows better.
pub fn description_accept(kind: &str) -> Option<&'static str> {
    match page_format(kind)? {
        DescriptionFormat::Json => Some(ACCEPT_JSON),
        DescriptionFormat::Xml => Some(ACCEPT_XML),
        DescriptionFormat::Types(_) => None,
    }
}

/// Returns a second request for the description if the first returned an HTML page, with another
/// address or another header. `None` for kinds with their own requests.
pub fn retry_description(kind: &str, ask: &ProbeRequest) -> Option<ProbeRequest> {
    Some(match page_format(kind)? {
        DescriptionFormat::Json => ProbeRequest {
            url: urls::with_params(&ask.url, &[("f", "json")]),
            accept: "application/json",
            ..ask.clone()
        },
        DescriptionFormat::Xml => ProbeRequest { accept: "application/xml, text/xml", ..ask.clone() },
        DescriptionFormat::Types(_) => ProbeRequest { accept: ACCEPT_LINKED, ..ask.clone() },
    })
}

/// Returns the resource of this kind from a finding; of several, the one at this address.
pub fn find_resource(finding: Finding, kind: &str, url: &str) -> Option<Resource> {
    let mut same: Vec<Resource> =
        finding.resources.into_iter().map(|found| found.resource).filter(|one| one.kind == kind).collect();
    let at = same.iter().position(|resource| resource.url == url).unwrap_or(0);
    (!same.is_empty()).then(|| same.swap_remove(at))
}

/// Describes a resource of another kind that was found instead.
pub fn describe_others(finding: &Finding) -> Option<String> {
    let first = finding.resources.first()?;
    let name =
        kinds::by_id(&first.resource.kind).map_or(first.resource.kind.as_str(), |kind| kind.profile().name);
    Some(format!("a description of another kind: {name}"))
}

/// Returns how many bytes of a description are kept for planning: enough for what the model does
/// not contain.
pub fn kept_bytes(kind: &str) -> usize {
    kinds::kind_profile(kind).map_or(256 << 10, |profile| profile.kept_bytes)
}

/// Summarizes a description in words.
pub fn summarize_resource(resource: &Resource) -> String {
    let name = kinds::by_id(&resource.kind).map_or(resource.kind.as_str(), |kind| kind.profile().name);
    let version = resource.versions.first().map(|version| format!(" {version}")).unwrap_or_default();
    let count = resource.dataset_count.max(resource.datasets.len() as u64);
    let datasets = match count {
        0 => "no layers".to_owned(),
        1 => "1 layer".to_owned(),
        n => format!("{n} layers"),
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
            assert_eq!(description_url(kind, &Url::parse(url).expect("a URL")).as_str(), expected);
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
            assert_eq!(description_intent(kind, &at(url)).to_string(), expected, "{kind}");
        }
        for kind in KINDS {
            // Only documents that are read from any address are requested as pages.
            let id = kind.profile().id;
            let page = description_intent(id, &at("https://x.org/erddap/rest/services/a/{z}/{x}/{y}"))
                == Intent::Page;
            let is_document = kind.profile().request == DescriptionRequest::Page;
            assert_eq!(page, is_document, "{id}");
        }
    }
}
