//! OpenSearch 1.1 with the Geo and Time extensions (OGC 10-032r8): description document, and
//! results as Atom, GeoJSON and HTML.

use crate::described::DescribedRecord;
use crate::html::HtmlPage;
use crate::links;
use crate::records::{CatalogueInfo, item};
use crate::sanitize::{single_line, web_address};
use crate::xml::XmlWriter;
use serde_json::{Value, json};

/// Path below the base address.
pub const PATH: &str = "/opensearch";

const OS: &str = "http://a9.com/-/spec/opensearch/1.1/";
const GEO: &str = "http://a9.com/-/opensearch/extensions/geo/1.0/";
const TIME: &str = "http://a9.com/-/opensearch/extensions/time/1.0/";

/// Search parameters: our name and the name in templates.
pub const PARAMETERS: &[(&str, &str)] = &[
    ("q", "searchTerms"),
    ("bbox", "geo:box"),
    ("geometry", "geo:geometry"),
    ("name", "geo:name"),
    ("lat", "geo:lat"),
    ("lon", "geo:lon"),
    ("radius", "geo:radius"),
    ("relation", "geo:relation"),
    ("uid", "geo:uid"),
    ("start", "time:start"),
    ("end", "time:end"),
    ("startIndex", "startIndex"),
    ("startPage", "startPage"),
    ("count", "count"),
];

/// Renders the description document.
pub fn render_description(place: &CatalogueInfo) -> String {
    let namespaces = [("xmlns", OS), ("xmlns:geo", GEO), ("xmlns:time", TIME)];
    let mut out = XmlWriter::with_declaration();
    out.start("OpenSearchDescription", &namespaces);
    out.leaf_with("ShortName", &[], &single_line(&place.title, 15));
    out.leaf_with("LongName", &[], &single_line(&place.title, 47));
    out.leaf_with("Description", &[], &single_line(&place.description(), 1_023));
    out.leaf_with("Tags", &[], "geospatial OGC WMS WFS catalogue");
    let asked: Vec<String> = PARAMETERS.iter().map(|(name, term)| format!("{name}={{{term}?}}")).collect();
    let asked = asked.join("&");
    let forms = [
        ("application/atom+xml", "atom", "results"),
        ("application/geo+json", "json", "results"),
        ("application/json", "json", "results"),
        ("text/html", "html", "results"),
    ];
    for (media, form, rel) in forms {
        let template = format!("{}{PATH}/search?f={form}&{asked}", place.base);
        let attributes = [
            ("type", media),
            ("rel", rel),
            ("indexOffset", "1"),
            ("pageOffset", "1"),
            ("template", &template),
        ];
        out.empty("Url", &attributes);
    }
    let suggest = format!("{}{PATH}/suggest?q={{searchTerms}}", place.base);
    out.empty(
        "Url",
        &[("type", "application/x-suggestions+json"), ("rel", "suggestions"), ("template", &suggest)],
    );
    let itself = format!("{}{PATH}", place.base);
    let media = "application/opensearchdescription+xml";
    out.empty("Url", &[("type", media), ("rel", "self"), ("template", &itself)]);
    out.empty("Query", &[("role", "example"), ("searchTerms", "water")]);
    out.leaf_with("Language", &[], "*");
    out.leaf_with("InputEncoding", &[], "UTF-8");
    out.leaf_with("OutputEncoding", &[], "UTF-8");
    out.finish()
}

/// A page of search results.
#[derive(Debug, Clone, Default)]
pub struct OpenSearchPage {
    /// Total number of hits.
    pub total: u64,
    /// Number of the first result on this page, counted from 1.
    pub first: usize,
    /// Results per page.
    pub count: usize,
    /// The query, by the terms of templates.
    pub asked: Vec<(String, String)>,
    /// Page addresses by relation: `self`, `first`, `previous`, `next`, `last`.
    pub pages: Vec<(&'static str, String)>,
    /// Update time of an empty result.
    pub now: jiff::Timestamp,
}

/// Renders the results as Atom.
pub fn render_atom(place: &CatalogueInfo, answer: &OpenSearchPage, found: &[DescribedRecord]) -> String {
    let namespaces = [
        ("xmlns", "http://www.w3.org/2005/Atom"),
        ("xmlns:os", OS),
        ("xmlns:geo", GEO),
        ("xmlns:time", TIME),
        ("xmlns:georss", "http://www.georss.org/georss"),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
        ("xmlns:owc", "http://www.opengis.net/owc/1.0"),
    ];
    let mut out = XmlWriter::with_declaration();
    out.start("feed", &namespaces);
    let own = answer.pages.iter().find(|(rel, _)| *rel == "self").map_or("", |(_, href)| href.as_str());
    out.leaf_with("id", &[], own);
    out.leaf_with("title", &[], &single_line(&place.title, 200));
    let updated = found.iter().map(DescribedRecord::modified).max().unwrap_or(answer.now);
    out.leaf_with("updated", &[], &updated.to_string());
    out.start("author", &[]);
    out.leaf_with("name", &[], &single_line(&place.title, 200));
    out.end();
    out.leaf_with("generator", &[], "Geotrawl");
    out.leaf_with("os:totalResults", &[], &answer.total.to_string());
    out.leaf_with("os:startIndex", &[], &answer.first.to_string());
    out.leaf_with("os:itemsPerPage", &[], &answer.count.to_string());
    let mut query: Vec<(&str, &str)> = vec![("role", "request")];
    query.extend(answer.asked.iter().map(|(term, value)| (term.as_str(), value.as_str())));
    out.empty("os:Query", &query);
    for (rel, href) in &answer.pages {
        out.empty("link", &[("rel", rel), ("type", "application/atom+xml"), ("href", href)]);
    }
    let description = format!("{}{PATH}", place.base);
    let media = "application/opensearchdescription+xml";
    out.empty("link", &[("rel", "search"), ("type", media), ("href", &description)]);
    for described in found {
        entry(&mut out, place, described);
    }
    out.finish()
}

fn entry(out: &mut XmlWriter, place: &CatalogueInfo, described: &DescribedRecord) {
    let id = described.id();
    out.start("entry", &[]);
    out.leaf_with("id", &[], &place.collection_url(&format!("/items/{id}")));
    out.leaf_with("title", &[], &described.title());
    out.leaf_with("updated", &[], &described.modified().to_string());
    out.leaf_with("published", &[], &described.record.first_seen.to_string());
    let summary = described.description().unwrap_or_else(|| described.title());
    out.leaf_with("summary", &[("type", "text")], &summary);
    out.leaf_with("dc:identifier", &[], id);
    if let Some(provider) = described.provider() {
        out.leaf_with("dc:publisher", &[], &provider);
    }
    if let Some(licence) = described.licence() {
        out.leaf_with("dc:rights", &[], &licence);
    }
    if let Some(covered) = described.covered_period() {
        let until = covered.until.map(|until| until.to_string()).unwrap_or_default();
        out.leaf_with("dc:date", &[], &format!("{}/{until}", covered.from));
    }
    if let Some(bbox) = described.bbox() {
        let lies = format!("{} {} {} {}", bbox.south, bbox.west, bbox.north, bbox.east);
        out.leaf_with("georss:box", &[], &lies);
    }
    let kind = &described.record.resource.kind;
    out.empty("category", &[("scheme", &format!("{}/api/v1/kinds", place.base)), ("term", kind)]);
    for keyword in described.keywords().iter().take(20) {
        out.empty("category", &[("term", keyword)]);
    }
    let page = format!("{}/service/{id}", place.base);
    out.empty("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &page)]);
    let own = place.collection_url(&format!("/items/{id}"));
    out.empty("link", &[("rel", "alternate"), ("type", "application/geo+json"), ("href", &own)]);
    let rel = if crate::shared_params::resource_type(kind) == "dataset" { "enclosure" } else { "via" };
    for door in links::access_links(&described.record) {
        let Some(href) = web_address(&door.href) else { continue };
        let attributes =
            [("rel", rel), ("type", door.media_type), ("title", door.protocol), ("href", href.as_str())];
        out.empty("link", &attributes);
        offering(out, door.protocol, &href);
    }
    out.end();
}

/// Adds an OWS Context offering, for services with capabilities.
fn offering(out: &mut XmlWriter, protocol: &str, href: &str) {
    let Some(service) = protocol.strip_prefix("OGC:") else { return };
    if !matches!(service, "WMS" | "WFS" | "WCS" | "WMTS" | "WPS" | "CSW" | "SOS") {
        return;
    }
    let code = format!("http://www.opengis.net/spec/owc-atom/1.0/req/{}", service.to_ascii_lowercase());
    let glue = if href.contains('?') { "&" } else { "?" };
    let capabilities =
        format!("{}{glue}SERVICE={service}&REQUEST=GetCapabilities", href.trim_end_matches(['?', '&']));
    out.start("owc:offering", &[("code", &code)]);
    let attributes = [
        ("code", "GetCapabilities"),
        ("method", "GET"),
        ("type", "application/xml"),
        ("href", &capabilities),
    ];
    out.empty("owc:operation", &attributes);
    out.end();
}

/// Renders the results as GeoJSON.
pub fn render_geojson(place: &CatalogueInfo, answer: &OpenSearchPage, found: &[DescribedRecord]) -> Value {
    let features: Vec<Value> = found.iter().map(|described| item::build_feature(place, described)).collect();
    let link =
        |(rel, href): &(&str, String)| json!({ "rel": rel, "type": "application/geo+json", "href": href });
    let query: serde_json::Map<String, Value> =
        answer.asked.iter().map(|(term, value)| (term.clone(), json!(value))).collect();
    json!({
        "type": "FeatureCollection",
        "totalResults": answer.total,
        "startIndex": answer.first,
        "itemsPerPage": answer.count,
        "queries": { "request": [query] },
        "links": answer.pages.iter().map(link).collect::<Vec<_>>(),
        "features": features,
    })
}

/// Renders the results as an HTML page.
pub fn render_html(
    place: &CatalogueInfo,
    answer: &OpenSearchPage,
    words: &str,
    found: &[DescribedRecord],
) -> String {
    let mut page = HtmlPage::new(&format!("{}: {} found", place.title, answer.total));
    page.add_search_form(&format!("{}{PATH}/search", place.base), "q", words);
    let hrefs: Vec<String> = found.iter().map(|one| format!("{}/service/{}", place.base, one.id())).collect();
    let titles: Vec<String> = found.iter().map(DescribedRecord::title).collect();
    let about = found.iter().map(|one| format!("{}, {}", one.kind_name(), one.record.host.name));
    let rows = hrefs.iter().zip(&titles).zip(about);
    page.add_links(rows.map(|((href, title), about)| (href.as_str(), title.as_str(), about)));
    let shown = [("previous", "Previous"), ("next", "Next")];
    let beside = answer.pages.iter().filter_map(|(rel, href)| {
        let title = shown.iter().find(|(known, _)| known == rel)?.1;
        Some((href.as_str(), title, String::new()))
    });
    page.add_links(beside);
    page.finish()
}
