//! The same documents as HTML.

use super::{CatalogueInfo, RecordsPage};
use crate::described::DescribedRecord;
use crate::html::HtmlPage;
use crate::links;
use crate::sanitize::web_address;

/// Renders the landing page.
pub fn render_landing(place: &CatalogueInfo) -> String {
    let mut page = HtmlPage::new(&place.title);
    page.add_alternate("application/json", &place.records_url("?f=json"));
    page.add_text(&place.description());
    page.add_search_form(&place.collection_url("/items"), "q", "");
    let links = [
        (place.collection_url("?f=html"), "The catalogue"),
        (place.collection_url("/items?f=html"), "Records"),
        (place.collection_url("/queryables"), "Queryable properties"),
        (place.records_url("/conformance?f=html"), "Conformance classes"),
        (place.records_url("/api"), "OpenAPI document"),
    ];
    page.add_links(links.iter().map(|(href, title)| (href.as_str(), *title, String::new())));
    page.add_text("Filters are written in CQL2, for example filter=kind = 'wms' AND S_INTERSECTS(geometry, BBOX(5,45,11,48)).");
    page.finish()
}

/// Renders the conformance classes.
pub fn render_conformance(place: &CatalogueInfo) -> String {
    let mut page = HtmlPage::new("Conformance");
    page.add_alternate("application/json", &place.records_url("/conformance?f=json"));
    page.add_links(super::CONFORMANCE.iter().map(|class| (*class, *class, String::new())));
    page.finish()
}

/// Renders the collection; also used for the list of collections, as there is only one.
pub fn render_collection(place: &CatalogueInfo, records: u64) -> String {
    let mut page = HtmlPage::new(&place.title);
    page.add_alternate("application/json", &place.collection_url("?f=json"));
    page.add_text(&place.description());
    page.add_text(&format!("{records} records."));
    page.add_search_form(&place.collection_url("/items"), "q", "");
    page.add_links([(place.collection_url("/items?f=html").as_str(), "Records", String::new())]);
    page.finish()
}

/// Renders a page of records.
pub fn render_items(
    place: &CatalogueInfo,
    pages: &RecordsPage,
    words: &str,
    found: &[DescribedRecord],
) -> String {
    let mut page = HtmlPage::new(&format!("{}: {} records", place.title, pages.matched));
    page.add_alternate("application/geo+json", &super::url_with_format(&pages.here, "json"));
    page.add_search_form(&place.collection_url("/items"), "q", words);
    let hrefs: Vec<String> =
        found.iter().map(|one| place.collection_url(&format!("/items/{}?f=html", one.id()))).collect();
    let titles: Vec<String> = found.iter().map(DescribedRecord::title).collect();
    let about = found.iter().map(|one| format!("{}, {}", one.kind_name(), one.record.host.name));
    let rows = hrefs.iter().zip(&titles).zip(about);
    page.add_links(rows.map(|((href, title), about)| (href.as_str(), title.as_str(), about)));
    let beside = [(&pages.previous, "Previous"), (&pages.next, "Next")];
    page.add_links(beside.iter().filter_map(|(href, title)| Some((href.as_deref()?, *title, String::new()))));
    page.finish()
}

/// Renders a record.
pub fn render_item(place: &CatalogueInfo, described: &DescribedRecord) -> String {
    let id = described.id();
    let mut page = HtmlPage::new(&described.title());
    page.add_alternate("application/geo+json", &place.collection_url(&format!("/items/{id}?f=json")));
    if let Some(text) = described.description() {
        page.add_text(&text);
    }
    let resource = &described.record.resource;
    page.add_facts([
        ("Kind", described.kind_name()),
        ("Provider", described.provider().unwrap_or_default()),
        ("Status", described.record.status.as_str().to_owned()),
        ("Quality", described.record.score.map(|score| score.to_string()).unwrap_or_default()),
        ("Licence", described.licence().unwrap_or_default()),
        ("Keywords", described.keywords().join(", ")),
        (
            "Bounding box",
            resource.bbox.map(|bbox| format!("{:?}", <[f64; 4]>::from(bbox))).unwrap_or_default(),
        ),
        ("Layers", resource.dataset_count.to_string()),
        ("First seen", described.record.first_seen.to_string()),
        ("Last change", described.modified().to_string()),
    ]);
    let links = links::access_links(&described.record);
    let doors = links.iter().filter_map(|link| Some((web_address(&link.href)?, link.protocol)));
    let doors: Vec<_> = doors.collect();
    page.add_links(doors.iter().map(|(href, protocol)| (href.as_str(), *protocol, href.clone())));
    let application = format!("{}/service/{id}", place.base);
    page.add_links([(application.as_str(), "Open in the application", String::new())]);
    page.finish()
}
