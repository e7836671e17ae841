//! One record as GeoJSON, as OGC 20-004r1 describes it.

use super::{CatalogueInfo, alternate_links, build_link};
use crate::described::{DescribedRecord, bbox_geometry};
use crate::sanitize::{single_line, web_address};
use crate::{links, shared_params};
use geotrawl_model::{Contact, Record};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Builds the GeoJSON feature of a record.
pub fn build_feature(place: &CatalogueInfo, described: &DescribedRecord) -> Value {
    let Record { id, resource, .. } = &described.record;
    let mut links = alternate_links(&place.collection_url(&format!("/items/{id}")), true).to_vec();
    links.push(build_link("collection", "application/json", "The catalogue", place.collection_url("")));
    links.push(build_link(
        "alternate",
        "text/html",
        "Open in the application",
        format!("{}/service/{id}", place.base),
    ));
    links.extend(link_objects(described));
    if let Some(licence) = resource.licence.as_deref().and_then(web_address) {
        links.push(build_link("license", "text/html", "Licence", licence));
    }
    let time = described.covered_period().map_or(Value::Null, |covered| {
        let until = covered.until.map_or_else(|| "..".to_owned(), |until| until.to_string());
        json!({ "interval": [covered.from.to_string(), until] })
    });
    let mut item = json!({
        "id": id,
        "type": "Feature",
        "conformsTo": ["http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core"],
        "geometry": bbox_geometry(described.bbox()),
        "time": time,
        "properties": properties(described),
        "links": links,
    });
    if let (Some(bbox), Some(object)) = (described.bbox(), item.as_object_mut()) {
        object.insert("bbox".into(), json!(bbox));
    }
    item
}

/// Builds the links to the service or file, one per protocol. QGIS reads the protocol from `type`,
/// so protocols that it knows get a second link.
fn link_objects(described: &DescribedRecord) -> Vec<Value> {
    let mut doors = Vec::new();
    for door in links::access_links(&described.record) {
        let Some(href) = web_address(&door.href) else { continue };
        let title = single_line(&door.title, 500);
        let rel = if shared_params::resource_type(&described.record.resource.kind) == "dataset" {
            "enclosure"
        } else {
            "service"
        };
        let mut standard = build_link(rel, door.media_type, &title, href.clone());
        if let Some(object) = standard.as_object_mut() {
            object.insert("protocol".into(), json!(door.protocol));
        }
        doors.push(standard);
        if door.protocol.starts_with("OGC:") || door.protocol.starts_with("ESRI:") {
            doors.push(build_link("item", door.protocol, &title, href));
        }
    }
    doors
}

fn properties(described: &DescribedRecord) -> Map<String, Value> {
    let Record { id, resource, .. } = &described.record;
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        let is_empty = match &value {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        };
        if !is_empty {
            out.insert(name.to_owned(), value);
        }
    };
    put("type", json!(shared_params::resource_type(&resource.kind)));
    put("title", json!(described.title()));
    put("description", json!(described.description()));
    put("created", json!(described.record.first_seen));
    put("updated", json!(described.modified()));
    put("keywords", json!(described.keywords()));
    put(
        "language",
        resource.languages.first().map_or(Value::Null, |code| json!({ "code": single_line(code, 35) })),
    );
    let codes = resource.languages.iter().take(50).map(|code| json!({ "code": single_line(code, 35) }));
    put("resourceLanguages", codes.collect());
    put(
        "externalIds",
        json!([{ "scheme": "url", "value": single_line(&resource.url, 4_096) }, { "value": id }]),
    );
    put(
        "formats",
        resource.formats.iter().take(50).map(|format| json!({ "name": single_line(format, 200) })).collect(),
    );
    put("contacts", contacts(described));
    match described.licence() {
        Some(licence) => {
            put("license", json!("other"));
            put("rights", json!(licence));
        }
        None => put("license", Value::Null),
    }
    put("themes", themes(&described.record));
    put("kind", json!(resource.kind));
    put("status", json!(described.record.status.as_str()));
    put("score", json!(described.record.score));
    put("provider", json!(described.provider()));
    put("host", json!(described.record.host.name));
    put("country", json!(described.record.host.country));
    put("url", json!(single_line(&resource.url, 4_096)));
    put("versions", json!(resource.versions));
    put("software", json!(resource.software.as_deref().map(|software| single_line(software, 200))));
    put("crs", resource.crs.iter().take(100).map(|crs| json!(single_line(crs, 200))).collect());
    put("datasetCount", json!(resource.dataset_count));
    out
}

fn contacts(described: &DescribedRecord) -> Value {
    let Contact { person, organisation, email, phone, url } = &described.record.resource.contact;
    let text = |text: &Option<String>| {
        text.as_deref().map(|text| single_line(text, 500)).filter(|text| !text.is_empty())
    };
    let mut contact = Map::new();
    let organisation = text(organisation).or_else(|| described.provider());
    for (name, value) in [("name", text(person)), ("organization", organisation)] {
        if let Some(value) = value {
            contact.insert(name.into(), json!(value));
        }
    }
    if contact.is_empty() {
        return Value::Null;
    }
    if let Some(email) = text(email) {
        contact.insert("emails".into(), json!([{ "value": email }]));
    }
    if let Some(phone) = text(phone) {
        contact.insert("phones".into(), json!([{ "value": phone }]));
    }
    if let Some(url) = url.as_deref().and_then(web_address) {
        contact.insert("links".into(), json!([{ "rel": "about", "type": "text/html", "href": url }]));
    }
    contact.insert("roles".into(), json!(["pointOfContact"]));
    json!([contact])
}

/// Groups theme labels by vocabulary.
fn themes(record: &Record) -> Value {
    let mut schemes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for theme in record.themes.iter().take(200) {
        schemes.entry(&theme.scheme).or_default().push(json!({ "id": theme.term }));
    }
    schemes.into_iter().map(|(scheme, concepts)| json!({ "scheme": scheme, "concepts": concepts })).collect()
}
