//! Module names, module URLs and documents.

use super::eval::FoldValue;
use crate::model::MapApp;
use std::rc::Rc;
use url::Url;

/// Resolves a URL against another.
pub(super) fn join_url(base: &str, relative: &str) -> Option<String> {
    if relative.len() > 4_096 {
        return None;
    }
    match Url::parse(base) {
        Ok(base) => base.join(relative).ok().map(String::from),
        Err(_) => Url::parse(relative).ok().map(String::from),
    }
}

/// Returns the URLs that a module name may refer to, most likely first.
pub(super) fn module_urls(app: &MapApp, base: &str, source: &str) -> Vec<String> {
    let mut out = Vec::new();
    let relative = source.starts_with('.') || source.starts_with('/') || source.contains("://");
    if let Some(mapped) = import_map(app, source) {
        out.extend(join_url(&app.base, &mapped));
    }
    if relative || out.is_empty() {
        out.extend(join_url(base, source));
        if !has_extension(source) {
            for ending in
                [".js", ".ts", ".tsx", ".jsx", ".mjs", ".vue", "/index.js", "/index.ts", "/index.tsx"]
            {
                out.extend(join_url(base, &format!("{source}{ending}")));
            }
        } else if let Some(bare) = source.strip_suffix(".js") {
            // TypeScript imports modules by the names of their output.
            out.extend(join_url(base, &format!("{bare}.ts")));
            out.extend(join_url(base, &format!("{bare}.tsx")));
        }
    }
    if !relative {
        out.extend(join_url(&app.base, &format!("{source}.js")));
    }
    out
}

fn has_extension(source: &str) -> bool {
    let last = source.rsplit('/').next().unwrap_or_default();
    matches!(last.rsplit_once('.'), Some((name, "js" | "mjs" | "cjs" | "ts" | "tsx" | "jsx" | "json" | "vue"))
        if !name.is_empty())
}

/// Resolves a name with the import map of the page.
fn import_map(app: &MapApp, source: &str) -> Option<String> {
    let element = app.elements.iter().find(|element| {
        element.attributes.iter().any(|(name, value)| name == "type" && value == "importmap")
    })?;
    let map: serde_json::Value = serde_json::from_str(&element.text).ok()?;
    let imports = map.get("imports")?.as_object()?;
    if let Some(target) = imports.get(source).and_then(serde_json::Value::as_str) {
        return Some(target.to_owned());
    }
    let (prefix, target) = imports
        .iter()
        .filter(|(prefix, _)| prefix.ends_with('/') && source.starts_with(prefix.as_str()))
        .max_by_key(|(prefix, _)| prefix.len())?;
    Some(format!("{}{}", target.as_str()?, source.get(prefix.len()..)?))
}

/// Returns the dotted name of a module member: `ol/source/TileWMS.js` is `ol`, `source`, `TileWMS`.
pub(super) fn module_path(source: &str, name: Option<&str>) -> Vec<Rc<str>> {
    let path = source.split(['?', '#', '!']).next().unwrap_or_default();
    let path =
        path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or(rest, |(_, path)| path));
    let mut out: Vec<Rc<str>> = Vec::new();
    for part in path.split('/') {
        let versioned = part.get(1..).and_then(|rest| rest.find('@')).and_then(|at| part.get(..=at));
        let part = versioned.unwrap_or(part);
        let numbers = part.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'v'));
        if part.is_empty() || numbers || matches!(part, "npm" | "+esm" | "esm" | "node_modules" | "es") {
            continue;
        }
        out.push(Rc::from(part));
    }
    if let Some(last) = out.last_mut() {
        for ending in [".js", ".mjs", ".ts", ".min"] {
            if let Some(bare) = last.strip_suffix(ending) {
                *last = Rc::from(bare);
            }
        }
    }
    out.truncate(8);
    if let Some(name) = name.filter(|name| *name != "default") {
        out.push(Rc::from(name));
    }
    out
}

/// Parses a document: JSON, JSONP, or a script that assigns an object.
pub(super) fn parse_json<'a>(text: &str) -> Option<FoldValue<'a>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let parsed = serde_json::from_str::<serde_json::Value>(text).ok().or_else(|| {
        let start = text.find(['{', '['])?;
        let end = text.rfind(['}', ']'])?;
        let head = text.get(..start)?;
        if !head.contains(['(', '=']) || head.len() > 400 {
            return None;
        }
        serde_json::from_str(text.get(start..=end)?).ok()
    })?;
    let mut left = MOST_VALUES;
    Some(from_json(parsed, &mut left))
}

/// Maximum number of values in a document.
const MOST_VALUES: u32 = 400_000;

fn from_json<'a>(value: serde_json::Value, left: &mut u32) -> FoldValue<'a> {
    if *left == 0 {
        return FoldValue::Unknown;
    }
    *left -= 1;
    match value {
        serde_json::Value::Null => FoldValue::Null,
        serde_json::Value::Bool(value) => FoldValue::Bool(value),
        serde_json::Value::Number(number) => number.as_f64().map_or(FoldValue::Unknown, FoldValue::Number),
        serde_json::Value::String(text) => FoldValue::Text(text.into()),
        serde_json::Value::Array(list) => {
            FoldValue::List(list.into_iter().map(|value| from_json(value, left)).collect())
        }
        serde_json::Value::Object(object) => FoldValue::Fields(Rc::new(
            object.into_iter().map(|(name, value)| (Rc::from(name), from_json(value, left))).collect(),
        )),
    }
}

/// Decodes Base64 like `atob`. Written here because one loop is not worth a dependency.
pub(super) fn decode_base64(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            b' ' | b'\n' | b'\r' | b'\t' => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::{decode_base64, module_path};

    #[test]
    fn modules_have_the_names_of_what_they_hold() {
        let joined = |source, name| module_path(source, name).join(".");
        assert_eq!(joined("ol/source/TileWMS.js", Some("default")), "ol.source.TileWMS");
        assert_eq!(joined("ol/source", Some("TileWMS")), "ol.source.TileWMS");
        assert_eq!(joined("@arcgis/core/layers/WMSLayer", Some("default")), "@arcgis.core.layers.WMSLayer");
        assert_eq!(
            joined("https://cdn.example.org/npm/ol@10.2.1/source/XYZ.js", Some("default")),
            "ol.source.XYZ"
        );
        assert_eq!(joined("cesium", None), "cesium");
    }

    #[test]
    fn base64_is_read() {
        assert_eq!(decode_base64("aHR0cHM6Ly9hLmIvd21z").as_deref(), Some("https://a.b/wms"));
        assert_eq!(decode_base64("%%"), None);
    }
}
