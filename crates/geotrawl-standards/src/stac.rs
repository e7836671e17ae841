//! STAC API 1.0 with STAC 1.1.0 documents: every record with a box is an Item, in one Collection
//! per family of kinds.
//!
//! The time of an Item is that of its layers; if they have none, the time when the record was first
//! seen.

use crate::described::{DescribedRecord, bbox_geometry};
use crate::links;
use crate::records::{CatalogueInfo, build_link};
use crate::sanitize::{single_line, web_address};
use crate::shared_params;
use geotrawl_index::{ComparisonOperator, FilterExpression, FilterProperty, SpatialRelation};
use geotrawl_kinds::kinds::KINDS;
use geotrawl_kinds::kinds::{Family, kind_family};
use geotrawl_model::Bbox;
use serde_json::{Map, Value, json};

/// Path below the base address.
pub const PATH: &str = "/stac";
const VERSION: &str = "1.1.0";
const JSON: &str = "application/json";
const GEOJSON: &str = "application/geo+json";

/// Conformance classes.
pub const CONFORMANCE: &[&str] = &[
    "https://api.stacspec.org/v1.0.0/core",
    "https://api.stacspec.org/v1.0.0/collections",
    "https://api.stacspec.org/v1.0.0/ogcapi-features",
    "https://api.stacspec.org/v1.0.0/item-search",
    "https://api.stacspec.org/v1.0.0/item-search#filter",
    "https://api.stacspec.org/v1.0.0-rc.1/item-search#free-text",
    "https://api.stacspec.org/v1.0.0/ogcapi-features#filter",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
    "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
    "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
    "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
    "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
    "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions",
];

/// A Collection, which holds one family of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StacCollection {
    pub id: &'static str,
    pub family: Family,
    pub title: &'static str,
}

/// All Collections.
pub const GROUPS: &[StacCollection] = &[
    StacCollection { id: "maps", family: Family::Wms, title: "Map services" },
    StacCollection { id: "features", family: Family::Features, title: "Feature services" },
    StacCollection { id: "coverages", family: Family::Coverage, title: "Coverage and grid services" },
    StacCollection { id: "tiles", family: Family::Tiles, title: "Tiles" },
    StacCollection { id: "catalogues", family: Family::Catalogue, title: "Catalogues and portals" },
    StacCollection { id: "processes", family: Family::Process, title: "Processing services" },
    StacCollection { id: "sensors", family: Family::Sensor, title: "Sensor services" },
    StacCollection { id: "arcgis", family: Family::Arcgis, title: "ArcGIS services" },
    StacCollection { id: "files", family: Family::File, title: "Files" },
    StacCollection { id: "others", family: Family::Other, title: "Others" },
];

/// Returns the Collection with this id.
pub fn find_collection(id: &str) -> Option<&'static StacCollection> {
    GROUPS.iter().find(|group| group.id == id)
}

fn group_of(kind: &str) -> &'static str {
    let own = kind_family(kind);
    GROUPS.iter().find(|group| group.family == own).map_or("others", |group| group.id)
}

/// Returns the filter for records that can be Items: those with a box.
pub fn has_bbox_filter() -> FilterExpression {
    FilterExpression::Place {
        relation: SpatialRelation::Overlaps,
        bbox: Bbox { west: -180.0, south: -90.0, east: 180.0, north: 90.0 },
    }
}

/// Returns the filter for Items of these Collections.
pub fn collections_filter(groups: &[&StacCollection]) -> FilterExpression {
    let kinds = KINDS.iter().map(|kind| kind.profile().id);
    let wanted = kinds.filter(|id| groups.iter().any(|group| group.family == kind_family(id)));
    let is = |id: &str| FilterExpression::Compare {
        property: FilterProperty::Kind,
        comparison: ComparisonOperator::Equal,
        value: id.to_owned(),
    };
    FilterExpression::Any(wanted.map(is).collect())
}

/// Returns the filter for Items whose time overlaps a span; the time is that of the layers, else of
/// the first sighting.
pub fn time_filter((from, until): shared_params::DatetimeSpan) -> FilterExpression {
    let touches = |property| FilterExpression::Time { property, from: from.clone(), until: until.clone() };
    let unknown = FilterExpression::Not(Box::new(FilterExpression::Known(FilterProperty::Time)));
    FilterExpression::Any(vec![
        touches(FilterProperty::Time),
        FilterExpression::All(vec![unknown, touches(FilterProperty::Created)]),
    ])
}

fn at(place: &CatalogueInfo, path: &str) -> String {
    format!("{}{PATH}{path}", place.base)
}

/// Builds the landing page: a Catalog.
pub fn landing_page(place: &CatalogueInfo) -> Value {
    let mut links = vec![
        build_link("self", JSON, "This document", at(place, "")),
        build_link("root", JSON, &place.title, at(place, "")),
        build_link("conformance", JSON, "Conformance", at(place, "/conformance")),
        build_link("data", JSON, "Collections", at(place, "/collections")),
        build_link(
            "service-desc",
            "application/vnd.oai.openapi+json;version=3.0",
            "API definition",
            at(place, "/api"),
        ),
        build_link("service-doc", "text/html", "The application", format!("{}/", place.base)),
        build_link(
            "http://www.opengis.net/def/rel/ogc/1.0/queryables",
            "application/schema+json",
            "Queryable properties",
            at(place, "/queryables"),
        ),
    ];
    for method in ["GET", "POST"] {
        let mut search = build_link("search", GEOJSON, "Search", at(place, "/search"));
        if let Some(object) = search.as_object_mut() {
            object.insert("method".into(), json!(method));
        }
        links.push(search);
    }
    for group in GROUPS {
        links.push(build_link("child", JSON, group.title, at(place, &format!("/collections/{}", group.id))));
    }
    json!({
        "type": "Catalog",
        "stac_version": VERSION,
        "id": "geotrawl",
        "title": place.title,
        "description": place.description(),
        "conformsTo": CONFORMANCE,
        "links": links,
    })
}

/// Builds the conformance declaration.
pub fn conformance() -> Value {
    json!({ "conformsTo": CONFORMANCE })
}

/// Builds a Collection. Its extent is the whole world, because services may be anywhere.
pub fn describe_collection(place: &CatalogueInfo, group: &StacCollection) -> Value {
    let own = format!("/collections/{}", group.id);
    let kinds: Vec<&str> =
        KINDS.iter().map(|kind| kind.profile().id).filter(|id| kind_family(id) == group.family).collect();
    let mut collection = json!({
        "type": "Collection",
        "stac_version": VERSION,
        "id": group.id,
        "title": group.title,
        "description": format!("{} on the web with a known extent, found by {}.", group.title, place.title),
        "keywords": kinds,
        "license": "other",
        "extent": {
            "spatial": { "bbox": [[-180.0, -90.0, 180.0, 90.0]] },
            "temporal": { "interval": [[null, null]] },
        },
        "links": [
            build_link("self", JSON, "This document", at(place, &own)),
            build_link("root", JSON, &place.title, at(place, "")),
            build_link("parent", JSON, &place.title, at(place, "")),
            build_link("items", GEOJSON, "Items", at(place, &format!("{own}/items"))),
            build_link("http://www.opengis.net/def/rel/ogc/1.0/queryables", "application/schema+json", "Queryable properties", at(place, "/queryables")),
        ],
    });
    if let (false, Some(object)) = (kinds.is_empty(), collection.as_object_mut()) {
        object.insert("summaries".into(), json!({ "geotrawl:kind": kinds }));
    }
    collection
}

/// Builds the list of Collections.
pub fn list_collections(place: &CatalogueInfo) -> Value {
    json!({
        "collections": GROUPS.iter().map(|group| describe_collection(place, group)).collect::<Vec<_>>(),
        "links": [
            build_link("self", JSON, "This document", at(place, "/collections")),
            build_link("root", JSON, &place.title, at(place, "")),
        ],
    })
}

/// Builds an Item; `None` for a record without a box.
pub fn build_item(place: &CatalogueInfo, described: &DescribedRecord) -> Option<Value> {
    let bbox = described.bbox()?;
    let record = &described.record;
    let collection = group_of(&record.resource.kind);
    let home = format!("/collections/{collection}");
    let mut properties = Map::new();
    times(described, &mut properties);
    properties.insert("title".into(), json!(described.title()));
    if let Some(text) = described.description() {
        properties.insert("description".into(), json!(text));
    }
    properties.insert("created".into(), json!(record.first_seen));
    properties.insert("updated".into(), json!(described.modified()));
    let keywords = described.keywords();
    if !keywords.is_empty() {
        properties.insert("keywords".into(), json!(keywords));
    }
    if let Some(provider) = described.provider() {
        properties.insert("providers".into(), json!([{ "name": provider, "roles": ["host"] }]));
    }
    properties.insert("geotrawl:kind".into(), json!(record.resource.kind));
    properties.insert("geotrawl:status".into(), json!(record.status.as_str()));
    if let Some(score) = record.score {
        properties.insert("geotrawl:score".into(), json!(score));
    }
    let mut out_links = vec![
        build_link("self", GEOJSON, "This document", at(place, &format!("{home}/items/{}", record.id))),
        build_link("root", JSON, &place.title, at(place, "")),
        build_link("parent", JSON, collection, at(place, &home)),
        build_link("collection", JSON, collection, at(place, &home)),
        build_link(
            "alternate",
            "text/html",
            "Open in the application",
            format!("{}/service/{}", place.base, record.id),
        ),
    ];
    if let Some(licence) = record.resource.licence.as_deref().and_then(web_address) {
        out_links.push(build_link("license", "text/html", "Licence", licence));
    }
    Some(json!({
        "type": "Feature",
        "stac_version": VERSION,
        "id": record.id,
        "collection": collection,
        "geometry": bbox_geometry(Some(bbox)),
        "bbox": bbox,
        "properties": properties,
        "assets": assets(described),
        "links": out_links,
    }))
}

/// Adds `datetime`, or start and end. An open span ends at the last known change.
fn times(described: &DescribedRecord, properties: &mut Map<String, Value>) {
    match described.covered_period() {
        None => {
            properties.insert("datetime".into(), json!(described.record.first_seen));
        }
        Some(covered) if covered.until == Some(covered.from) => {
            properties.insert("datetime".into(), json!(covered.from));
        }
        Some(covered) => {
            let until = covered.until.unwrap_or_else(|| described.modified().max(covered.from));
            properties.insert("datetime".into(), Value::Null);
            properties.insert("start_datetime".into(), json!(covered.from));
            properties.insert("end_datetime".into(), json!(until));
        }
    }
}

fn assets(described: &DescribedRecord) -> Value {
    let mut assets = Map::new();
    let role = if shared_params::resource_type(&described.record.resource.kind) == "dataset" {
        "data"
    } else {
        "service"
    };
    for (at, door) in links::access_links(&described.record).into_iter().enumerate() {
        let Some(href) = web_address(&door.href) else { continue };
        let key = if at == 0 {
            "endpoint".to_owned()
        } else {
            door.protocol.to_ascii_lowercase().replace(' ', "-")
        };
        let title = format!("{} ({})", single_line(&door.title, 300), door.protocol);
        assets.insert(key, json!({ "href": href, "type": door.media_type, "title": title, "roles": [role] }));
    }
    Value::Object(assets)
}

/// Builds a page of Items.
pub fn build_item_page(links: Vec<Value>, matched: u64, features: Vec<Value>) -> Value {
    json!({
        "type": "FeatureCollection",
        "numberMatched": matched,
        "numberReturned": features.len(),
        "features": features,
        "links": links,
    })
}

/// Builds the links of a page of Items.
pub fn page_links(place: &CatalogueInfo, here: String, beside: &[(&str, String)]) -> Vec<Value> {
    let mut links = vec![
        build_link("self", GEOJSON, "This page", here),
        build_link("root", JSON, &place.title, at(place, "")),
    ];
    links.extend(beside.iter().map(|(rel, href)| build_link(rel, GEOJSON, rel, href.clone())));
    links
}

/// Builds the links of a POST response, where the next page is requested with a body.
pub fn post_links(place: &CatalogueInfo, beside: Vec<(&str, Value)>) -> Vec<Value> {
    let mut links = vec![build_link("root", JSON, &place.title, at(place, ""))];
    for (rel, body) in beside {
        let mut next = build_link(rel, GEOJSON, rel, at(place, "/search"));
        if let Some(object) = next.as_object_mut() {
            object.insert("method".into(), json!("POST"));
            object.insert("body".into(), body);
        }
        links.push(next);
    }
    links
}

/// Builds the OpenAPI 3.0 document.
pub fn openapi_document(place: &CatalogueInfo, version: &str) -> Value {
    let operation = |id: &str, summary: &str, media: &str| {
        let content = json!({ media: { "schema": { "type": "object" } } });
        json!({
            "operationId": id,
            "summary": summary,
            "responses": { "200": { "description": "The document", "content": content } },
        })
    };
    let get = |id: &str, summary: &str, media: &str| json!({ "get": operation(id, summary, media) });
    let mut search = operation("searchByBody", "Search", GEOJSON);
    if let Some(object) = search.as_object_mut() {
        let content = json!({ JSON: { "schema": { "type": "object" } } });
        object.insert("requestBody".into(), json!({ "content": content }));
    }
    json!({
        "openapi": "3.0.3",
        "info": { "title": place.title, "description": place.description(), "version": version },
        "servers": [{ "url": at(place, "") }],
        "paths": {
            "/": get("landing", "The landing page", JSON),
            "/conformance": get("conformance", "Conformance classes", JSON),
            "/queryables": get("queryables", "Queryable properties", "application/schema+json"),
            "/collections": get("collections", "The Collections", JSON),
            "/collections/{collectionId}": get("collection", "A Collection", JSON),
            "/collections/{collectionId}/items": get("items", "Items of a Collection", GEOJSON),
            "/collections/{collectionId}/items/{itemId}": get("item", "An Item", GEOJSON),
            "/search": { "get": operation("search", "Search", GEOJSON), "post": search },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_collection() {
        let groups: Vec<&StacCollection> = GROUPS.iter().collect();
        let FilterExpression::Any(kinds) = collections_filter(&groups) else { panic!("alternatives") };
        assert_eq!(kinds.len(), KINDS.len());
        for kind in KINDS {
            assert_ne!(group_of(kind.profile().id), "others", "{}", kind.profile().id);
        }
    }
}
