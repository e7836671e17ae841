//! `mine`: finds services and files in web archives.

use super::CommandInput;
use super::crawl;
use crate::cli::{GlobalArgs, MineArgs};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::interrupt;
use crate::output::{self, format_count, format_thousands, sanitize_line};
use crate::progress::{CrawlProgress, ProgressFormat};
use crate::stores::OpenStore;
use anyhow::{Context, Result};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_crawl::focus;
use geotrawl_crawl::mine::{MineError, MineOptions, MiningObserver, MiningSummary, MiningTask, WebArchive};
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlError, CrawlRun, CrawlSpec, CrawlStopper, CrawlSummary};
use geotrawl_crawl::resources::SharedResources;
use geotrawl_model::web_archive::{ArchiveId, ArchiveTotals};
use geotrawl_model::{Record, TaskSpec};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Mines archives; prints what is listed or found.
pub fn run(global: &GlobalArgs, args: &MineArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let options = CrawlOptions {
        depth: 0,
        scripts: config.crawl.scripts && !args.no_scripts,
        kinds: args.kinds.clone(),
        ..config.crawl.clone()
    };
    let task = args.task.clone().unwrap_or_else(|| default_name(args, &options));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (archives, mut failed) = open(args, &config.fetch, &runtime)?;
    let store = crate::stores::open(global)?;
    if args.again {
        store.forget_mined(&task)?;
    }
    let mut mine = MiningTask {
        task: task.clone(),
        archives,
        options: MineOptions {
            threads: args.threads,
            addresses_only: args.addresses_only,
            scripts: options.scripts,
            missing_scripts: !args.offline,
        },
        kinds: args.kinds.clone(),
        students: super::students(),
        runtime: runtime.handle().clone(),
        registry: config.registry()?,
        token: config.fetch.robots_token().to_owned(),
    };
    let known = mine.remove_mined(&*store)?;
    if known > 0 && !global.quiet {
        let archives = format_count(known as u64, "archive", "archives");
        output::print_message(&format!(
            "Skipped {archives} that task '{task}' has read before (--again to read them again)."
        ));
    }
    let stopping = MineStopper::default();
    stopping.on_signal();
    let mut teller =
        MineProgress { json: global.json, quiet: global.quiet, failed: 0, started: Instant::now() };
    if args.offline {
        let summary = mine.list_candidates(&*store, &stopping.flag, &mut teller).map_err(infrastructure)?;
        failed += teller.failed;
        return Ok(conclude(global, &summary, &teller, failed, &task, "listed"));
    }
    let spec = TaskSpec {
        name: task.clone(),
        seeds: mine.archives.iter().map(|archive| archive.id.name.clone()).collect(),
        options: serde_json::to_value(&options)?,
    };
    let run = store.open_task(&spec, jiff::Timestamp::now())?.run;
    let (ordering, _) = focus::load_ranking(&*store, &options, None)?;
    let (flag, ordering) = (&stopping.flag, &*ordering);
    // `seed` is generic over the store, so it needs the concrete type.
    let summary = match &store {
        OpenStore::Embedded(store) => mine.seed_run(&**store, run, ordering, flag, &mut teller),
        OpenStore::Postgres(store) => mine.seed_run(&**store, run, ordering, flag, &mut teller),
    }
    .map_err(infrastructure)?;
    failed += teller.failed;
    let exit = conclude(global, &summary, &teller, failed, &task, "to verify");
    if summary.interrupted {
        return Ok(exit);
    }
    let proven = prove(global, &store, &task, options, &config, &stopping)?;
    Ok(if proven == ExitStatus::Done { exit } else { proven })
}

/// Verifies what was found, like any crawl.
fn prove(
    global: &GlobalArgs,
    store: &OpenStore,
    task: &str,
    options: CrawlOptions,
    config: &Config,
    stopping: &MineStopper,
) -> Result<ExitStatus> {
    let show = if global.json { ProgressFormat::Json } else { ProgressFormat::Text };
    let progress = Arc::new(CrawlProgress::new(show, global.quiet));
    let resources = SharedResources::start(&config.fetch, config.resource_options()?)?;
    let spec = CrawlSpec { name: task.to_owned(), options, ..CrawlSpec::default() };
    let crawl = CrawlRun::builder(store.to_shared(), &resources, spec)
        .with_observer(progress.clone())
        .with_analyzer(super::students());
    let outcome = crawl.start().and_then(|crawl| {
        stopping.hand_to(crawl.stopper(), &progress);
        crawl.wait()
    });
    progress.finish();
    // The archives have just seeded the run, so that it always counts as resumed.
    let summary = CrawlSummary { resumed: false, ..outcome? };
    if summary.interrupted {
        return Ok(crawl::report_outcome(global, &progress, &summary, task));
    }
    // Resources in archives are often gone by now, so failures are neither listed nor reported as
    // such.
    if !global.quiet {
        output::print_message(&progress.summarize(&summary, task));
    }
    Ok(ExitStatus::Done)
}

/// Opens the archives; reports and counts those that cannot be opened.
fn open(
    args: &MineArgs,
    fetch: &FetchConfig,
    runtime: &tokio::runtime::Runtime,
) -> Result<(Vec<WebArchive>, u64)> {
    let mut client = None;
    let (mut archives, mut failed) = (Vec::new(), 0);
    for text in &args.archives {
        let opened = match super::input(text, None)? {
            CommandInput::File(..) => {
                WebArchive::open_file(Path::new(text)).with_context(|| format!("cannot read {text}"))
            }
            // An archive's file name looks like a host name. Without a scheme, a file is meant.
            CommandInput::Web(_) if !text.contains("://") => Err(anyhow::anyhow!(
                "file {text} not found; the address of an archive on the web starts with https:// or http://"
            )),
            CommandInput::Web(url) => {
                if client.is_none() {
                    client = Some(runtime.block_on(async { GuardedClient::new(fetch.clone()) })?);
                }
                let Some(client) = &client else { continue };
                WebArchive::open_url(&url, client, runtime.handle())
                    .with_context(|| format!("cannot read {text}"))
            }
        };
        match opened {
            Ok(archive) => archives.push(archive),
            Err(error) => {
                output::print_error(&error);
                failed += 1;
            }
        }
    }
    Ok((archives, failed))
}

fn infrastructure(error: MineError) -> anyhow::Error {
    match error {
        MineError::Store(error) => CrawlError::Store(error).into(),
    }
}

fn conclude(
    global: &GlobalArgs,
    summary: &MiningSummary,
    teller: &MineProgress,
    failed: u64,
    task: &str,
    what: &str,
) -> ExitStatus {
    let totals = &summary.totals;
    if !global.quiet && summary.read > 0 {
        let seconds = teller.started.elapsed().as_secs_f64();
        output::print_message(&format!(
            "Read {} of {} ({} MB before compression) in {seconds:.1} s; {} {what}.",
            format_count(totals.records, "record", "records"),
            format_count(summary.read, "archive", "archives"),
            format_thousands(totals.bytes / 1_000_000),
            format_count(summary.new, "service or file", "services and files"),
        ));
    }
    if summary.interrupted {
        output::print_message(&format!(
            "Stopped. Archives that were read completely are not read again: run the same command to resume (task '{task}')."
        ));
        return ExitStatus::Interrupted;
    }
    if failed > 0 { ExitStatus::Failures } else { ExitStatus::Done }
}

fn default_name(args: &MineArgs, options: &CrawlOptions) -> String {
    let mut named = args.archives.clone();
    named.extend([args.offline, args.addresses_only].map(|flag| flag.to_string()));
    let name = crawl::default_task_name(&named, options);
    let file = args.archives.first().map(|text| text.rsplit('/').next().unwrap_or(text)).unwrap_or_default();
    let digest = name.rsplit('-').next().unwrap_or_default();
    format!("mine-{file}-{digest}")
}

/// A crawl with its progress display.
type RunningCrawl = (CrawlStopper, Arc<CrawlProgress>);

/// Stops cleanly on the first signal and immediately on the second.
#[derive(Default, Clone)]
struct MineStopper {
    flag: Arc<AtomicBool>,
    crawl: Arc<Mutex<Option<RunningCrawl>>>,
}

impl MineStopper {
    fn on_signal(&self) {
        let own = self.clone();
        let installed = interrupt::on_first_interrupt(move || {
            own.flag.store(true, Ordering::Release);
            match &*own.crawl.lock().unwrap_or_else(PoisonError::into_inner) {
                Some((stopper, progress)) => {
                    stopper.stop();
                    progress.announce_stop();
                }
                None => interrupt::announce_stop("finishing what is being read. Nothing is lost."),
            }
        });
        if let Err(error) = installed {
            tracing::warn!("cannot install the Ctrl-C handler: {error}");
        }
    }

    fn hand_to(&self, stopper: CrawlStopper, progress: &Arc<CrawlProgress>) {
        let mut crawl = self.crawl.lock().unwrap_or_else(PoisonError::into_inner);
        // The signal may have arrived before the crawl started.
        if self.flag.load(Ordering::Acquire) {
            stopper.stop();
        }
        *crawl = Some((stopper, Arc::clone(progress)));
    }
}

/// Reports progress: records on stdout, everything else on stderr.
struct MineProgress {
    json: bool,
    quiet: bool,
    failed: u64,
    started: Instant,
}

impl MiningObserver for MineProgress {
    fn on_problem(&mut self, archive: &ArchiveId, what: &str) {
        output::print_message(&format!("geotrawl: {}: {}", archive.name, sanitize_line(what, 300)));
    }

    fn on_finished(&mut self, archive: &ArchiveId, totals: &ArchiveTotals) {
        if !self.quiet {
            let records = format_count(totals.records, "record", "records");
            let damaged = match totals.damaged {
                0 => String::new(),
                n => format!("; {} could not be read", format_count(n, "part", "parts")),
            };
            output::print_message(&format!("{}: {records}{damaged}", archive.name));
        }
    }

    fn on_failed(&mut self, archive: &ArchiveId, why: &str) {
        self.failed += 1;
        output::print_message(&format!(
            "geotrawl: cannot read {}: {}",
            archive.name,
            sanitize_line(why, 300)
        ));
    }

    fn on_listed(&mut self, record: &Record) {
        if self.json {
            output::print_json(record);
            return;
        }
        let title = record.resource.title.as_deref().unwrap_or_default();
        let known = if record.resource.dataset_count > 0 { "archived " } else { "" };
        output::print_line(&format!(
            "{known}{:<12} {}  {}",
            record.resource.kind,
            sanitize_line(&record.resource.url, 300),
            sanitize_line(title, 80)
        ));
    }
}
