//! Paths into a response, in the notation of its format, and records built from the values there.

use super::{LinkMapping, RecordMapping};
use crate::connectors::fields::{LINE, PROSE, parse_bbox, push_link, word_list};
use crate::formats::selectors::{ElementTree, Selector};
use crate::formats::xml::tidy_text;
use geotrawl_model::{Bbox, CatalogueRecord, RecordLink};
use serde_json::Value;
use url::Url;

/// Maximum number of records per page, and of values per path.
const RECORDS: usize = 100_000;
const VALUES: usize = 1000;

/// Path of a value in a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldPath {
    /// A constant text.
    Constant(String),
    /// Names of nested JSON members, outermost first; `*` stands for all elements.
    Json(Vec<String>),
    Tree(Selector),
}

impl Default for FieldPath {
    fn default() -> Self {
        Self::Json(Vec::new())
    }
}

impl FieldPath {
    /// Parses `/a/*/b`: a JSON pointer with `*` for all elements. The leading slash is optional;
    /// `.` is the current node.
    pub(super) fn parse_json_path(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "." {
            return Ok(Self::Json(Vec::new()));
        }
        let pieces: Vec<String> = text
            .strip_prefix('/')
            .unwrap_or(text)
            .split('/')
            .map(|p| p.replace("~1", "/").replace("~0", "~"))
            .collect();
        if pieces.iter().any(String::is_empty) || pieces.len() > 32 {
            return Err(format!("{text:?} has an empty piece, or more than 32"));
        }
        Ok(Self::Json(pieces))
    }
}

/// A parsed response.
pub(super) enum ParsedResponse {
    Json(Value),
    Tree(ElementTree),
}

/// A node of a response.
#[derive(Clone, Copy)]
pub(super) enum ResponseNode<'d> {
    Json(&'d Value),
    Tree(usize),
}

impl ParsedResponse {
    /// Returns the whole response.
    pub(super) fn root(&self) -> ResponseNode<'_> {
        match self {
            Self::Json(value) => ResponseNode::Json(value),
            Self::Tree(_) => ResponseNode::Tree(0),
        }
    }

    /// Returns all nodes at a path.
    pub(super) fn select<'d>(&'d self, from: ResponseNode<'d>, place: &FieldPath) -> Vec<ResponseNode<'d>> {
        match (self, from, place) {
            (_, ResponseNode::Json(value), FieldPath::Json(path)) => {
                json_each(value, path).into_iter().map(ResponseNode::Json).collect()
            }
            (Self::Tree(tree), ResponseNode::Tree(at), FieldPath::Tree(selector)) => {
                tree.select(at, selector).into_iter().take(RECORDS).map(ResponseNode::Tree).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the texts at a path, as written.
    fn texts(&self, from: ResponseNode<'_>, place: &FieldPath) -> Vec<String> {
        match (self, from, place) {
            (_, _, FieldPath::Constant(text)) => vec![text.clone()],
            (_, ResponseNode::Json(value), FieldPath::Json(path)) => {
                let text = |v: &&Value| match v {
                    Value::String(text) => Some(text.clone()),
                    Value::Number(number) => Some(number.to_string()),
                    Value::Bool(said) => Some(said.to_string()),
                    _ => crate::connectors::fields::text_value(v, PROSE),
                };
                json_each(value, path).iter().take(VALUES).filter_map(text).collect()
            }
            (Self::Tree(tree), ResponseNode::Tree(at), FieldPath::Tree(selector)) => {
                let mut values = tree.select_values(at, selector);
                values.truncate(VALUES);
                values
            }
            _ => Vec::new(),
        }
    }

    /// Returns the first text at a path, cleaned up.
    pub(super) fn first_text(&self, from: ResponseNode<'_>, place: &FieldPath, cap: usize) -> Option<String> {
        self.texts(from, place).iter().find_map(|text| tidy_text(text, cap))
    }

    /// Returns the first text at a path, as written.
    pub(super) fn raw_text(&self, from: ResponseNode<'_>, place: &FieldPath) -> Option<String> {
        self.texts(from, place).into_iter().map(|t| t.trim().to_owned()).find(|t| !t.is_empty())
    }

    /// Returns the value at a path, for fields that may be more than text.
    fn value(&self, from: ResponseNode<'_>, place: &FieldPath) -> Option<Value> {
        match (from, place) {
            (ResponseNode::Json(value), FieldPath::Json(path)) => {
                let found = json_each(value, path);
                if found.len() == 1 {
                    found.first().map(|v| (*v).clone())
                } else {
                    Some(found.into_iter().cloned().collect())
                }
            }
            _ => Some(self.texts(from, place).into_iter().map(Value::String).collect()),
        }
    }
}

fn json_each<'v>(value: &'v Value, path: &[String]) -> Vec<&'v Value> {
    let mut here = vec![value];
    for piece in path {
        let mut next: Vec<&Value> = Vec::new();
        for value in here {
            match value {
                Value::Array(list) if piece == "*" => next.extend(list),
                Value::Object(object) if piece == "*" => next.extend(object.values()),
                Value::Array(list) => next.extend(piece.parse::<usize>().ok().and_then(|at| list.get(at))),
                Value::Object(object) => next.extend(object.get(piece)),
                _ => {}
            }
        }
        next.truncate(RECORDS);
        here = next;
    }
    here.retain(|value| !value.is_null());
    here
}

impl RecordMapping {
    /// Builds the record of a node.
    pub(super) fn build_record(
        &self,
        document: &ParsedResponse,
        at: ResponseNode<'_>,
        base: &Url,
    ) -> Option<CatalogueRecord> {
        let line = |place: &Option<FieldPath>, cap| {
            place.as_ref().and_then(|place| document.first_text(at, place, cap))
        };
        let list = |place: &Option<FieldPath>| {
            place
                .as_ref()
                .and_then(|place| document.value(at, place))
                .map(|v| word_list(&v))
                .unwrap_or_default()
        };
        let mut links = Vec::new();
        for link in &self.links {
            link.add(document, at, base, &mut links);
        }
        Some(CatalogueRecord {
            id: document.first_text(at, &self.id, LINE)?,
            title: line(&self.title, LINE),
            abstract_: line(&self.abstract_, PROSE),
            keywords: split(list(&self.keywords)),
            type_: line(&self.type_, 64),
            bbox: self.extent(document, at),
            time: list(&self.time),
            crs: list(&self.crs),
            provider: line(&self.provider, LINE),
            licence: line(&self.licence, LINE),
            language: line(&self.language, 32),
            modified: line(&self.modified, 64),
            links,
            ..CatalogueRecord::default()
        })
    }

    fn extent(&self, document: &ParsedResponse, at: ResponseNode<'_>) -> Option<Bbox> {
        match &self.bbox[..] {
            [one] => {
                let value = document.value(at, one)?;
                // A list with a single text stands for that text.
                parse_bbox(
                    value
                        .as_array()
                        .filter(|list| list.len() == 1)
                        .and_then(|list| list.first())
                        .unwrap_or(&value),
                )
            }
            [_, _, _, _] => {
                let sides: Option<Vec<Value>> =
                    self.bbox.iter().map(|place| document.raw_text(at, place).map(Value::String)).collect();
                parse_bbox(&Value::Array(sides?))
            }
            _ => None,
        }
    }
}

/// Splits texts that contain several words.
fn split(words_found: Vec<String>) -> Vec<String> {
    if let [one] = &words_found[..] { word_list(&Value::String(one.clone())) } else { words_found }
}

impl LinkMapping {
    fn add(
        &self,
        document: &ParsedResponse,
        record: ResponseNode<'_>,
        base: &Url,
        out: &mut Vec<RecordLink>,
    ) {
        let places = match &self.each {
            Some(each) => document.select(record, each),
            None => vec![record],
        };
        for at in places.into_iter().take(VALUES) {
            let Some(value) = document.raw_text(at, &self.url) else { continue };
            let url = match &self.template {
                Some(template) => template.replace("{}", &value),
                // Links on a page are relative to it.
                None => base.join(&value).map_or(value, String::from),
            };
            let line = |place: &Option<FieldPath>| {
                place.as_ref().and_then(|place| document.first_text(at, place, 200))
            };
            let (protocol, format, name) = (line(&self.protocol), line(&self.format), line(&self.name));
            push_link(out, RecordLink { url, protocol, format, name });
        }
    }
}
