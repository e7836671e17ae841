//! Members of JSON documents as kinds read them: cleaned texts, boxes in degrees, resolved links.

use super::ows::words::says_none;
use crate::formats::bbox::{BboxUnion, BoxClass, classify_bbox, parse_decimal};
use crate::formats::crs::{CrsRef, to_wgs84};
use crate::formats::json::JsonDocument;
use crate::formats::xml::tidy_text;
use crate::probe::CrawlTarget;
use crate::urls;
use geotrawl_model::{Bbox, Dataset, DiscoveryMethod, Issue, Resource, SharedText};
use serde_json::Value;
use std::collections::BTreeMap;
use url::Url;

/// Maximum number of datasets kept per resource; all are counted.
pub const MAX_DATASETS: usize = 10_000;
/// Maximum number of targets taken from one document.
pub const MAX_TARGETS: usize = 10_000;
const TITLE: usize = 1024;
const ABSTRACT: usize = 4096;
const KEYWORDS: usize = 100;
const KEYWORD: usize = 256;
const CRS_LIMIT: usize = 200;
const TIMES: usize = 24;
const LINKS: usize = 10_000;

/// Returns the text of a member, if it has any.
pub fn text_member<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Returns a title or display name. Accepts numbers and texts by language, too.
pub fn title_member(value: &Value, name: &str) -> Option<String> {
    text_in_any_form(value.get(name)?).and_then(|text| tidy_text(&text, TITLE))
}

/// Returns a description.
pub fn prose_member(value: &Value, name: &str) -> Option<String> {
    text_in_any_form(value.get(name)?).and_then(|text| tidy_text(&text, ABSTRACT))
}

/// Returns the text of a value: a string, a number, the first of several, or one of several
/// languages.
pub fn text_in_any_form(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(several) => several.iter().take(8).find_map(text_in_any_form),
        Value::Object(members) => ["@value", "en", "name", "title"]
            .iter()
            .find_map(|name| members.get(*name))
            .or_else(|| members.values().find(|v| v.is_string()))
            .filter(|v| !v.is_object())
            .and_then(text_in_any_form),
        _ => None,
    }
}

/// Returns an identifier: a string or a number.
pub fn identifier_member(value: &Value, name: &str) -> Option<String> {
    match value.get(name)? {
        Value::String(text) => tidy_text(text, TITLE),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns keywords from a list or a text with commas.
pub fn parse_keywords(value: Option<&Value>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        if let Some(word) = tidy_text(text, KEYWORD).filter(|w| found.len() < KEYWORDS && !found.contains(w))
        {
            found.push(word);
        }
    };
    match value {
        Some(Value::Array(list)) => {
            list.iter().filter_map(text_in_any_form).take(KEYWORDS).for_each(|text| add(&text));
        }
        Some(Value::String(text)) => text.split([',', ';']).take(KEYWORDS).for_each(add),
        _ => {}
    }
    found
}

/// Returns the keywords of a dataset.
pub fn shared_keywords(value: Option<&Value>) -> Vec<SharedText> {
    parse_keywords(value).into_iter().map(SharedText::from).collect()
}

/// Returns a licence, unless the text says that there is none.
pub fn stated_licence(text: Option<String>) -> Option<String> {
    text.and_then(|text| tidy_text(&text, TITLE)).filter(|text| !says_none(text))
}

/// Returns a number, also from a string; rejects `"NaN"`.
pub fn parse_float(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => parse_decimal(text),
        _ => None,
    }
    .filter(|n| n.is_finite())
}

/// Returns a box of four numbers, or of six with heights, as `[west, south, east, north]`,
/// unchecked.
pub fn parse_corners(value: &Value) -> Option<[f64; 4]> {
    let list = value.as_array()?;
    let at = |i: usize| list.get(i).and_then(parse_float);
    match list.len() {
        4 => Some([at(0)?, at(1)?, at(2)?, at(3)?]),
        6 => Some([at(0)?, at(1)?, at(3)?, at(4)?]),
        _ => None,
    }
}

/// Returns the extent of all positions in a value: GeoJSON geometries, corners, lists of them.
pub fn extent_of(value: &Value) -> Option<[f64; 4]> {
    fn walk(value: &Value, depth: usize, out: &mut Option<[f64; 4]>) {
        if depth > 12 {
            return;
        }
        match value {
            Value::Array(list) => {
                if let (Some(x), Some(y)) =
                    (list.first().and_then(Value::as_f64), list.get(1).and_then(Value::as_f64))
                {
                    let [w, s, e, n] = out.unwrap_or([x, y, x, y]);
                    *out = Some([w.min(x), s.min(y), e.max(x), n.max(y)]);
                } else {
                    for inner in list {
                        walk(inner, depth + 1, out);
                    }
                }
            }
            Value::Object(members) => {
                for name in ["coordinates", "geometries", "geometry", "features"] {
                    if let Some(inner) = members.get(name) {
                        walk(inner, depth + 1, out);
                    }
                }
            }
            _ => {}
        }
    }
    let mut extent = None;
    walk(value, 0, &mut extent);
    extent
}

/// Returns the time extents `[[a, b], ...]`, with `..` for open ends.
pub fn time_intervals(value: Option<&Value>) -> Vec<String> {
    let end = |value: Option<&Value>| {
        value.and_then(Value::as_str).and_then(|t| tidy_text(t, 64)).unwrap_or_else(|| "..".to_owned())
    };
    let list = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // STAC 0.x has a single interval without the outer list.
    let flat = !list.is_empty() && list.iter().all(|v| v.is_string() || v.is_null());
    let pairs: Vec<&[Value]> =
        if flat { vec![list] } else { list.iter().filter_map(|v| v.as_array().map(Vec::as_slice)).collect() };
    let mut times: Vec<String> = Vec::new();
    for pair in pairs.into_iter().take(TIMES) {
        let (from, to) = (end(pair.first()), end(pair.get(1)));
        if from == ".." && to == ".." {
            continue;
        }
        let time = if from == to { from } else { format!("{from}/{to}") };
        if !times.contains(&time) {
            times.push(time);
        }
    }
    times
}

/// Returns the codes of coordinate systems, shortened if possible.
pub fn crs_codes(value: Option<&Value>) -> Vec<SharedText> {
    let mut codes: Vec<SharedText> = Vec::new();
    let list = match value {
        Some(Value::Array(list)) => list.as_slice(),
        Some(single) => std::slice::from_ref(single),
        None => &[],
    };
    for text in list.iter().filter_map(Value::as_str).filter(|text| !text.starts_with('#')) {
        let code: SharedText = crs_code(text).into();
        if codes.len() < CRS_LIMIT && !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

/// Returns the common short code of a coordinate system.
pub fn crs_code(text: &str) -> String {
    let known = CrsRef::from_text(text).filter(|crs| !matches!(crs, CrsRef::Wkt(_)));
    known.and_then(|crs| crs.label()).unwrap_or_else(|| text.chars().take(200).collect())
}

/// A link of a document.
#[derive(Debug, Clone, Copy)]
pub struct DocumentLink<'v> {
    /// Link relation.
    pub rel: &'v str,
    /// URL as written.
    pub href: &'v str,
    /// Media type, or empty.
    pub type_: &'v str,
    /// Title, or empty.
    pub title: &'v str,
}

/// Returns the links of a document or of a part of it.
pub fn document_links(value: &Value) -> impl Iterator<Item = DocumentLink<'_>> {
    let list = value.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().take(LINKS).filter_map(|link| {
        let part = |name: &str| link.get(name).and_then(Value::as_str).unwrap_or_default();
        let href = part("href");
        (!href.is_empty()).then(|| DocumentLink {
            rel: part("rel"),
            href,
            type_: part("type"),
            title: part("title"),
        })
    })
}

/// Returns the end of a relation: `http://www.opengis.net/def/rel/ogc/1.0/data-meta` and
/// `data-meta` are equal.
pub fn short_rel(rel: &str) -> &str {
    let rel = rel.trim_matches(['[', ']']);
    let rel = rel.strip_prefix("ogc-rel:").unwrap_or(rel);
    if rel.contains("/rel/ogc/") { rel.rsplit('/').next().unwrap_or(rel) } else { rel }
}

/// A resource under construction.
pub struct ResourceDraft {
    /// The resource as known so far.
    pub resource: Resource,
    union: BboxUnion,
    issues: BTreeMap<String, (Issue, u32)>,
}

impl ResourceDraft {
    /// Creates a resource of this kind at this URL.
    pub fn new(kind: &str, url: impl Into<String>) -> Self {
        Self {
            resource: Resource { kind: kind.to_owned(), url: url.into(), ..Resource::default() },
            union: BboxUnion::default(),
            issues: BTreeMap::new(),
        }
    }

    /// Adds an issue; repetitions are only counted.
    pub fn add_issue(&mut self, issue: Issue) {
        self.issues.entry(issue.code.clone()).or_insert_with(|| (issue, 0)).1 += 1;
    }

    /// Checks a box in degrees, `[west, south, east, north]`, and notes what is wrong with it.
    pub fn place_box(&mut self, written: [f64; 4]) -> Option<Bbox> {
        let class = classify_bbox(written);
        if let Some((code, message)) = class.issue() {
            let [w, s, e, n] = written;
            self.add_issue(Issue::new(code, format!("{message}: {w} {s} {e} {n}")));
        }
        if matches!(class, BoxClass::Good(_) | BoxClass::Swapped(_)) { class.bbox() } else { None }
    }

    /// Converts a box from a coordinate system to degrees; east comes before north.
    pub fn place_box_in(&mut self, crs: &CrsRef, written: [f64; 4]) -> Option<Bbox> {
        if matches!(crs, CrsRef::Crs84 | CrsRef::Epsg(4326)) {
            return self.place_box(written);
        }
        match to_wgs84(crs, written) {
            Ok(bbox) => Some(bbox),
            Err(issue) => {
                self.add_issue(issue);
                None
            }
        }
    }

    /// Counts a dataset, and keeps it if the limit is not reached.
    pub fn add_dataset(&mut self, dataset: Dataset) {
        self.resource.dataset_count += 1;
        if let Some(bbox) = dataset.bbox {
            self.union.add(bbox);
        }
        if self.resource.datasets.len() < MAX_DATASETS {
            self.resource.datasets.push(dataset);
        } else {
            self.add_issue(Issue::new(
                "datasets-not-kept",
                "too many datasets: the remaining ones are only counted",
            ));
        }
    }

    /// Notes that the document is incomplete or not valid JSON.
    pub fn note_syntax_issues(&mut self, doc: &JsonDocument) {
        if !doc.complete {
            self.add_issue(Issue::new("json-broken", "the JSON is incomplete or has an invalid end"));
        }
    }

    /// Returns the finished resource, with its own box or the one around its datasets.
    pub fn finish(mut self) -> Resource {
        self.resource.bbox = self.resource.bbox.or(self.union.bbox());
        self.resource.issues.extend(self.issues.into_values().map(|(mut issue, count)| {
            if count > 1 {
                issue.message = format!("{} (and {} more)", issue.message, count - 1);
            }
            issue
        }));
        self.resource
    }
}

/// Classifies a URL found in a document at `base`, and appends its targets.
pub fn add_target(href: &str, base: &Url, way: &DiscoveryMethod, words: &str, out: &mut Vec<CrawlTarget>) {
    if out.len() >= MAX_TARGETS {
        return;
    }
    if let Some(url) = urls::clean_link(href, base) {
        let words: String = words.chars().take(200).collect();
        urls::append_targets(url, way.clone(), &words, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_boxes_and_times_are_read_as_written() {
        assert_eq!(title_member(&json!({"t": {"de": "Karte", "en": "Map"}}), "t").as_deref(), Some("Map"));
        assert_eq!(parse_keywords(Some(&json!("a, b;a"))), ["a", "b"]);
        assert_eq!(parse_corners(&json!([1, 2, 0, 3, "4", 9])), Some([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(parse_corners(&json!(["NaN", 2, 3, 4])), None);
        assert_eq!(time_intervals(Some(&json!([["2020-01-01", null], [null, null]]))), ["2020-01-01/.."]);
        assert_eq!(time_intervals(Some(&json!(["2020-01-01", "2021-01-01"]))), ["2020-01-01/2021-01-01"]);
        assert_eq!(
            crs_codes(Some(&json!(["http://www.opengis.net/def/crs/EPSG/0/25832", "#/crs"]))),
            ["EPSG:25832".into()]
        );
        let shape = json!({"type": "GeometryCollection", "geometries": [{"coordinates": [[1, 2], [3, -4]]}]});
        assert_eq!(extent_of(&shape), Some([1.0, -4.0, 3.0, 2.0]));
    }
}
