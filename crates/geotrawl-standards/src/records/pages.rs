//! The same documents for people.

use super::{Pages, Place};
use crate::described::Described;
use crate::html::Page;
use crate::links;
use crate::words::web_address;

/// The landing page.
pub fn landing(place: &Place) -> String {
    let mut page = Page::new(&place.title);
    page.alternate("application/json", &place.at("?f=json"));
    page.text(&place.about());
    page.search(&place.collection("/items"), "q", "");
    let links = [
        (place.collection("?f=html"), "The catalogue"),
        (place.collection("/items?f=html"), "Its records"),
        (place.collection("/queryables"), "What filters may name"),
        (place.at("/conformance?f=html"), "What this conforms to"),
        (place.at("/api"), "OpenAPI document"),
    ];
    page.links(links.iter().map(|(href, title)| (href.as_str(), *title, String::new())));
    page.text("Filters are written in CQL2, for example filter=kind = 'wms' AND S_INTERSECTS(geometry, BBOX(5,45,11,48)).");
    page.finish()
}

/// What is conformed to.
pub fn conformance(place: &Place) -> String {
    let mut page = Page::new("Conformance");
    page.alternate("application/json", &place.at("/conformance?f=json"));
    page.links(super::CONFORMANCE.iter().map(|class| (*class, *class, String::new())));
    page.finish()
}

/// The collection, or the list of the one.
pub fn collection(place: &Place, records: u64) -> String {
    let mut page = Page::new(&place.title);
    page.alternate("application/json", &place.collection("?f=json"));
    page.text(&place.about());
    page.text(&format!("{records} records."));
    page.search(&place.collection("/items"), "q", "");
    page.links([(place.collection("/items?f=html").as_str(), "Its records", String::new())]);
    page.finish()
}

/// A page of records.
pub fn items(place: &Place, pages: &Pages, words: &str, found: &[Described]) -> String {
    let mut page = Page::new(&format!("{}: {} records", place.title, pages.matched));
    page.alternate("application/geo+json", &super::in_form(&pages.here, "json"));
    page.search(&place.collection("/items"), "q", words);
    let hrefs: Vec<String> =
        found.iter().map(|one| place.collection(&format!("/items/{}?f=html", one.id()))).collect();
    let titles: Vec<String> = found.iter().map(Described::title).collect();
    let about = found.iter().map(|one| format!("{}, {}", one.kind_name(), one.record.host.name));
    let rows = hrefs.iter().zip(&titles).zip(about);
    page.links(rows.map(|((href, title), about)| (href.as_str(), title.as_str(), about)));
    let beside = [(&pages.previous, "Before"), (&pages.next, "Next")];
    page.links(beside.iter().filter_map(|(href, title)| Some((href.as_deref()?, *title, String::new()))));
    page.finish()
}

/// A record.
pub fn item(place: &Place, described: &Described) -> String {
    let id = described.id();
    let mut page = Page::new(&described.title());
    page.alternate("application/geo+json", &place.collection(&format!("/items/{id}?f=json")));
    if let Some(text) = described.description() {
        page.text(&text);
    }
    let resource = &described.record.resource;
    page.facts([
        ("Kind", described.kind_name()),
        ("Provider", described.provider().unwrap_or_default()),
        ("Status", described.record.status.as_str().to_owned()),
        ("Quality", described.record.score.map(|score| score.to_string()).unwrap_or_default()),
        ("Licence", described.licence().unwrap_or_default()),
        ("Keywords", described.keywords().join(", ")),
        ("Box", resource.bbox.map(|bbox| format!("{:?}", <[f64; 4]>::from(bbox))).unwrap_or_default()),
        ("Layers", resource.dataset_count.to_string()),
        ("First seen", described.record.first_seen.to_string()),
        ("Last change", described.modified().to_string()),
    ]);
    let links = links::of(&described.record);
    let doors = links.iter().filter_map(|link| Some((web_address(&link.href)?, link.protocol)));
    let doors: Vec<_> = doors.collect();
    page.links(doors.iter().map(|(href, protocol)| (href.as_str(), *protocol, href.clone())));
    let application = format!("{}/service/{id}", place.base);
    page.links([(application.as_str(), "In the application", String::new())]);
    page.finish()
}
