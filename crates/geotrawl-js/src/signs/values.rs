//! Finds URLs, names and titles in values.

use super::address::{is_absolute, trim_quotes};
use crate::value::{ConstructedValue, JsObject, JsValue};

/// Maximum nesting of alternatives, functions and wrappers.
const DEEPEST: u8 = 6;
/// Maximum number of names in a layer list.
const MOST_NAMES: usize = 200;

/// A URL in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAddress {
    pub url: String,
    /// Whether a function returns it.
    pub returned: bool,
    /// Whether it is in a list of several.
    pub listed: bool,
}

/// Returns all URLs in a value, and whether some part of it is unknown.
pub fn find_addresses(value: &JsValue) -> (Vec<FoundAddress>, bool) {
    let mut reading = AddressSearch::default();
    reading.read(value, false, false, DEEPEST);
    (reading.found, reading.unknown)
}

#[derive(Default)]
struct AddressSearch {
    found: Vec<FoundAddress>,
    unknown: bool,
}

impl AddressSearch {
    fn read(&mut self, value: &JsValue, returned: bool, listed: bool, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            JsValue::Text(text) => {
                let text = trim_quotes(text);
                if !text.is_empty() && self.found.len() < 64 {
                    self.found.push(FoundAddress { url: text.to_owned(), returned, listed });
                }
            }
            JsValue::Unknown => self.unknown = true,
            JsValue::OneOf(values) => {
                values.iter().for_each(|value| self.read(value, returned, listed, depth));
            }
            JsValue::List(values) => {
                values.iter().take(64).for_each(|value| self.read(value, returned, true, depth));
            }
            JsValue::Returns(value) => self.read(value, true, listed, depth),
            JsValue::Made(made) => self.made(made, returned, listed, depth),
            JsValue::Object(object) => {
                // Objects such as `Resource`: the URL with its headers.
                if let Some(inner) = object.get("url").or_else(|| object.get("href")) {
                    self.read(inner, returned, listed, depth);
                }
            }
            JsValue::Null | JsValue::Bool(_) | JsValue::Number(_) => {}
        }
    }

    /// Reads wrappers: `new URL(path, base)`, `new Request(url)`, `new Cesium.Resource({url})`,
    /// `encodeURI(url)`.
    fn made(&mut self, made: &ConstructedValue, returned: bool, listed: bool, depth: u8) {
        let last = made.name.last().map_or("", |name| &**name);
        let Some(first) = made.args.first() else { return };
        if last == "URL"
            && let (Some(path), Some(base)) = (first.as_text(), made.args.get(1).and_then(JsValue::as_text))
            && let Some(joined) = joined(base, path)
        {
            self.found.push(FoundAddress { url: joined, returned, listed });
            return;
        }
        if matches!(
            last,
            "URL"
                | "Request"
                | "Resource"
                | "String"
                | "encodeURI"
                | "FetchSource"
                | "toUrl"
                | "DataProxy"
                | "HttpProxy"
                | "HTTP"
                | "WFS"
        ) {
            self.read(first, returned, listed, depth);
        } else {
            self.unknown = true;
        }
    }
}

/// Resolves `path` against `base` if both are known.
fn joined(base: &str, path: &str) -> Option<String> {
    if is_absolute(path) {
        return Some(path.to_owned());
    }
    if base.contains(crate::model::HOLE) || path.contains(crate::model::HOLE) || path.contains('{') {
        return None;
    }
    url::Url::parse(base).ok()?.join(path).ok().map(String::from)
}

/// Adds the names in a value: a text with commas, a list of texts, a list of objects with a name.
pub fn collect_names(value: &JsValue, out: &mut Vec<String>) {
    let mut add = |name: &str| {
        let name = name.trim();
        let known = out.iter().any(|other| other == name);
        if !name.is_empty()
            && name.len() < 256
            && !known
            && out.len() < MOST_NAMES
            && !name.contains(crate::model::HOLE)
        {
            out.push(name.to_owned());
        }
    };
    for value in value.alternatives() {
        match value {
            JsValue::Text(text) => text.split(',').for_each(&mut add),
            JsValue::List(list) => {
                for value in list.iter().flat_map(JsValue::alternatives) {
                    match value {
                        JsValue::Text(text) => add(text),
                        JsValue::Number(number) if number.fract() == 0.0 => add(&number.to_string()),
                        JsValue::Object(object) => {
                            let name = ["name", "id", "layer", "layerName"]
                                .iter()
                                .find_map(|key| object.get(key)?.as_text());
                            name.into_iter().for_each(&mut add);
                        }
                        _ => {}
                    }
                }
            }
            JsValue::Object(object) => {
                // `activeLayer: {id}`, `layer: {name}`.
                let name = ["name", "id", "identifier"].iter().find_map(|key| object.get(key)?.as_text());
                name.into_iter().for_each(&mut add);
            }
            JsValue::Number(number) if number.fract() == 0.0 => add(&number.to_string()),
            _ => {}
        }
    }
}

/// Members with the parameters of a service or of a request.
#[rustfmt::skip]
pub const PARAMETERS: &[&str] = &[
    "params", "parameters", "PARAMS", "wmsParams", "options", "requestParameters", "customParameters", "data", "query",
    "content", "body",
];

/// Returns the layers that an object names in one of these members, or in its parameters.
pub fn layers(object: &JsObject, keys: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let mut take = |object: &JsObject| {
        for key in keys {
            if let Some(value) = object.get(key) {
                collect_names(value, &mut out);
            }
        }
    };
    take(object);
    for key in PARAMETERS {
        for inner in object.get(key).into_iter().flat_map(JsValue::alternatives) {
            if let JsValue::Object(inner) = inner {
                take(inner);
            }
        }
    }
    out
}

/// Returns a title: a short text that is not a URL.
pub fn title(value: &JsValue) -> Option<&str> {
    let text = value.alternatives().iter().find_map(JsValue::as_text)?.trim();
    let fit =
        !text.is_empty() && text.len() <= 200 && !is_absolute(text) && !text.contains(crate::model::HOLE);
    fit.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::testing::{constructed_value, list_value, object_value, text_value};

    #[test]
    fn addresses_are_found_through_wrappers() {
        let urls = |value: &JsValue| find_addresses(value).0.into_iter().map(|f| f.url).collect::<Vec<_>>();
        assert_eq!(urls(&text_value(" https://a.example/ ")), ["https://a.example/"]);
        assert_eq!(urls(&list_value(vec![text_value("a/b"), text_value("c/d")])), ["a/b", "c/d"]);
        assert_eq!(urls(&JsValue::Returns(text_value("a/b").into())), ["a/b"]);
        assert_eq!(
            urls(&constructed_value(
                &["Cesium", "Resource"],
                vec![object_value(&[("url", text_value("a/b"))])]
            )),
            ["a/b"]
        );
        assert_eq!(
            urls(&constructed_value(&["URL"], vec![text_value("wms"), text_value("https://a.example/x/")])),
            ["https://a.example/x/wms"]
        );
        assert!(find_addresses(&JsValue::Unknown).1);
    }

    #[test]
    fn layers_stand_in_many_ways() {
        let of = |value| {
            let mut out = Vec::new();
            collect_names(&value, &mut out);
            out
        };
        assert_eq!(of(text_value("a, b,a")), ["a", "b"]);
        assert_eq!(
            of(list_value(vec![text_value("a"), object_value(&[("name", text_value("b"))])])),
            ["a", "b"]
        );
        let JsValue::Object(layer) =
            object_value(&[("params", object_value(&[("LAYERS", text_value("ws:roads"))]))])
        else {
            panic!()
        };
        assert_eq!(layers(&layer, &["LAYERS"]), ["ws:roads"]);
    }
}
