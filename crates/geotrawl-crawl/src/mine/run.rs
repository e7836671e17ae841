//! Mines archives: reads pieces of files in parallel, and reports results in an order in which they
//! can be stored.
//!
//! Files are processed in groups. All records of a group are read first; then the map applications
//! among its pages are read with the scripts found in this and earlier groups.

use super::lines::LineReader;
use super::members::{ArchiveReadError, FileCompression, find_member};
use super::page::{PageReader, add_finding};
use super::plan::{ArchiveFormat, ArchivePiece, ArchivePlan};
use super::scan::{AddressContext, AddressScanner, ArchiveCandidate};
use super::script_index::{ABSENT, ArchivedScripts, ScriptIndex, reopen_record};
use super::source::WebArchive;
use super::warc::{RecordKind, RecordPosition, WarcRecordHead, WarcRecordReader};
use super::{scan, wat};
use crate::apps::{AppReader, PieceSource as Pieces, ScriptAnalyzer};
use crossbeam_channel::{Sender, bounded};
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_model::Intent;
use geotrawl_model::web_archive::ArchiveTotals;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::runtime::Handle;

/// Files that are read before their map applications are.
const GROUP: usize = 64;
/// Candidates reported at a time.
const HANDFUL: usize = 256;
/// Most map applications remembered per group; further ones are read without their scripts.
const MOST_APPS: usize = 500_000;
/// Most damaged places reported per file.
const MOST_PROBLEMS: u64 = 20;

/// Options of mining.
#[derive(Debug, Clone, Copy)]
pub struct MineOptions {
    /// Number of threads; 0 means one per core.
    pub threads: usize,
    /// Use only the addresses, not the archived responses.
    pub addresses_only: bool,
    /// Read the scripts of map applications.
    pub scripts: bool,
    /// Report applications whose scripts are not archived as pages to be fetched.
    pub missing_scripts: bool,
}

impl Default for MineOptions {
    fn default() -> Self {
        Self { threads: 0, addresses_only: false, scripts: true, missing_scripts: false }
    }
}

/// Progress of mining.
#[derive(Debug)]
pub enum MiningEvent {
    /// Candidates found in some archive.
    Shown(Vec<ArchiveCandidate>),
    /// A part that could not be read, with the index of its archive.
    Problem(usize, String),
    /// An archive was read completely, and all of its candidates have been reported.
    Finished(usize, ArchiveTotals),
    /// An archive could not be read completely.
    Failed(usize, String),
}

/// Reads archives and reports candidates.
pub struct ArchiveMiner<'a> {
    pub archives: &'a [WebArchive],
    pub options: MineOptions,
    pub students: ScriptAnalyzer,
    pub runtime: Handle,
    /// The crawler's name for `X-Robots-Tag`.
    pub token: String,
}

/// Progress of one archive of the group.
#[derive(Default)]
struct ArchiveProgress {
    totals: ArchiveTotals,
    failure: Option<String>,
}

/// State shared by the threads.
struct GroupState<'a> {
    miner: &'a ArchiveMiner<'a>,
    planned: &'a [Option<ArchivePlan>],
    first: usize,
    progress: Vec<Mutex<ArchiveProgress>>,
    apps: Mutex<Vec<(usize, RecordPosition)>>,
    shelf: &'a ScriptIndex,
    packings: &'a [FileCompression],
    stop: &'a AtomicBool,
    news: Sender<MiningEvent>,
}

impl ArchiveMiner<'_> {
    /// Reads all archives. Returns `true` if stopped early. Ends with the first error of `tell`.
    pub fn run<E>(
        &self,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(MiningEvent) -> Result<(), E>,
    ) -> Result<bool, E> {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let threads = if self.options.threads == 0 { cores } else { self.options.threads };
        let shelf = ScriptIndex::default();
        let mut packings = Vec::new();
        for first in (0..self.archives.len()).step_by(GROUP) {
            let group = self.archives.get(first..self.archives.len().min(first + GROUP)).unwrap_or_default();
            let mut planned = Vec::new();
            for (at, archive) in group.iter().enumerate() {
                let plan = ArchivePlan::for_archive(archive);
                packings.push(plan.as_ref().map_or(FileCompression::Plain, |plan| plan.packing));
                planned.push(match plan {
                    Ok(plan) => Some(plan),
                    Err(error) => {
                        tell(MiningEvent::Failed(first + at, error.to_string()))?;
                        None
                    }
                });
            }
            self.group(first, &planned, &packings, &shelf, threads, stop, tell)?;
            if stop.load(Ordering::Acquire) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one group of files")]
    fn group<E>(
        &self,
        first: usize,
        planned: &[Option<ArchivePlan>],
        packings: &[FileCompression],
        shelf: &ScriptIndex,
        threads: usize,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(MiningEvent) -> Result<(), E>,
    ) -> Result<(), E> {
        let (news, told) = bounded(64);
        let shared = GroupState {
            miner: self,
            planned,
            first,
            progress: planned.iter().map(|_| Mutex::default()).collect(),
            apps: Mutex::default(),
            shelf,
            packings,
            stop,
            news,
        };
        let units = units(self.archives, first, planned, threads);
        std::thread::scope(|scope| {
            let reading = scope.spawn(|| {
                let shared = shared;
                side_by_side(threads, &units, |unit| {
                    let mut scanner = AddressScanner::default();
                    for (archive, piece) in unit {
                        shared.read(*archive, *piece, &mut scanner);
                    }
                });
                let apps = std::mem::take(&mut *shared.apps.lock().unwrap_or_else(PoisonError::into_inner));
                let reader = AppReader::new(self.students.clone());
                side_by_side(threads, &apps, |(archive, place)| shared.read_app(*archive, *place, &reader));
                shared.finish();
            });
            let mut outcome = Ok(());
            for news in &told {
                if outcome.is_ok() {
                    outcome = tell(news);
                    if outcome.is_err() {
                        // The threads stop soon; drop what they still report.
                        stop.store(true, Ordering::Release);
                    }
                }
            }
            if reading.join().is_err() && outcome.is_ok() {
                let why = "reading it failed because of a bug in geotrawl; please report it";
                outcome = tell(MiningEvent::Failed(first, why.to_owned()));
            }
            outcome
        })
    }
}

/// Groups pieces into units for one thread each: a piece of a
/// local file, or all pieces on one server.
fn units(
    archives: &[WebArchive],
    first: usize,
    planned: &[Option<ArchivePlan>],
    threads: usize,
) -> Vec<Vec<(usize, ArchivePiece)>> {
    let mut units: Vec<Vec<(usize, ArchivePiece)>> = Vec::new();
    let mut servers: Vec<(String, usize)> = Vec::new();
    for (at, plan) in planned.iter().enumerate() {
        let (Some(plan), Some(archive)) = (plan, archives.get(first + at)) else { continue };
        let pieces = plan.split_pieces(archive, threads).into_iter().map(|piece| (at, piece));
        if archive.source.is_local() {
            units.extend(pieces.map(|piece| vec![piece]));
            continue;
        }
        // All pieces on one server form one unit, because a server gets only one request at a time.
        let host = archive.id.name.split('/').nth(2).unwrap_or_default().to_owned();
        let unit = servers.iter().find(|(known, _)| *known == host).map(|(_, unit)| *unit);
        if let Some(unit) = unit.and_then(|unit| units.get_mut(unit)) {
            unit.extend(pieces);
        } else {
            servers.push((host, units.len()));
            units.push(pieces.collect());
        }
    }
    units
}

/// Processes each item once, with `threads` threads.
fn side_by_side<T: Sync>(threads: usize, work: &[T], each: impl Fn(&T) + Sync) {
    // Idle threads take the next item, so that one large item does not delay the others.
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(work.len()) {
            scope.spawn(|| {
                while let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    each(one);
                }
            });
        }
    });
}

impl GroupState<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    fn progress(&self, archive: usize, note: impl FnOnce(&mut ArchiveProgress)) {
        if let Some(progress) = self.progress.get(archive) {
            note(&mut progress.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn problem(&self, archive: usize, what: String) {
        let mut number = 0;
        self.progress(archive, |progress| {
            progress.totals.damaged += 1;
            number = progress.totals.damaged;
        });
        // All problems are counted, but only the first ones are reported.
        if number <= MOST_PROBLEMS {
            let _ = self.news.send(MiningEvent::Problem(self.first + archive, what));
        }
    }

    /// Reports the candidates found so far.
    fn flush(&self, scanner: &mut AddressScanner) {
        if !scanner.shown.is_empty() {
            let _ = self.news.send(MiningEvent::Shown(std::mem::take(&mut scanner.shown)));
        }
    }

    /// Reads one piece of an archive.
    fn read(&self, archive: usize, piece: ArchivePiece, scanner: &mut AddressScanner) {
        let (Some(Some(plan)), Some(of)) =
            (self.planned.get(archive), self.miner.archives.get(self.first + archive))
        else {
            return;
        };
        if self.stopped() {
            return;
        }
        let before = scanner.count;
        let read = match &plan.format {
            ArchiveFormat::Records => self.records(archive, of, plan.packing, piece, scanner),
            ArchiveFormat::Lines => self.lines(archive, of, plan.packing, piece, scanner),
            ArchiveFormat::Columns(columns) => {
                let mut go_on = |scanner: &mut AddressScanner| {
                    self.flush(scanner);
                    !self.stopped()
                };
                columns.scan_group(piece.from as usize, scanner, &mut go_on)
            }
        };
        self.flush(scanner);
        self.progress(archive, |progress| {
            progress.totals.shown += scanner.count - before;
            match read {
                Ok((records, bytes)) => {
                    progress.totals.records += records;
                    progress.totals.bytes += bytes;
                }
                Err(error) => progress.failure = Some(error.to_string()),
            }
        });
    }

    fn records(
        &self,
        archive: usize,
        of: &WebArchive,
        packing: FileCompression,
        piece: ArchivePiece,
        scanner: &mut AddressScanner,
    ) -> io::Result<(u64, u64)> {
        // Pieces are cut at arbitrary offsets: continue at the next member that starts a record.
        let from = match piece.from {
            0 => 0,
            from => match find_member(&of.source, from, piece.to)? {
                Some(from) => from,
                None => return Ok((0, 0)),
            },
        };
        let mut records = WarcRecordReader::open(&of.source, packing, from, piece.to)?;
        let reader = self.page_reader();
        let mut tell = |what: String| self.problem(archive, what);
        let mut count = 0;
        while !self.stopped() {
            let Some(record) = records.next_record(&mut tell)? else { break };
            count += 1;
            match self.record(archive, &record, &mut records, &reader, scanner) {
                Ok(()) => {}
                Err(ArchiveReadError::Io(error)) => return Err(error),
                Err(ArchiveReadError::Damaged(what)) => {
                    if !records.skip_damage(&what, &mut tell)? {
                        break;
                    }
                }
            }
            records.shrink_buffer();
            if scanner.shown.len() >= HANDFUL {
                self.flush(scanner);
            }
        }
        Ok((count, records.bytes_read()))
    }

    fn page_reader(&self) -> PageReader {
        PageReader { token: self.miner.token.clone(), apps: self.miner.options.scripts }
    }

    /// Processes one record.
    fn record(
        &self,
        archive: usize,
        record: &WarcRecordHead,
        records: &mut WarcRecordReader,
        reader: &PageReader,
        scanner: &mut AddressScanner,
    ) -> Result<(), ArchiveReadError> {
        match record.kind {
            RecordKind::Response | RecordKind::Resource if self.miner.options.addresses_only => {
                scanner.scan_own_address(&record.uri, &record.date);
            }
            RecordKind::Response | RecordKind::Resource => {
                let seen = reader.read_record(record, records, scanner)?;
                if let Some(problem) = seen.problem {
                    self.problem(archive, problem);
                }
                let Some(url) = seen.url else { return Ok(()) };
                if seen.piece {
                    self.shelf.insert(&url, self.first + archive, record.place);
                }
                if let Some(app) = seen.app {
                    let mut apps = self.apps.lock().unwrap_or_else(PoisonError::into_inner);
                    if apps.len() < MOST_APPS {
                        apps.push((archive, record.place));
                    } else {
                        drop(apps);
                        let (finding, head) = *app;
                        add_finding(&url, &head, finding, &record.date, scanner);
                    }
                }
            }
            RecordKind::Conversion => wat::scan_text(record, records.read_block()?, scanner),
            RecordKind::Metadata if record.content_type.contains("json") => {
                if records.is_large() {
                    self.problem(
                        archive,
                        format!("only the first links of {} were read because it has too many", record.uri),
                    );
                }
                wat::scan_metadata(record, records.read_block()?, scanner);
            }
            RecordKind::Metadata => outlinks(record, records.read_block()?, scanner),
            RecordKind::Other => {}
        }
        Ok(())
    }

    fn lines(
        &self,
        archive: usize,
        of: &WebArchive,
        packing: FileCompression,
        piece: ArchivePiece,
        scanner: &mut AddressScanner,
    ) -> io::Result<(u64, u64)> {
        let mut lines = LineReader::open(&of.source, packing, piece.from, piece.to)?;
        let mut count = 0;
        while !self.stopped() {
            match lines.scan_lines(4_096, scanner, &mut |what| self.problem(archive, what))? {
                0 => break,
                taken => count += taken,
            }
            self.flush(scanner);
        }
        Ok((count, lines.bytes_read()))
    }

    /// Reads a map application with the archived scripts.
    fn read_app(&self, archive: usize, place: RecordPosition, apps: &AppReader) {
        let number = self.first + archive;
        let (Some(of), Some(packing)) = (self.miner.archives.get(number), self.packings.get(number)) else {
            return;
        };
        if self.stopped() {
            return;
        }
        let mut scanner = AddressScanner::default();
        let Some((mut records, record)) = reopen_record(of, *packing, place) else { return };
        let Ok(seen) = self.page_reader().read_record(&record, &mut records, &mut scanner) else { return };
        let (Some(app), Some(url)) = (seen.app, seen.url) else { return };
        let (mut finding, head) = *app;
        let Some(draft) = finding.app.take() else { return };
        let pieces =
            ArchivedScripts { shelf: self.shelf, archives: self.miner.archives, packings: self.packings };
        let read = self.miner.runtime.block_on(apps.read_app(*draft, Pieces::Archive(&pieces)));
        let absent = read.facts.issues.iter().any(|issue| issue.ends_with(ABSENT));
        read.merge_into(&mut finding);
        let shows_nothing = !finding.targets.iter().any(|target| target.intent.is_probe());
        add_finding(&url, &head, finding, &record.date, &mut scanner);
        if self.miner.options.missing_scripts && absent && shows_nothing {
            scanner.add_candidate(ArchiveCandidate {
                target: CrawlTarget::new(url.clone(), Intent::Page, "archive"),
                page: url.into(),
                captured: record.date,
                found: None,
                kind: None,
            });
        }
        self.progress(archive, |progress| progress.totals.shown += scanner.count);
        self.flush(&mut scanner);
    }

    /// Reports which archives were read completely.
    fn finish(&self) {
        for (at, progress) in self.progress.iter().enumerate() {
            if self.planned.get(at).is_none_or(Option::is_none) {
                continue;
            }
            let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            let news = match &progress.failure {
                Some(why) => MiningEvent::Failed(self.first + at, why.clone()),
                // An interrupted archive is neither finished nor failed, so it is read again.
                None if self.stopped() => continue,
                None => MiningEvent::Finished(self.first + at, progress.totals),
            };
            let _ = self.news.send(news);
        }
    }
}

/// Scans the links that an archiving crawler recorded: `outlink: http://... L a/@href`.
fn outlinks(record: &WarcRecordHead, block: &[u8], scanner: &mut AddressScanner) {
    let text = String::from_utf8_lossy(block);
    let mut base = scan::BaseUrl::new(&record.uri);
    for line in text.lines() {
        if let Some(url) = line.strip_prefix("outlink:").and_then(|rest| rest.split_whitespace().next()) {
            scanner.scan_address(url, AddressContext::Exact, &mut base, &record.date, || {
                ("archive".into(), String::new())
            });
        }
    }
}
