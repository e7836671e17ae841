//! OGC API Records (OGC 20-004r1): documents of a catalogue with one collection.

pub mod api;
pub mod item;
pub mod pages;

use crate::cql2;
use serde_json::{Map, Value, json};

/// Path below the base address.
pub const PATH: &str = "/records";
/// Id of the only collection.
pub const COLLECTION: &str = "catalogue";

const OPENAPI: &str = "application/vnd.oai.openapi+json;version=3.0";

/// Conformance classes. Of CQL2 only what the index can answer: records have boxes instead of
/// geometries, so `S_INTERSECTS` with boxes and points is exact, but the other spatial classes are
/// not claimed. Neither are `property-property`, `arithmetic` and `array-functions`, of which only
/// parts are supported.
pub const CONFORMANCE: &[&str] = &[
    "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/json",
    "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/html",
    "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-collection",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core-query-parameters",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-api",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/searchable-catalog",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/sorting",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/json",
    "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/html",
    "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
    "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
    "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
    "http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators",
    "http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison",
    "http://www.opengis.net/spec/cql2/1.0/conf/accent-insensitive-comparison",
    "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions",
    "http://www.opengis.net/spec/cql2/1.0/conf/temporal-functions",
];

/// Properties by which a page can be sorted, ascending or descending.
pub const SORTABLES: &[(&str, &str)] = &[
    ("id", "Identifier"),
    ("title", "Title"),
    ("created", "First seen"),
    ("updated", "Last known change"),
    ("score", "Quality"),
];

/// Address and title of the catalogue.
#[derive(Debug, Clone)]
pub struct CatalogueInfo {
    /// Public address of the server without a trailing slash.
    pub base: String,
    /// Title of the catalogue.
    pub title: String,
}

impl CatalogueInfo {
    /// Returns an address below the landing page.
    pub fn records_url(&self, path: &str) -> String {
        format!("{}{PATH}{path}", self.base)
    }

    /// Returns the address of the collection, or below it.
    pub fn collection_url(&self, path: &str) -> String {
        self.records_url(&format!("/collections/{COLLECTION}{path}"))
    }

    /// Returns a one-sentence description of the catalogue.
    pub fn description(&self) -> String {
        format!("Geospatial services and data on the web, found and checked by {}.", self.title)
    }
}

pub(crate) fn build_link(rel: &str, media: &str, title: &str, href: String) -> Value {
    json!({ "rel": rel, "type": media, "title": title, "href": href })
}

/// Builds the links from a document to itself and to its other format.
pub(crate) fn alternate_links(href: &str, is_feature: bool) -> [Value; 2] {
    let media = if is_feature { "application/geo+json" } else { "application/json" };
    let html = url_with_format(href, "html");
    [
        build_link("self", media, "This document", href.to_owned()),
        build_link("alternate", "text/html", "HTML page", html),
    ]
}

/// Returns an address with `f` set to this format.
pub(crate) fn url_with_format(href: &str, form: &str) -> String {
    let (path, query) = href.split_once('?').unwrap_or((href, ""));
    let others = url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "f");
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(others).append_pair("f", form);
    format!("{path}?{}", query.finish())
}

/// Builds the landing page.
pub fn landing_page(place: &CatalogueInfo) -> Value {
    let [itself, page] = alternate_links(&place.records_url(""), false);
    json!({
        "title": place.title,
        "description": place.description(),
        "conformsTo": CONFORMANCE,
        "links": [
            itself,
            page,
            build_link("service-desc", OPENAPI, "API definition", place.records_url("/api")),
            build_link("service-doc", "text/html", "API documentation", place.records_url("?f=html")),
            build_link("conformance", "application/json", "Conformance", place.records_url("/conformance")),
            build_link("http://www.opengis.net/def/rel/ogc/1.0/conformance", "application/json", "Conformance", place.records_url("/conformance")),
            build_link("data", "application/json", "Collections", place.records_url("/collections")),
            build_link("http://www.opengis.net/def/rel/ogc/1.0/data", "application/json", "Collections", place.records_url("/collections")),
            build_link("http://www.opengis.net/def/rel/ogc/1.0/ogc-catalog", "application/json", "The catalogue", place.collection_url("")),
            build_link("search", "application/opensearchdescription+xml", "OpenSearch", format!("{}/opensearch", place.base)),
        ],
    })
}

/// Builds the conformance declaration.
pub fn conformance() -> Value {
    json!({ "conformsTo": CONFORMANCE })
}

/// Builds the list of collections.
pub fn list_collections(place: &CatalogueInfo, records: u64, updated: jiff::Timestamp) -> Value {
    json!({
        "links": alternate_links(&place.records_url("/collections"), false),
        "collections": [describe_collection(place, records, updated)],
    })
}

/// Builds the only collection, a catalogue.
pub fn describe_collection(place: &CatalogueInfo, records: u64, updated: jiff::Timestamp) -> Value {
    let [itself, page] = alternate_links(&place.collection_url(""), false);
    json!({
        "id": COLLECTION,
        "type": "Catalog",
        "itemType": "record",
        "conformsTo": CONFORMANCE,
        "title": place.title,
        "description": place.description(),
        "updated": updated,
        "numberOfRecords": records,
        "extent": {
            "spatial": { "bbox": [[-180.0, -90.0, 180.0, 90.0]], "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84" },
            "temporal": { "interval": [[null, null]] },
        },
        "crs": ["http://www.opengis.net/def/crs/OGC/1.3/CRS84"],
        "recordsArrayName": "features",
        "links": [
            itself,
            page,
            build_link("root", "application/json", "Landing page", place.records_url("")),
            build_link("items", "application/geo+json", "Records", place.collection_url("/items")),
            build_link("items", "text/html", "Records as HTML", place.collection_url("/items?f=html")),
            build_link("http://www.opengis.net/def/rel/ogc/1.0/queryables", "application/schema+json", "Queryables", place.collection_url("/queryables")),
            build_link("http://www.opengis.net/def/rel/ogc/1.0/sortables", "application/schema+json", "Sortables", place.collection_url("/sortables")),
        ],
    })
}

fn schema(place: &CatalogueInfo, path: &str, title: &str, properties: Map<String, Value>) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": place.collection_url(path),
        "type": "object",
        "title": title,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Builds the JSON Schema of the queryables.
pub fn queryables_schema(place: &CatalogueInfo) -> Value {
    let properties = cql2::NAMES.iter().map(|name| {
        let mut about = Map::new();
        about.insert("title".into(), json!(name.title));
        let (kind, format) = name.schema;
        if !kind.is_empty() {
            about.insert("type".into(), json!(kind));
        }
        if let Some(format) = format {
            about.insert("format".into(), json!(format));
        }
        (name.name.to_owned(), Value::Object(about))
    });
    schema(place, "/queryables", "Queryable properties", properties.collect())
}

/// Builds the JSON Schema of the sortables.
pub fn sortables_schema(place: &CatalogueInfo) -> Value {
    let about =
        |(name, title): &(&str, &str)| ((*name).to_owned(), json!({ "title": title, "type": "string" }));
    schema(place, "/sortables", "Sortable properties", SORTABLES.iter().map(about).collect())
}

/// A page of records.
#[derive(Debug, Clone, Default)]
pub struct RecordsPage {
    /// Number of matching records.
    pub matched: u64,
    /// Address of this page, and of its neighbours.
    pub here: String,
    pub next: Option<String>,
    pub previous: Option<String>,
}

/// Builds a page of records as GeoJSON; without `timeStamp`, so that the ETag of an unchanged
/// response stays the same.
pub fn build_item_page(place: &CatalogueInfo, pages: &RecordsPage, features: Vec<Value>) -> Value {
    let mut links = alternate_links(&pages.here, true).to_vec();
    let beside = [("next", &pages.next), ("prev", &pages.previous)];
    for (rel, href) in beside {
        if let Some(href) = href {
            links.push(build_link(rel, "application/geo+json", rel, href.clone()));
        }
    }
    links.push(build_link("collection", "application/json", "The catalogue", place.collection_url("")));
    json!({
        "type": "FeatureCollection",
        "numberMatched": pages.matched,
        "numberReturned": features.len(),
        "links": links,
        "features": features,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_form_of_an_address_names_one_form() {
        assert_eq!(url_with_format("http://h/r", "html"), "http://h/r?f=html");
        assert_eq!(url_with_format("http://h/r?f=json&q=a%20b", "html"), "http://h/r?q=a+b&f=html");
    }
}
