//! Addresses, names and titles in values.

use super::address::{is_absolute, trimmed};
use crate::value::{Made, Object, Value};

/// Deepest nesting of alternatives, functions and wrappers that is looked into.
const DEEPEST: u8 = 6;
/// Names of one layer list beyond this are dropped.
const MOST_NAMES: usize = 200;

/// An address in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub url: String,
    /// A function returns it.
    pub returned: bool,
    /// It stands in a list of several.
    pub listed: bool,
}

/// Every address that a value gives; `None` among them says that something was not known.
pub fn addresses(value: &Value) -> (Vec<Found>, bool) {
    let mut reading = Reading::default();
    reading.read(value, false, false, DEEPEST);
    (reading.found, reading.unknown)
}

#[derive(Default)]
struct Reading {
    found: Vec<Found>,
    unknown: bool,
}

impl Reading {
    fn read(&mut self, value: &Value, returned: bool, listed: bool, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Text(text) => {
                let text = trimmed(text);
                if !text.is_empty() && self.found.len() < 64 {
                    self.found.push(Found { url: text.to_owned(), returned, listed });
                }
            }
            Value::Unknown => self.unknown = true,
            Value::OneOf(values) => values.iter().for_each(|value| self.read(value, returned, listed, depth)),
            Value::List(values) => {
                values.iter().take(64).for_each(|value| self.read(value, returned, true, depth));
            }
            Value::Returns(value) => self.read(value, true, listed, depth),
            Value::Made(made) => self.made(made, returned, listed, depth),
            Value::Object(object) => {
                // `Resource`-like objects: the address with its headers.
                if let Some(inner) = object.get("url").or_else(|| object.get("href")) {
                    self.read(inner, returned, listed, depth);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// `new URL(path, base)`, `new Request(url)`, `new Cesium.Resource({url})`, `encodeURI(url)`.
    fn made(&mut self, made: &Made, returned: bool, listed: bool, depth: u8) {
        let last = made.name.last().map_or("", |name| &**name);
        let Some(first) = made.args.first() else { return };
        if last == "URL"
            && let (Some(path), Some(base)) = (first.as_text(), made.args.get(1).and_then(Value::as_text))
            && let Some(joined) = joined(base, path)
        {
            self.found.push(Found { url: joined, returned, listed });
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

/// `path` as seen from `base`, where both are known.
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
pub fn names(value: &Value, out: &mut Vec<String>) {
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
            Value::Text(text) => text.split(',').for_each(&mut add),
            Value::List(list) => {
                for value in list.iter().flat_map(Value::alternatives) {
                    match value {
                        Value::Text(text) => add(text),
                        Value::Number(number) if number.fract() == 0.0 => add(&number.to_string()),
                        Value::Object(object) => {
                            let name = ["name", "id", "layer", "layerName"]
                                .iter()
                                .find_map(|key| object.get(key)?.as_text());
                            name.into_iter().for_each(&mut add);
                        }
                        _ => {}
                    }
                }
            }
            Value::Object(object) => {
                // `activeLayer: {id}`, `layer: {name}`.
                let name = ["name", "id", "identifier"].iter().find_map(|key| object.get(key)?.as_text());
                name.into_iter().for_each(&mut add);
            }
            Value::Number(number) if number.fract() == 0.0 => add(&number.to_string()),
            _ => {}
        }
    }
}

/// Members that hold the parameters of a service, or those of a request.
#[rustfmt::skip]
pub const PARAMETERS: &[&str] = &[
    "params", "parameters", "PARAMS", "wmsParams", "options", "requestParameters", "customParameters", "data", "query",
    "content", "body",
];

/// Layers that an object names under one of these members, also in its parameters.
pub fn layers(object: &Object, keys: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let mut take = |object: &Object| {
        for key in keys {
            if let Some(value) = object.get(key) {
                names(value, &mut out);
            }
        }
    };
    take(object);
    for key in PARAMETERS {
        for inner in object.get(key).into_iter().flat_map(Value::alternatives) {
            if let Value::Object(inner) = inner {
                take(inner);
            }
        }
    }
    out
}

/// A title in a value: a short text that is no address.
pub fn title(value: &Value) -> Option<&str> {
    let text = value.alternatives().iter().find_map(Value::as_text)?.trim();
    let fit =
        !text.is_empty() && text.len() <= 200 && !is_absolute(text) && !text.contains(crate::model::HOLE);
    fit.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::testing::{list, made, object, text};

    #[test]
    fn addresses_are_found_through_wrappers() {
        let urls = |value: &Value| addresses(value).0.into_iter().map(|f| f.url).collect::<Vec<_>>();
        assert_eq!(urls(&text(" https://a.example/ ")), ["https://a.example/"]);
        assert_eq!(urls(&list(vec![text("a/b"), text("c/d")])), ["a/b", "c/d"]);
        assert_eq!(urls(&Value::Returns(text("a/b").into())), ["a/b"]);
        assert_eq!(urls(&made(&["Cesium", "Resource"], vec![object(&[("url", text("a/b"))])])), ["a/b"]);
        assert_eq!(
            urls(&made(&["URL"], vec![text("wms"), text("https://a.example/x/")])),
            ["https://a.example/x/wms"]
        );
        assert!(addresses(&Value::Unknown).1);
    }

    #[test]
    fn layers_stand_in_many_ways() {
        let of = |value| {
            let mut out = Vec::new();
            names(&value, &mut out);
            out
        };
        assert_eq!(of(text("a, b,a")), ["a", "b"]);
        assert_eq!(of(list(vec![text("a"), object(&[("name", text("b"))])])), ["a", "b"]);
        let Value::Object(layer) = object(&[("params", object(&[("LAYERS", text("ws:roads"))]))]) else {
            panic!()
        };
        assert_eq!(layers(&layer, &["LAYERS"]), ["ws:roads"]);
    }
}
