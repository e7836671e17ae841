//! A labelled corpus of documents and files, and how well they are recognised.
//!
//! The caller reads the manifest and the files. This module holds what they should be ([`table`]),
//! identifies them ([`identify_bytes`]) and compares the results ([`check_file`],
//! [`CorpusReport`]).

mod compare;
mod report;
mod table;

use crate::probe::{ByteRange, Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use url::Url;

pub use report::{CorpusReport, FieldTally};
pub use table::{DocumentEntry, find_entry};

/// Address at which every file is read. It does not reveal what the file is.
pub const ADDRESS: &str = "http://example.org/data";
/// Number of requests to answer for one file.
const MAX_REQUESTS: usize = 24;

/// Message of tests that are skipped because the corpus is missing.
pub const ABSENT: &str = "SKIPPED: corpus not found (set GEOTRAWL_SHARED to the folder that contains it)";

/// Returns the folder of the corpus if it exists: in the folder named by `GEOTRAWL_SHARED`, or else
/// in `shared` next to the repository that contains the crate folder `of_crate`.
pub fn corpus_folder(of_crate: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("GEOTRAWL_SHARED")
        .map_or_else(|| Path::new(of_crate).join("../../../shared"), PathBuf::from);
    let folder = shared.join("corpus");
    folder.join("manifest.jsonl").is_file().then_some(folder)
}

/// Identifies bytes as if they were a response from the web: first as a page, then as a file served
/// with range support.
pub fn identify_bytes(url: &Url, bytes: &[u8]) -> Finding {
    let page = run_probe(Intent::Page, url, bytes);
    if !page.resources.is_empty() {
        return page;
    }
    let file = run_probe(Intent::File, url, bytes);
    let document = page.document.or(file.document);
    let mut finding = if file.resources.is_empty() { page } else { file };
    finding.document = document;
    finding
}

/// Answers the requests of a probe from the bytes until it is done.
pub fn run_probe(intent: Intent, url: &Url, bytes: &[u8]) -> Finding {
    // A service with its own protocol is requested at addresses derived from this one.
    let asks_freely = matches!(intent, Intent::Ask { .. });
    let (mut probe, mut ask) = Probe::start(intent, url.clone());
    for _ in 0..MAX_REQUESTS {
        let total = bytes.len() as u64;
        let mut head = ResponseHead {
            url: Some(ask.url.clone()),
            status: 200,
            total_length: Some(total),
            ..ResponseHead::default()
        };
        let max = usize::try_from(ask.max_bytes).unwrap_or(usize::MAX);
        let mut body: &[u8] = bytes;
        if ask.url == *url || asks_freely {
            if let Some((from, to)) = ask.range.and_then(|range| served(range, total)) {
                head.status = 206;
                head.served_from = Some(from);
                body = slice(bytes, from, to);
            } else if ask.range.is_some() {
                head.status = 416;
                body = &[];
            }
        } else {
            head.status = 404;
            head.total_length = None;
            body = &[];
        }
        let truncated = body.len() > max;
        let body = &body[..body.len().min(max)];
        match probe.handle_response(ProbeResponse { head: &head, body: ResponseBody::Whole(body), truncated })
        {
            ProbeStep::Done(finding) => return *finding,
            ProbeStep::Ask(next) => ask = *next,
        }
    }
    Finding::default()
}

/// Returns the first and last byte of a requested range that the file has.
fn served(range: ByteRange, total: u64) -> Option<(u64, u64)> {
    let last = total.checked_sub(1)?;
    match range {
        ByteRange::Span { from, to } => (from <= last).then(|| (from, to.min(last))),
        ByteRange::Suffix(n) => (n > 0).then(|| (total.saturating_sub(n), last)),
    }
}

fn slice(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let (from, to) = (usize::try_from(from).unwrap_or(usize::MAX), usize::try_from(to).unwrap_or(usize::MAX));
    bytes.get(from..=to).unwrap_or_default()
}

/// Line of the manifest.
#[derive(Debug, Clone)]
pub struct ManifestLabel {
    pub id: String,
    /// Path of the file, relative to the manifest.
    pub file: String,
    /// Document kind.
    pub document: String,
    pub version: String,
    /// Expected content of the file.
    pub expected: Value,
}

impl ManifestLabel {
    /// Parses a line. Returns `None` if it is not a line of a manifest.
    pub fn parse(line: &str) -> Option<Self> {
        let row: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            id: text("id")?,
            file: text("file")?,
            document: text("kind")?,
            version: text("version").unwrap_or_default(),
            expected: row.get("expected").cloned().unwrap_or(Value::Null),
        })
    }
}

/// Known wrong labels, by id and field, with the reason.
#[derive(Debug, Clone, Default)]
pub struct LabelExceptions(BTreeMap<(String, String), String>);

impl LabelExceptions {
    /// Parses a list of objects with `id`, `field` and `reason`. Returns `None` if it is not one.
    pub fn parse(json: &str) -> Option<Self> {
        let rows: Vec<BTreeMap<String, String>> = serde_json::from_str(json).ok()?;
        let mut exceptions = BTreeMap::new();
        for row in rows {
            let field = |name: &str| row.get(name).cloned();
            exceptions.insert((field("id")?, field("field")?), field("reason")?);
        }
        Some(Self(exceptions))
    }

    /// Returns why a label is wrong. A wrong kind implies that the version and the document are
    /// wrong too.
    fn reason(&self, id: &str, field: &str) -> Option<&str> {
        let of = |field: &str| self.0.get(&(id.to_owned(), field.to_owned())).map(String::as_str);
        of(field).or_else(|| of("kind").filter(|_| matches!(field, "claim" | "document" | "version")))
    }
}

/// Comparison of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldCheck {
    pub field: &'static str,
    /// Difference, or `None` if the field is right.
    pub difference: Option<String>,
    /// Reason why the difference does not count.
    pub excuse: Option<String>,
}

impl FieldCheck {
    /// Returns whether the field is right or the label is known to be wrong.
    pub fn is_right(&self) -> bool {
        self.difference.is_none() || self.excuse.is_some()
    }
}

/// Result of one file.
#[derive(Debug, Clone)]
pub struct FileComparison {
    pub id: String,
    /// Document kind according to the label.
    pub document: String,
    /// Kinds that were found.
    pub kinds: Vec<String>,
    pub checks: Vec<FieldCheck>,
}

/// Compares a file with its label.
pub fn check_file(label: &ManifestLabel, bytes: &[u8], exceptions: &LabelExceptions) -> FileComparison {
    let entry = find_entry(&label.document);
    let mut row = FileComparison {
        id: label.id.clone(),
        document: label.document.clone(),
        kinds: Vec::new(),
        checks: Vec::new(),
    };
    let Ok(url) = Url::parse(ADDRESS) else { return row };
    let finding = identify_bytes(&url, bytes);
    row.kinds = finding.resources.iter().map(|found| found.resource.kind.clone()).collect();
    row.checks = compare::compare_with_label(label, entry.as_ref(), &finding, bytes);
    for check in &mut row.checks {
        if check.difference.is_some() {
            check.excuse = exceptions.reason(&label.id, check.field).map(str::to_owned);
        }
    }
    row
}
