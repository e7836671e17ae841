//! Reads unknown configurations by the names of members: an address next to a type and layers.

use super::targets::{ConfigEntry, ConfigTargets};
use super::types::{RequestKind, request_for_key, request_for_type};
use serde_json::{Map, Value};

/// Number of values to visit per document.
const VALUES: usize = 2_000_000;
/// Members that state the type of the address next to them, most reliable first.
const TYPE_KEYS: &[&str] = &[
    "type",
    "typ",
    "serviceType",
    "service",
    "ptype",
    "layerType",
    "sourceType",
    "serverType",
    "protocol",
    "format",
];
/// Members whose address has the stated type. Other addresses must identify themselves.
const URL_KEYS: &[&str] = &[
    "url",
    "urls",
    "serviceUrl",
    "serviceURL",
    "service_url",
    "baseUrl",
    "baseURL",
    "base_url",
    "href",
    "uri",
    "URL",
    "Url",
    "capabilitiesURL",
    "capabilitiesUrl",
    "endpoint",
    "serverUrl",
    "server",
    "src",
    "dataUrl",
];
/// Members that name layers.
const LAYER_KEYS: &[&str] = &[
    "layers",
    "LAYERS",
    "layer",
    "layerName",
    "layerNames",
    "layername",
    "wmsLayers",
    "typeName",
    "typeNames",
    "typename",
    "featureType",
    "featureTypes",
    "coverage",
    "serverLayerName",
];

/// Adds every address that is a service or file by itself or according to its sibling members.
pub fn walk_values(root: &Value, finds: &mut ConfigTargets) {
    let mut stack = vec![root];
    let mut left = VALUES;
    while let Some(value) = stack.pop() {
        left = left.saturating_sub(1);
        if left == 0 {
            return;
        }
        match value {
            Value::Array(list) => stack.extend(list.iter().rev()),
            Value::Object(object) => {
                add_object(object, finds);
                stack.extend(object.values().rev().filter(|v| v.is_object() || v.is_array()));
            }
            // A list of bare addresses.
            Value::String(text) if is_address(text) => {
                finds.add(ConfigEntry { url: text, ..ConfigEntry::default() });
            }
            _ => {}
        }
    }
}

/// Adds the addresses of one object, without nested objects.
pub fn add_object(object: &Map<String, Value>, finds: &mut ConfigTargets) {
    let way = object_type(object);
    let layers = object_layers(object);
    let words = object_title(object);
    for (key, value) in object {
        let said = request_for_key(key).or_else(|| way.filter(|_| URL_KEYS.contains(&key.as_str())));
        let mut add = |text: &str| {
            if is_address(text) || said.is_some() && is_path(text) {
                let layers = if said.is_some() { layers.clone() } else { Vec::new() };
                finds.add(ConfigEntry { url: text, way: said, layers, words });
            }
        };
        match value {
            Value::String(text) => add(text),
            Value::Array(list) if said.is_some() => {
                // The addresses are hosts of the same service.
                list.iter().take(20).filter_map(Value::as_str).take(1).for_each(add);
            }
            _ => {}
        }
    }
}

/// Returns the type that an object states.
pub fn object_type(object: &Map<String, Value>) -> Option<RequestKind> {
    TYPE_KEYS.iter().find_map(|key| request_for_type(object.get(*key)?.as_str()?))
}

/// Returns the title of an object.
pub fn object_title(object: &Map<String, Value>) -> &str {
    ["title", "name", "label", "id"].iter().find_map(|key| object.get(*key)?.as_str()).unwrap_or_default()
}

/// Returns the layers that an object names, directly or in its `params`.
pub fn object_layers(object: &Map<String, Value>) -> Vec<String> {
    let mut out = Vec::new();
    let inner = ["params", "parameters"].iter().filter_map(|key| object.get(*key)?.as_object());
    for object in std::iter::once(object).chain(inner) {
        for value in LAYER_KEYS.iter().filter_map(|key| object.get(*key)) {
            collect_names(value, &mut out);
        }
    }
    out
}

/// Collects names from a comma-separated string, a list of strings, or a list of objects with a
/// name.
pub fn collect_names(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            out.extend(text.split(',').map(str::trim).filter(|n| !n.is_empty()).take(200).map(str::to_owned));
        }
        Value::Array(list) => {
            let name = |v: &Value| v.as_str().or_else(|| v.get("name")?.as_str()).map(str::to_owned);
            out.extend(list.iter().take(1000).filter_map(name));
        }
        _ => {}
    }
}

/// Returns whether the whole string is an address.
fn is_address(text: &str) -> bool {
    let text = text.trim_start();
    let starts = |prefix: &str| text.get(..prefix.len()).is_some_and(|s| s.eq_ignore_ascii_case(prefix));
    starts("http://") || starts("https://") || text.starts_with("//")
}

/// Returns whether a string may be an address relative to the document.
fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 1024
        && !text.contains(char::is_whitespace)
        && text.contains(['/', '.', '?'])
}
