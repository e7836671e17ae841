//! Values and events passed on by the sandbox thread: like those of [`crate::value`], but without
//! reference counting, so that they can be sent between threads.

use crate::model::{HOLE, ScriptPosition};
use crate::value::{CodeEvent, ConstructedValue, JsObject, JsValue};
use std::rc::Rc;

/// A value in the sandbox.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum SandboxValue {
    #[default]
    Unknown,
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<SandboxValue>),
    Object(Vec<(String, SandboxValue)>),
    Returns(Box<SandboxValue>),
    Made(Vec<String>, Vec<SandboxValue>),
}

/// An event in the sandbox.
#[derive(Debug, Clone, PartialEq)]
pub enum SandboxEvent {
    Call { name: Vec<String>, new: bool, args: Vec<SandboxValue> },
    Object { members: Vec<(String, SandboxValue)> },
    Assign { name: Vec<String>, value: SandboxValue },
}

impl From<SandboxValue> for JsValue {
    fn from(seen: SandboxValue) -> Self {
        match seen {
            SandboxValue::Unknown => Self::Unknown,
            SandboxValue::Null => Self::Null,
            SandboxValue::Bool(value) => Self::Bool(value),
            SandboxValue::Number(value) => Self::Number(value),
            SandboxValue::Text(text) => Self::Text(Rc::from(text)),
            SandboxValue::List(list) => Self::List(list.into_iter().map(Self::from).collect()),
            SandboxValue::Object(members) => Self::Object(Rc::new(object(members))),
            SandboxValue::Returns(value) => Self::Returns(Rc::new(Self::from(*value))),
            SandboxValue::Made(name, args) => Self::Made(Rc::new(ConstructedValue {
                name: name.into_iter().map(Rc::from).collect(),
                args: args.into_iter().map(Self::from).collect(),
            })),
        }
    }
}

fn object(members: Vec<(String, SandboxValue)>) -> JsObject {
    JsObject { members: members.into_iter().map(|(name, value)| (Rc::from(name), value.into())).collect() }
}

impl SandboxEvent {
    /// Converts the event, adding its position.
    pub fn into_event(self, place: ScriptPosition) -> CodeEvent {
        match self {
            Self::Call { name, new, args } => CodeEvent::Call {
                name: name.into_iter().map(Rc::from).collect(),
                new,
                args: args.into_iter().map(JsValue::from).collect(),
                place,
            },
            Self::Object { members } => CodeEvent::Object { object: Rc::new(object(members)), place },
            Self::Assign { name, value } => CodeEvent::Assign {
                name: name.into_iter().map(Rc::from).collect(),
                value: value.into(),
                place,
            },
        }
    }
}

/// Returns whether a text looks like a URL, relative or absolute, or like a URL template.
pub fn looks_like_address(text: &str) -> bool {
    if text.len() < 4 || text.len() > 4096 || text.starts_with("data:") || text.starts_with("blob:") {
        return false;
    }
    if text.bytes().any(|byte| byte < b' ' || byte == b'<' || byte == b'>') {
        return false;
    }
    if text.contains("://") || text.starts_with("//") {
        // Schema names look like URLs and occur in every library.
        const SCHEMAS: [&str; 4] =
            ["www.opengis.net/", "www.w3.org/", "schemas.opengis.net/", "www.topografix.com/"];
        return !text
            .split_once("//")
            .is_some_and(|(_, rest)| SCHEMAS.iter().any(|host| rest.starts_with(host)));
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    if path.contains(' ') {
        return false;
    }
    let rooted = path.starts_with('/') || path.starts_with("./") || path.starts_with("../");
    // The host is unknown, but the path is not.
    let half_known = path.starts_with(HOLE) && path.contains('/');
    rooted
        || half_known
        || text.contains("{z}")
        || text.contains("{bbox")
        || text.contains('?')
        || is_file(path)
}

fn is_file(path: &str) -> bool {
    const ENDS: [&str; 12] =
        ["json", "kml", "kmz", "gml", "gpx", "xml", "csv", "pmtiles", "mbtiles", "tif", "pbf", "mvt"];
    path.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && {
            // Also matches `geojson` and `topojson`.
            let end = end.to_ascii_lowercase();
            ENDS.contains(&end.as_str()) || end.ends_with("json")
        }
    })
}

impl SandboxValue {
    /// Returns whether it contains a text that looks like a URL, up to this depth.
    pub fn has_address(&self, depth: u32) -> bool {
        match self {
            Self::Text(text) => looks_like_address(text),
            Self::List(list) => depth > 0 && list.iter().any(|value| value.has_address(depth - 1)),
            Self::Object(members) => {
                depth > 0 && members.iter().any(|(_, value)| value.has_address(depth - 1))
            }
            Self::Returns(value) => value.has_address(depth),
            _ => false,
        }
    }

    /// Returns whether it contains a non-empty text.
    pub fn has_text(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::List(list) => list.iter().any(Self::has_text),
            Self::Object(members) => members.iter().any(|(_, value)| value.has_text()),
            Self::Returns(value) => value.has_text(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_other_texts() {
        for text in [
            "https://a.b/wms",
            "//a.b/x",
            "/geoserver/wms",
            "../ows?",
            "tiles/{z}/{x}/{y}.png",
            "data/a.geojson",
        ] {
            assert!(looks_like_address(text), "{text}");
        }
        for text in
            ["", "map", "a title, with words", "data:image/png;base64,AAAA", "<b>/x</b>", "1.5", "EPSG:3857"]
        {
            assert!(!looks_like_address(text), "{text}");
        }
    }
}
