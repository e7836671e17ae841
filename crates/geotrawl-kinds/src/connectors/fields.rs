//! Members of JSON records in the many shapes used by catalogues: text, lists, boxes, times.

use crate::formats::bbox::{classify_bbox, parse_decimal};
use crate::formats::xml::tidy_text;
use geotrawl_model::{Bbox, RecordLink};
use serde_json::Value;

/// Maximum length in bytes of titles and names, of prose, and of URLs.
pub(crate) const LINE: usize = 512;
pub(crate) const PROSE: usize = 4096;
pub(crate) const ADDRESS: usize = 4096;
/// Maximum number of keywords and links per record.
pub(crate) const WORDS: usize = 100;
pub(crate) const LINKS: usize = 500;
/// Maximum number of positions read of a geometry.
const POSITIONS: usize = 200_000;

/// Returns the first of these members that is present and not null.
pub(crate) fn first_member<'v>(object: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().find_map(|name| object.get(name).filter(|v| !v.is_null()))
}

/// Returns the text of a value: a string, a number, `{"@value": ..}`, `{"en": ..}`, or the first of
/// a list.
pub(crate) fn text_value(value: &Value, cap: usize) -> Option<String> {
    raw_text(value, 0).and_then(|raw| tidy_text(&raw, cap))
}

/// Like [`text_value`], for the first of these members that contains text.
pub(crate) fn text_member(object: &Value, names: &[&str], cap: usize) -> Option<String> {
    names.iter().find_map(|name| text_value(object.get(name)?, cap))
}

/// Names under which objects keep their text, most likely first; `default` is used by GeoNetwork.
const INNER: &[&str] = &[
    "@value",
    "value",
    "default",
    "en",
    "eng",
    "label",
    "prefLabel",
    "title",
    "name",
    "display_name",
    "fn",
    "@id",
    "_value",
];

fn raw_text(value: &Value, depth: usize) -> Option<String> {
    if depth > 4 {
        return None;
    }
    match value {
        Value::String(text) => {
            let end = text.floor_char_boundary(text.len().min(64 << 10));
            Some(text.get(..end)?.to_owned()).filter(|t| !t.trim().is_empty())
        }
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) => list.iter().take(20).find_map(|v| raw_text(v, depth + 1)),
        Value::Object(object) => INNER
            .iter()
            .find_map(|name| raw_text(object.get(*name)?, depth + 1))
            .or_else(|| object.values().filter(|v| v.is_string()).find_map(|v| raw_text(v, depth + 1))),
        _ => None,
    }
}

/// Returns the words of a list: strings, objects with a name, or one string with commas.
pub(crate) fn word_list(value: &Value) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut push = |word: Option<String>| {
        if let Some(word) = word
            && out.len() < WORDS
            && !out.contains(&word)
        {
            out.push(word);
        }
    };
    match value {
        Value::String(text) => text.split([',', ';']).take(WORDS * 2).for_each(|w| push(tidy_text(w, 256))),
        Value::Array(list) => list.iter().take(WORDS * 4).for_each(|v| push(text_value(v, 256))),
        Value::Object(_) => push(text_value(value, 256)),
        _ => {}
    }
    out
}

/// Returns a URL as written, without blanks inside and around it.
pub(crate) fn address_value(value: &Value) -> Option<String> {
    let raw = match value {
        Value::String(text) => text.trim(),
        Value::Object(object) => {
            ["@id", "url", "href", "@value"].iter().find_map(|name| object.get(*name)?.as_str())?.trim()
        }
        Value::Array(list) => return list.iter().take(8).find_map(address_value),
        _ => return None,
    };
    (!raw.is_empty() && raw.len() <= ADDRESS).then(|| raw.to_owned())
}

/// Like [`address_value`], for the first of these members that contains a URL.
pub(crate) fn address_member(object: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| address_value(object.get(name)?))
}

/// Appends a link unless it is already there or the limit is reached.
pub(crate) fn push_link(links: &mut Vec<RecordLink>, link: RecordLink) {
    if links.len() < LINKS && !links.contains(&link) {
        links.push(link);
    }
}

/// Returns a timestamp as written; converts milliseconds since 1970 to text.
pub(crate) fn timestamp_text(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => {
            let ms = number.as_i64()?;
            // A small number is a year or a count of seconds rather than milliseconds: keep it as
            // written.
            if ms.abs() < 1_000_000_000_000 {
                return Some(ms.to_string());
            }
            jiff::Timestamp::from_millisecond(ms).ok().map(|t| t.to_string())
        }
        _ => text_value(value, 64),
    }
}

/// Parses a geographic box in any of the forms that catalogues use: `[w, s, e, n]` (or six
/// numbers), `[[w, s], [e, n]]`, `"w,s,e,n"`, GeoJSON (also as a string), WKT, `{xmin, ...}`.
pub(crate) fn parse_bbox(value: &Value) -> Option<Bbox> {
    boxed(value, 0).and_then(|corners| classify_bbox(corners).bbox())
}

fn boxed(value: &Value, depth: usize) -> Option<[f64; 4]> {
    if depth > 6 {
        return None;
    }
    match value {
        Value::Array(list) => {
            let numbers: Vec<f64> = list.iter().take(7).filter_map(plain_number).collect();
            match (list.len(), numbers[..].as_ref()) {
                (4, [w, s, e, n]) => Some([*w, *s, *e, *n]),
                (6, [w, s, _, e, n, _]) => Some([*w, *s, *e, *n]),
                (2, []) => around(value),
                _ => list.iter().take(20).find_map(|v| boxed(v, depth + 1)),
            }
        }
        Value::String(text) => from_text(text, depth),
        Value::Object(object) => {
            let named = |names: [&str; 4]| -> Option<[f64; 4]> {
                let mut out = [0.0; 4];
                for (place, name) in out.iter_mut().zip(names) {
                    *place = plain_number(object.get(name)?)?;
                }
                Some(out)
            };
            if object.contains_key("coordinates") || object.contains_key("geometries") {
                return around(value);
            }
            named(["xmin", "ymin", "xmax", "ymax"])
                .or_else(|| named(["west", "south", "east", "north"]))
                .or_else(|| named(["minx", "miny", "maxx", "maxy"]))
                .or_else(|| {
                    ["bbox", "geometry", "geo", "coords", "geom", "asWKT", "@value", "hasBoundingBox"]
                        .iter()
                        .find_map(|name| boxed(object.get(*name)?, depth + 1))
                })
        }
        _ => None,
    }
}

fn plain_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) => n.as_f64(),
        Value::String(text) => parse_decimal(text),
        _ => None,
    }
}

/// Returns the box around all positions of a geometry or of nested lists of positions.
fn around(value: &Value) -> Option<[f64; 4]> {
    let mut corners = None;
    let mut left = POSITIONS;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::Object(object) => {
                stack.extend(["coordinates", "geometries"].iter().filter_map(|name| object.get(*name)));
            }
            Value::Array(list) => {
                if let [x, y, ..] = &list[..]
                    && let (Some(x), Some(y)) = (plain_number(x), plain_number(y))
                {
                    grow(&mut corners, x, y);
                } else {
                    stack.extend(list.iter().take(left));
                }
            }
            _ => {}
        }
        left = left.saturating_sub(1);
        if left == 0 {
            break;
        }
    }
    corners
}

/// Extends a box to include a position.
fn grow(corners: &mut Option<[f64; 4]>, x: f64, y: f64) {
    let [west, south, east, north] = corners.unwrap_or([x, y, x, y]);
    *corners = Some([west.min(x), south.min(y), east.max(x), north.max(y)]);
}

fn from_text(text: &str, depth: usize) -> Option<[f64; 4]> {
    let text = text.trim();
    if text.len() > 1 << 20 {
        return None;
    }
    if text.starts_with(['{', '[']) {
        return boxed(&serde_json::from_str(text).ok()?, depth + 1);
    }
    // GeoSPARQL puts the CRS before the geometry; with EPSG:4326, latitude comes first.
    let (crs, body) = match text.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((crs, body)) => (crs, body.trim()),
        None => ("", text),
    };
    let upper: String = body.chars().take(24).collect::<String>().to_ascii_uppercase();
    let numbers = || -> Vec<f64> {
        body.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E')))
            .filter(|piece| piece.bytes().any(|b| b.is_ascii_digit()))
            .filter_map(parse_decimal)
            .take(2 * POSITIONS)
            .collect()
    };
    if upper.starts_with("ENVELOPE") {
        let [w, e, n, s] = numbers()[..] else { return None };
        return Some([w, s, e, n]);
    }
    let wkt = ["POLYGON", "MULTIPOLYGON", "POINT", "MULTIPOINT", "LINESTRING", "BOX", "GEOMETRYCOLLECTION"];
    if wkt.iter().any(|name| upper.starts_with(name)) {
        let latitude_first = crs.contains("EPSG") && crs.trim_end_matches('/').ends_with("4326");
        let numbers = numbers();
        let mut corners = None;
        let step = if upper.contains(" Z") { 3 } else { 2 };
        for position in numbers.chunks_exact(step) {
            let (x, y) = if latitude_first { (position[1], position[0]) } else { (position[0], position[1]) };
            grow(&mut corners, x, y);
        }
        return corners;
    }
    // Place names and coordinates in prose are not boxes.
    if body.chars().any(|c| c.is_alphabetic() && !matches!(c, 'e' | 'E')) {
        return None;
    }
    match numbers()[..] {
        [w, s, e, n] => Some([w, s, e, n]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_comes_out_of_its_wrappings() {
        for value in [
            json!("Roads"),
            json!({"@value": " Roads ", "@language": "en"}),
            json!([{"@value": "Roads"}]),
            json!({"default": "Roads", "langeng": "Streets"}),
            json!({"de": "Roads"}),
            json!([null, "", "<b>Roads</b>"]),
        ] {
            assert_eq!(text_value(&value, LINE).as_deref(), Some("Roads"), "{value}");
        }
        assert_eq!(text_value(&json!({"a": {}}), LINE), None);
        assert_eq!(word_list(&json!("a, b;c")), ["a", "b", "c"]);
        assert_eq!(word_list(&json!([{"name": "a"}, "b", "b", null])), ["a", "b"]);
    }

    #[test]
    fn boxes_come_in_many_ways() {
        let expected = Some(Bbox::from([5.0, 45.0, 11.0, 48.0]));
        for value in [
            json!([5, 45, 11, 48]),
            json!([5, 45, 0, 11, 48, 100]),
            json!([[5, 45], [11, 48]]),
            json!([[5, 45, 11, 48]]),
            json!("5,45,11,48"),
            json!("5.0 45.0 11.0 48.0"),
            json!({"type": "Polygon", "coordinates": [[[5,45],[11,45],[11,48],[5,48],[5,45]]]}),
            json!("{\"type\":\"Polygon\",\"coordinates\":[[[5,45],[11,45],[11,48],[5,48],[5,45]]]}"),
            json!({"type": "Feature", "geometry": {"type": "MultiPoint", "coordinates": [[5,45],[11,48]]}}),
            json!("POLYGON((5 45, 11 45, 11 48, 5 48, 5 45))"),
            json!("<http://www.opengis.net/def/crs/EPSG/0/4326> POLYGON((45 5, 48 11, 45 5))"),
            json!("ENVELOPE(5, 11, 48, 45)"),
            json!({"xmin": 5, "ymin": "45", "xmax": 11, "ymax": 48}),
            json!({"bbox": "POLYGON((5 45, 11 45, 11 48, 5 48, 5 45))"}),
        ] {
            assert_eq!(parse_bbox(&value), expected, "{value}");
        }
        for value in
            [json!("Berlin"), json!("NaN,NaN,NaN,NaN"), json!([]), json!("12 streets, 4 rivers"), json!(7)]
        {
            assert_eq!(parse_bbox(&value), None, "{value}");
        }
    }

    #[test]
    fn moments_are_written_out() {
        assert_eq!(timestamp_text(&json!(1_700_000_000_000_i64)).as_deref(), Some("2023-11-14T22:13:20Z"));
        assert_eq!(timestamp_text(&json!("2023-11")).as_deref(), Some("2023-11"));
        assert_eq!(timestamp_text(&json!(2023)).as_deref(), Some("2023"));
    }
}
