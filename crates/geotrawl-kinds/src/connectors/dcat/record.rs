//! Builds a record from a DCAT dataset or data service, whatever its syntax.

use super::nodes::{is_a, local_name};
use crate::connectors::fields::{
    LINE, PROSE, address_member, first_member, parse_bbox, push_link, text_member, text_value,
    timestamp_text, word_list,
};
use geotrawl_model::{CatalogueRecord, Contact, RecordLink};
use serde_json::Value;

/// Builds the record of a dataset, series or service. Names have no namespaces and references are
/// resolved.
pub fn record_from_node(node: &Value) -> Option<CatalogueRecord> {
    let about = node.get("@id").and_then(Value::as_str).filter(|id| !id.starts_with("_:"));
    let id = text_member(node, &["identifier"], LINE).or_else(|| about.map(str::to_owned));
    let title = text_member(node, &["title", "name", "label"], LINE);
    let id = id.or_else(|| address_member(node, &["landingPage"])).or_else(|| title.clone())?;
    let mut links = Vec::new();
    for distribution in list(node.get("distribution")) {
        add_distribution(distribution, &mut links);
    }
    for endpoint in ["endpointURL", "endpointDescription"] {
        for url in list(node.get(endpoint)).filter_map(crate::connectors::fields::address_value) {
            let protocol = node.get("conformsTo").and_then(protocol_of);
            push_link(&mut links, RecordLink { url, protocol, ..RecordLink::default() });
        }
    }
    if links.is_empty()
        && let Some(url) = address_member(node, &["landingPage", "page"])
    {
        push_link(&mut links, RecordLink { url, ..RecordLink::default() });
    }
    let service = is_a(node, &["DataService"]);
    let publisher = first_member(node, &["publisher", "creator"]);
    Some(CatalogueRecord {
        abstract_: text_member(node, &["description", "abstract", "comment"], PROSE),
        keywords: first_member(node, &["keyword", "keywords", "theme"]).map(word_list).unwrap_or_default(),
        type_: Some(if service { "service" } else { "dataset" }.to_owned()),
        bbox: first_member(node, &["spatial"])
            .and_then(parse_bbox)
            .or_else(|| first_member(node, &["bbox"]).and_then(parse_bbox)),
        time: list(node.get("temporal")).take(20).filter_map(time).collect(),
        provider: publisher.and_then(|p| {
            text_member(first(p), &["name", "title", "label"], LINE)
                .or_else(|| text_value(p, LINE).filter(|t| !t.starts_with("_:")))
        }),
        contact: first_member(node, &["contactPoint"]).map(|c| contact(first(c))).unwrap_or_default(),
        licence: text_member(node, &["license", "rights"], LINE).or_else(|| {
            list(node.get("distribution")).find_map(|d| text_member(d, &["license", "rights"], LINE))
        }),
        language: text_member(node, &["language"], 64),
        modified: first_member(node, &["modified", "issued"]).and_then(timestamp_text),
        links,
        title,
        id,
        ..CatalogueRecord::default()
    })
}

/// Iterates over one value, or over the values of a list.
fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    let (one, many) = match value {
        Some(Value::Array(list)) => (None, Some(list.iter())),
        other => (other.filter(|v| !v.is_null()), None),
    };
    one.into_iter().chain(many.into_iter().flatten().take(1000))
}

fn first(value: &Value) -> &Value {
    value.as_array().and_then(|list| list.first()).unwrap_or(value)
}

fn add_distribution(distribution: &Value, links: &mut Vec<RecordLink>) {
    // A reference to a node that is not in the document cannot be followed.
    if !distribution.is_object() {
        return;
    }
    let word = |names: &[&str]| {
        text_member(distribution, names, 256).map(|t| if t.contains("://") { last_name(&t) } else { t })
    };
    // `format` may say WMS while the media type says XML, or the other way round.
    let format = word(&["format", "mediaType"]);
    let protocol = distribution.get("conformsTo").and_then(protocol_of);
    let mut urls: Vec<String> = Vec::new();
    for service in list(distribution.get("accessService")) {
        urls.extend(list(service.get("endpointURL")).filter_map(crate::connectors::fields::address_value));
    }
    for name in ["downloadURL", "accessURL"] {
        for url in list(distribution.get(name)).filter_map(crate::connectors::fields::address_value) {
            if !url.starts_with("_:") && !urls.contains(&url) {
                urls.push(url);
            }
        }
    }
    for url in urls {
        push_link(links, RecordLink { url, protocol: protocol.clone(), format: format.clone(), name: None });
    }
}

/// Returns the last part of a vocabulary URL: `.../file-type/WMS_SRVC` gives `WMS_SRVC`.
fn last_name(url: &str) -> String {
    local_name(url).replace("_SRVC", "")
}

/// Returns the service named in the URL of a standard:
/// `http://www.opengis.net/def/serviceType/ogc/wms`.
fn protocol_of(value: &Value) -> Option<String> {
    let said = text_value(value, 512)?;
    let lower = said.to_ascii_lowercase();
    let known = ["wmts", "wms", "wfs", "wcs", "csw", "wps", "sos"];
    let found = known
        .iter()
        .find(|kind| lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == **kind))?;
    Some(format!("OGC:{}", found.to_ascii_uppercase()))
}

fn contact(node: &Value) -> Contact {
    let email = text_member(node, &["hasEmail", "email", "mbox"], LINE);
    Contact {
        person: text_member(node, &["fn", "name"], LINE),
        organisation: text_member(node, &["organization-name", "hasOrganizationName"], LINE),
        email: email.map(|e| e.trim_start_matches("mailto:").to_owned()),
        phone: text_member(node, &["hasTelephone", "tel"], 64)
            .map(|t| t.trim_start_matches("tel:").to_owned()),
        url: address_member(node, &["hasURL", "url"]),
    }
}

/// Parses `"a/b"` or an object with two dates.
fn time(value: &Value) -> Option<String> {
    if let Value::Object(_) = value {
        let bound = |names: &[&str]| text_member(value, names, 64);
        let from = bound(&["startDate", "hasBeginning", "start"]);
        let to = bound(&["endDate", "hasEnd", "end"]);
        if from.is_some() || to.is_some() {
            return Some(format!("{}/{}", from.unwrap_or_default(), to.unwrap_or_default()));
        }
    }
    text_value(value, 128).filter(|t| !t.starts_with("_:"))
}
