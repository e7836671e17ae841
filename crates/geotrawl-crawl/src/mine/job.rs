//! A mining task: lists what archives contain, or adds it as seeds to a crawl that verifies it.
//! Archives that were read completely are not read again by the same task.

use super::run::{ArchiveMiner, MineOptions, MiningEvent};
use super::scan::ArchiveCandidate;
use super::source::WebArchive;
use crate::apps::ScriptAnalyzer;
use crate::registry::Registry;
use crate::scope;
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_kinds::urls::record_id;
use geotrawl_model::store::{CrawlStore, MiningStore};
use geotrawl_model::web_archive::{ArchiveId, ArchiveTotals, append_archived_page};
use geotrawl_model::{Host, Provenance, Record, Resource, RunId, Status, StoreError};
use geotrawl_rank::FrontierRanking;
use jiff::Timestamp;
use jiff::civil::DateTime;
use std::sync::atomic::AtomicBool;
use tokio::runtime::Handle;
use url::Url;

/// Most words kept of a link's text.
const MOST_WORDS: usize = 300;

/// Receives the progress of a mining task.
pub trait MiningObserver {
    /// Part of an archive could not be read.
    fn on_problem(&mut self, archive: &ArchiveId, what: &str);
    /// An archive was read completely.
    fn on_finished(&mut self, archive: &ArchiveId, totals: &ArchiveTotals);
    /// An archive could not be read completely.
    fn on_failed(&mut self, archive: &ArchiveId, why: &str);
    /// A record was listed for the first time.
    fn on_listed(&mut self, record: &Record);
}

/// Why a task ended early.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stores candidates and returns how many were new.
type CandidateSink<'t> =
    dyn FnMut(Vec<ArchiveCandidate>, &mut dyn MiningObserver) -> Result<u64, StoreError> + 't;

/// The result of a mining task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MiningSummary {
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Number of archives that were read, and of those that failed.
    pub read: u64,
    pub failed: u64,
    pub totals: ArchiveTotals,
    /// Number of services and files that were new to the task.
    pub new: u64,
}

/// A mining task.
pub struct MiningTask {
    pub task: String,
    pub archives: Vec<WebArchive>,
    pub options: MineOptions,
    /// Kinds to keep; empty means all.
    pub kinds: Vec<String>,
    pub students: ScriptAnalyzer,
    pub runtime: Handle,
    pub registry: Registry,
    /// The crawler's name for `X-Robots-Tag`.
    pub token: String,
}

impl MiningTask {
    /// Removes the archives that the task has already read, and returns their number.
    pub fn remove_mined(&mut self, store: &dyn MiningStore) -> Result<usize, MineError> {
        let before = self.archives.len();
        let mut left = Vec::new();
        for archive in self.archives.drain(..) {
            if !store.is_mined(&self.task, &archive.id)? {
                left.push(archive);
            }
        }
        self.archives = left;
        Ok(before - self.archives.len())
    }

    /// Lists what the archives contain, each item once.
    pub fn list_candidates(
        &self,
        store: &dyn MiningStore,
        stop: &AtomicBool,
        follower: &mut dyn MiningObserver,
    ) -> Result<MiningSummary, MineError> {
        self.run(store, stop, follower, &mut |candidates, follower| {
            let keys: Vec<[u8; 16]> = candidates.iter().map(|one| one.request_key().to_be_bytes()).collect();
            let new = store.mark_listed(&self.task, &keys)?;
            let mut listed = 0;
            for (candidate, _) in candidates.into_iter().zip(new).filter(|(_, new)| *new) {
                if let Some(record) = record_of(candidate, &self.task, &self.registry) {
                    follower.on_listed(&record);
                    listed += 1;
                }
            }
            Ok(listed)
        })
    }

    /// Adds what the archives contain as seeds to a run, which then verifies them.
    pub fn seed_run<S: CrawlStore + MiningStore>(
        &self,
        store: &S,
        run: RunId,
        ordering: &dyn FrontierRanking,
        stop: &AtomicBool,
        follower: &mut dyn MiningObserver,
    ) -> Result<MiningSummary, MineError> {
        self.run(store, stop, follower, &mut |candidates, _| {
            let links: Vec<_> = candidates
                .iter()
                .map(|candidate| scope::seed_link(ordering, &seed_of(candidate), 1))
                .collect();
            Ok(store.add_links(run, &links)?.new)
        })
    }

    fn run(
        &self,
        store: &dyn MiningStore,
        stop: &AtomicBool,
        follower: &mut dyn MiningObserver,
        take: &mut CandidateSink<'_>,
    ) -> Result<MiningSummary, MineError> {
        let miner = ArchiveMiner {
            archives: &self.archives,
            options: self.options,
            students: self.students.clone(),
            runtime: self.runtime.clone(),
            token: self.token.clone(),
        };
        let mut summary = MiningSummary::default();
        let id = |at: usize| self.archives.get(at).map(|archive| &archive.id);
        summary.interrupted = miner.run(stop, &mut |news| -> Result<(), StoreError> {
            match news {
                MiningEvent::Shown(mut candidates) => {
                    candidates.retain(|candidate| self.wants(candidate));
                    if !candidates.is_empty() {
                        summary.new += take(candidates, follower)?;
                    }
                }
                MiningEvent::Problem(at, what) => {
                    if let Some(id) = id(at) {
                        follower.on_problem(id, &what);
                    }
                }
                MiningEvent::Failed(at, why) => {
                    summary.failed += 1;
                    if let Some(id) = id(at) {
                        follower.on_failed(id, &why);
                    }
                }
                MiningEvent::Finished(at, totals) => {
                    if let Some(id) = id(at) {
                        store.mark_mined(&self.task, id, &totals, Timestamp::now())?;
                        follower.on_finished(id, &totals);
                    }
                    summary.read += 1;
                    let all = &mut summary.totals;
                    all.records += totals.records;
                    all.bytes += totals.bytes;
                    all.shown += totals.shown;
                    all.damaged += totals.damaged;
                }
            }
            Ok(())
        })?;
        Ok(summary)
    }

    fn wants(&self, candidate: &ArchiveCandidate) -> bool {
        // A candidate of unknown kind may turn out to be of any kind.
        self.kinds.is_empty()
            || candidate.kind().is_none_or(|kind| self.kinds.iter().any(|wanted| wanted == kind))
    }
}

/// Returns the request that verifies a candidate. Its words tell where it was found.
fn seed_of(candidate: &ArchiveCandidate) -> CrawlTarget {
    let ArchiveCandidate { target, page, .. } = candidate;
    let words = target.words.get(..target.words.floor_char_boundary(MOST_WORDS)).unwrap_or_default();
    CrawlTarget { words: append_archived_page(words, page), ..target.clone() }
}

/// Converts a candidate to an unchecked record; `None` if it only leads to something else.
fn record_of(candidate: ArchiveCandidate, task: &str, registry: &Registry) -> Option<Record> {
    let kind = candidate.kind()?.to_owned();
    let ArchiveCandidate { target, page, captured, found, .. } = candidate;
    let way = if found.is_some() { "archive".to_owned() } else { target.way.to_string() };
    let (resource, reason) = if let Some(found) = found {
        (found.resource, format!("Not checked; recognised in an archive: {}", found.evidence.rule))
    } else {
        let title = Some(target.words.trim().to_owned()).filter(|words| !words.is_empty());
        let resource = Resource { kind, url: target.url.to_string(), title, ..Resource::default() };
        (resource, "Not checked; linked in an archive".to_owned())
    };
    let host = Url::parse(&resource.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let seen = moment(&captured).unwrap_or_else(Timestamp::now);
    Some(Record {
        id: record_id(&resource.kind, &resource.url),
        themes: if resource.datasets.is_empty() { Vec::new() } else { registry.label_themes(&resource) },
        status: Status::Unchecked,
        reason,
        host: Host { name: host.unwrap_or_default(), ..Host::default() },
        first_seen: seen,
        last_seen: seen,
        provenance: vec![Provenance { task: task.to_owned(), page, way, depth: 0 }],
        resource,
        ..Record::default()
    })
}

/// Parses a time as archives write it: RFC 3339, or fourteen digits.
fn moment(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse() {
        return Some(at);
    }
    let digits = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    let at = digits.then(|| DateTime::strptime("%Y%m%d%H%M%S", text).ok()).flatten()?;
    at.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|at| at.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_archives_write_them() {
        let expected: Timestamp = "2024-01-02T03:04:05Z".parse().unwrap();
        assert_eq!(moment("2024-01-02T03:04:05Z"), Some(expected));
        assert_eq!(moment("20240102030405"), Some(expected));
        assert_eq!(moment("yesterday"), None);
    }
}
