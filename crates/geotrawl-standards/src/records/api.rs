//! The OpenAPI 3.0 document of OGC API Records.

use super::{COLLECTION, CatalogueInfo};
use crate::{cql2, shared_params};
use serde_json::{Map, Value, json};

/// Parameters of `items` besides the queryables.
pub const PARAMETERS: &[&str] = &[
    "q",
    "bbox",
    "bbox-crs",
    "datetime",
    "type",
    "ids",
    "externalIds",
    "filter",
    "filter-lang",
    "filter-crs",
    "sortby",
    "limit",
    "offset",
    "f",
];

/// The only supported coordinate system of boxes and filters.
pub const CRS84: &str = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

fn parameter(name: &str, about: &str, schema: Value) -> Value {
    let mut parameter =
        json!({ "name": name, "in": "query", "required": false, "description": about, "schema": schema });
    if schema_is_list(&parameter)
        && let Some(object) = parameter.as_object_mut()
    {
        object.insert("style".into(), json!("form"));
        object.insert("explode".into(), json!(false));
    }
    parameter
}

fn schema_is_list(parameter: &Value) -> bool {
    parameter.pointer("/schema/type").is_some_and(|kind| kind == "array")
}

fn parameters() -> Vec<Value> {
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let mut all = vec![
        parameter("q", "Search terms separated by commas; records match any of them", texts()),
        parameter(
            "bbox",
            "Box west,south,east,north",
            json!({ "type": "array", "items": { "type": "number" }, "minItems": 4, "maxItems": 6 }),
        ),
        parameter("bbox-crs", "CRS84 only", json!({ "type": "string", "enum": [CRS84] })),
        parameter("datetime", "Time or interval that the data must overlap", json!({ "type": "string" })),
        parameter("type", "service, dataset, or ids of kinds", texts()),
        parameter("ids", "Identifiers", texts()),
        parameter("externalIds", "URLs of services or files", texts()),
        parameter("filter", "CQL2", json!({ "type": "string", "maxLength": cql2::LONGEST })),
        parameter(
            "filter-lang",
            "Encoding of the filter",
            json!({ "type": "string", "enum": ["cql2-text", "cql2-json"], "default": "cql2-text" }),
        ),
        parameter("filter-crs", "CRS84 only", json!({ "type": "string", "enum": [CRS84] })),
        parameter("sortby", "A sortable property; prefix - for descending order", texts()),
        parameter(
            "limit",
            "Records per page",
            json!({ "type": "integer", "minimum": 1, "maximum": shared_params::MOST_RECORDS, "default": 10 }),
        ),
        parameter(
            "offset",
            "Number of records to skip",
            json!({ "type": "integer", "minimum": 0, "default": 0 }),
        ),
        format(),
    ];
    for name in cql2::NAMES {
        let (kind, _) = name.schema;
        if !kind.is_empty() && !PARAMETERS.contains(&name.name) {
            all.push(parameter(name.name, name.title, json!({ "type": kind })));
        }
    }
    all
}

fn format() -> Value {
    parameter("f", "Format of the response", json!({ "type": "string", "enum": ["json", "html"] }))
}

fn operation(id: &str, summary: &str, media: &str, parameters: Vec<Value>) -> Value {
    let mut content = Map::new();
    for media in [media, "text/html"] {
        content.insert(media.to_owned(), json!({ "schema": { "type": "object" } }));
    }
    json!({ "get": {
        "operationId": id,
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": { "description": "The document", "content": content },
            "default": {
                "description": "Error (RFC 9457)",
                "content": { "application/problem+json": { "schema": { "type": "object" } } },
            },
        },
    } })
}

/// Builds the OpenAPI document.
pub fn openapi_document(place: &CatalogueInfo, version: &str) -> Value {
    let below = format!("/collections/{COLLECTION}");
    let in_path =
        json!({ "name": "recordId", "in": "path", "required": true, "schema": { "type": "string" } });
    let plain = |id: &str, summary: &str| operation(id, summary, "application/json", vec![format()]);
    let mut paths = Map::new();
    paths.insert("/".into(), plain("landing", "The landing page"));
    paths.insert("/conformance".into(), plain("conformance", "Conformance classes"));
    paths.insert("/collections".into(), plain("collections", "The list of collections"));
    paths.insert(below.clone(), plain("collection", "The catalogue"));
    paths.insert(format!("{below}/queryables"), plain("queryables", "Queryable properties"));
    paths.insert(format!("{below}/sortables"), plain("sortables", "Sortable properties"));
    paths.insert(
        format!("{below}/items"),
        operation("records", "Search", "application/geo+json", parameters()),
    );
    paths.insert(
        format!("{below}/items/{{recordId}}"),
        operation("record", "One record", "application/geo+json", vec![in_path, format()]),
    );
    json!({
        "openapi": "3.0.3",
        "info": { "title": place.title, "description": place.description(), "version": version },
        "servers": [{ "url": place.records_url("") }],
        "paths": paths,
    })
}
