//! Imports records from other instances.
//!
//! Imported statements are claims, not proofs. A record that is new here keeps its claimed
//! description but gets the status `unchecked` until the monitor has checked it. Claims of dead,
//! restricted, blocked or inconclusive services keep that status, marked as the source's. The
//! description of a record found or checked here is replaced only by a later one, and its status
//! never.

use crate::ExportError;
use crate::dump::{DumpLine, OpenDump};
use geotrawl_kinds::urls::record_id;
use geotrawl_model::store::Store;
use geotrawl_model::{
    Bbox, CrawlBatch, Evidence, FinishedItem, FoundResource, FrontierEntry, Intent, NewLink, PageOutcome,
    Record, RunId, Status, TaskSpec, TaskState,
};
use geotrawl_trust::schedule::is_static;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use url::Url;

/// Discovery method in provenance.
pub const WAY: &str = "import";
/// Maximum numbers of records and layers per transaction.
const MOST_RECORDS: usize = 500;
const MOST_LAYERS: usize = 50_000;
/// Maximum length of a URL.
const LONGEST_URL: usize = 8_192;
/// Maximum number of problems reported individually.
const MOST_TOLD: usize = 20;
/// How far clocks of other instances may be ahead. Records with later times are not believed.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_hours(24);

/// Options for an import.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    /// Source of the records: a URL or a name.
    pub source: String,
    /// Options of the task that the records are stored under.
    pub task: serde_json::Value,
    pub now: Timestamp,
}

/// Summary of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportSummary {
    /// Valid records read.
    pub read: u64,
    /// Records that were new to the catalogue.
    pub new: u64,
    /// Records whose description was replaced by a later one.
    pub updated: u64,
    /// Records about which the catalogue already knows at least as much.
    pub known: u64,
    /// Invalid lines and records that cannot be stored.
    pub refused: u64,
    /// The first of those, with reasons.
    pub problems: Vec<String>,
}

/// Imports the records of a dump or record file. If interrupted, committed records stay; importing
/// the same file again is harmless.
pub fn import_records(
    store: &dyn Store,
    opened: &OpenDump,
    options: &ImportOptions,
) -> Result<ImportSummary, ExportError> {
    let spec = TaskSpec {
        name: format!("import {}", options.source),
        seeds: vec![options.source.clone()],
        options: options.task.clone(),
    };
    let run = store.open_task(&spec, options.now)?.run;
    let mut import = ImportRun {
        store,
        options,
        run,
        host: format!("import:{}", options.source),
        page: None,
        number: 0,
        held: Vec::new(),
        layers: 0,
        done: ImportSummary::default(),
    };
    import.add_source_page()?;
    opened.read_records(&mut |claim| import.take_line(claim))?;
    import.commit_held()?;
    store.set_task_state(run, TaskState::Finished, options.now)?;
    Ok(import.done)
}

/// An import in progress.
struct ImportRun<'a> {
    store: &'a dyn Store,
    options: &'a ImportOptions,
    run: RunId,
    /// Pseudo host of all items, which keeps them in a queue that is never crawled.
    host: String,
    /// Page that represents the source.
    page: Option<i64>,
    number: u64,
    held: Vec<(FoundResource, bool)>,
    layers: usize,
    done: ImportSummary,
}

impl ImportRun<'_> {
    fn new_link(&mut self, url: &str) -> NewLink {
        self.number += 1;
        NewLink {
            // Unique per import: whether a record is known is decided by the catalogue, not by its
            // URL.
            key: format!("{WAY} {} {} {url}", self.options.now, self.number),
            url: url.to_owned(),
            host: self.host.clone(),
            intent: Intent::Import,
            parent: self.page,
            way: WAY.into(),
            ..NewLink::default()
        }
    }

    /// Queues links and returns them as items, in the same order.
    fn queue_links(&self, links: &[NewLink]) -> Result<Vec<FrontierEntry>, ExportError> {
        let added = self.store.add_links(self.run, links)?;
        let mut items = Vec::new();
        for host in added.hosts {
            items.extend(self.store.pending_entries(self.run, host, usize::MAX / 4, &|_| false)?);
        }
        items.sort_by_key(|item| item.id);
        Ok(items)
    }

    fn commit_items(&self, done: Vec<FinishedItem>) -> Result<u64, ExportError> {
        let batch = CrawlBatch { run: self.run, done, robots: Vec::new(), now: self.options.now };
        let committed = self.store.commit(&batch)?;
        Ok(committed.resources.iter().filter(|one| one.born).count() as u64)
    }

    /// Adds the source as a page, and closes items that an interrupted import left behind.
    fn add_source_page(&mut self) -> Result<(), ExportError> {
        let source = self.options.source.clone();
        let link = self.new_link(&source);
        let key_url = link.url.clone();
        let items = self.queue_links(&[link])?;
        self.page = items.iter().rev().find(|item| item.url == key_url).map(|item| item.id);
        let closed = items
            .into_iter()
            .map(|item| {
                let class = if Some(item.id) == self.page { "ok" } else { "skipped" };
                without_finds(item, class)
            })
            .collect();
        self.commit_items(closed)?;
        Ok(())
    }

    fn note_refused(&mut self, why: String) {
        self.done.refused += 1;
        if self.done.problems.len() < MOST_TOLD {
            self.done.problems.push(why);
        }
    }

    fn take_line(&mut self, claim: DumpLine) -> Result<(), ExportError> {
        let (record, hash) = match claim {
            DumpLine::Record(record, hash) => (*record, hash),
            DumpLine::Unreadable(why) => {
                self.note_refused(why);
                return Ok(());
            }
        };
        self.done.read += 1;
        if let Err(why) = check_record(&record) {
            let id: String = record.id.chars().take(40).collect();
            self.note_refused(format!("{id}: {why}"));
            return Ok(());
        }
        let local = self.store.find_record_head(&record_id(&record.resource.kind, &record.resource.url))?;
        let is_new = local.is_none();
        let Some(found) = judge_claim(record, local.as_ref(), &hash, self.options) else {
            self.done.known += 1;
            return Ok(());
        };
        self.layers += found.resource.datasets.len();
        self.held.push((found, is_new));
        if self.held.len() >= MOST_RECORDS || self.layers >= MOST_LAYERS {
            self.commit_held()?;
        }
        Ok(())
    }

    fn commit_held(&mut self) -> Result<(), ExportError> {
        let held = std::mem::take(&mut self.held);
        self.layers = 0;
        if held.is_empty() {
            return Ok(());
        }
        let urls: Vec<String> = held.iter().map(|(found, _)| found.resource.url.clone()).collect();
        let links: Vec<NewLink> = urls.iter().map(|url| self.new_link(url)).collect();
        // Items are matched by URL: finds with the same URL use them in turn.
        let mut by_url: BTreeMap<String, Vec<FrontierEntry>> = BTreeMap::new();
        for item in self.queue_links(&links)? {
            by_url.entry(item.url.clone()).or_default().push(item);
        }
        let mut done = Vec::new();
        let mut lost = 0;
        for (found, is_new) in held {
            let Some(item) = by_url.get_mut(&found.resource.url).and_then(Vec::pop) else {
                lost += 1;
                continue;
            };
            if is_new {
                self.done.new += 1;
            } else {
                self.done.updated += 1;
            }
            let found = vec![found];
            done.push(FinishedItem { found, ..without_finds(item, "ok") });
        }
        done.extend(by_url.into_values().flatten().map(|item| without_finds(item, "skipped")));
        self.commit_items(done)?;
        if lost > 0 {
            self.note_refused(format!("{lost} records could not be queued"));
        }
        Ok(())
    }
}

fn without_finds(item: FrontierEntry, class: &str) -> FinishedItem {
    let outcome = PageOutcome { class: class.to_owned(), ..PageOutcome::default() };
    FinishedItem::new(item, outcome)
}

/// Checks whether an imported record is valid here.
fn check_record(record: &Record) -> Result<(), &'static str> {
    let resource = &record.resource;
    let kind = &resource.kind;
    if kind.is_empty() || kind.len() > 40 || !kind.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err("invalid kind");
    }
    if resource.url.len() > LONGEST_URL {
        return Err("the URL is too long");
    }
    match Url::parse(&resource.url) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(()),
        _ => Err("the URL is not an http or https address"),
    }
}

/// Returns when the source last saw the record working, or at least saw it.
fn last_seen_at(record: &Record) -> Timestamp {
    record.last_ok.unwrap_or(record.last_seen)
}

/// Converts a claim to a find. Returns `None` if the local record is at least as good.
fn judge_claim(
    record: Record,
    local: Option<&Record>,
    hash: &str,
    options: &ImportOptions,
) -> Option<FoundResource> {
    let claimed_at = last_seen_at(&record);
    let believable = claimed_at <= options.now.saturating_add(CLOCK_SKEW).unwrap_or(Timestamp::MAX);
    let (mut status, mut reason) = claimed_status(&record, options);
    if let Some(local) = local {
        let own = local.checked.is_some() || local.provenance.iter().any(|one| one.way != WAY);
        if own {
            // A file is identified by its content, which a claim does not contain.
            let is_file = is_static(&record.resource.kind);
            if is_file || !believable || claimed_at <= last_seen_at(local) || !has_description(record.status)
            {
                return None;
            }
            // The local status is more reliable.
            (status, reason) = (local.status, local.reason.clone());
        }
    }
    let mut resource = record.resource;
    resource.bbox = resource.bbox.filter(is_box);
    for layer in &mut resource.datasets {
        layer.bbox = layer.bbox.filter(is_box);
    }
    resource.dataset_count = resource.dataset_count.max(resource.datasets.len() as u64);
    let evidence = Evidence {
        // Services are identified by their datasets, whoever read them; files by their bytes, which
        // were not read here.
        request: if is_static(&resource.kind) {
            resource.url.clone()
        } else {
            format!("{WAY}:{}#{}", options.source, record.id)
        },
        at: claimed_at,
        hash: hash.to_owned(),
        rule: format!("{WAY}: {}", options.source),
        ..Evidence::default()
    };
    let ip = record.host.ip.filter(|ip| ip.parse::<std::net::IpAddr>().is_ok());
    Some(FoundResource { resource, status, reason, evidence, ip, themes: record.themes })
}

fn has_description(status: Status) -> bool {
    matches!(status, Status::Alive | Status::Degraded | Status::Unchecked)
}

/// Returns status and reason of a record that only the source has seen.
fn claimed_status(record: &Record, options: &ImportOptions) -> (Status, String) {
    let status = if has_description(record.status) { Status::Unchecked } else { record.status };
    let day = last_seen_at(record).strftime("%Y-%m-%d");
    let reason: String = record.reason.chars().take(300).collect();
    let because = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
    let word = record.status.as_str();
    (status, format!("{} reported it as {word} on {day}{because}; not checked here yet", options.source))
}

fn is_box(b: &Bbox) -> bool {
    let within = |number: f64, most: f64| (-most..=most).contains(&number);
    within(b.west, 180.0)
        && within(b.east, 180.0)
        && within(b.south, 90.0)
        && within(b.north, 90.0)
        && b.south <= b.north
}

#[cfg(test)]
mod tests;
