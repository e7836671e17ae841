//! `mine`: services and files in archives of the web.

use super::Input;
use super::crawl;
use crate::cli::{Global, MineArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::output::{self, count, tame, thousands};
use crate::progress::{self, Progress, Show};
use crate::stores::Opened;
use anyhow::{Context, Result};
use geotrawl_crawl::fetch::{Client, FetchConfig};
use geotrawl_crawl::focus;
use geotrawl_crawl::mine::{Archive, Follower, Mine, MineError, MineOptions, Summary};
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlError, CrawlRun, CrawlSpec, CrawlStopper};
use geotrawl_crawl::resources::SharedResources;
use geotrawl_model::web_archive::{ArchiveId, ArchiveTotals};
use geotrawl_model::{Record, TaskSpec};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Mines; prints what is listed or proven.
pub fn run(global: &Global, args: &MineArgs) -> Result<Exit> {
    let config = Config::load(global)?;
    crawl::known_kinds(&args.kinds)?;
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
    let mut mine = Mine {
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
    let known = mine.leave_out_mined(&*store)?;
    if known > 0 && !global.quiet {
        let archives = count(known as u64, "archive was", "archives were");
        output::remark(&format!(
            "{archives} read before by the task '{task}' (--again reads them once more)."
        ));
    }
    let stopping = Stopping::default();
    stopping.on_signal();
    let mut teller = Teller { json: global.json, quiet: global.quiet, failed: 0, started: Instant::now() };
    if args.offline {
        let summary = mine.list(&*store, &stopping.flag, &mut teller).map_err(infrastructure)?;
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
    let summary = match &store {
        Opened::Embedded(store) => mine.seed(&**store, run, ordering, flag, &mut teller),
        Opened::Postgres(store) => mine.seed(&**store, run, ordering, flag, &mut teller),
    }
    .map_err(infrastructure)?;
    failed += teller.failed;
    let exit = conclude(global, &summary, &teller, failed, &task, "to be proven");
    if summary.interrupted {
        return Ok(exit);
    }
    let proven = prove(global, &store, &task, options, &config, &stopping)?;
    Ok(if proven == Exit::Done { exit } else { proven })
}

/// Proves what was found, as any crawl does.
fn prove(
    global: &Global,
    store: &Opened,
    task: &str,
    options: CrawlOptions,
    config: &Config,
    stopping: &Stopping,
) -> Result<Exit> {
    let show = if global.json { Show::Json } else { Show::Text };
    let progress = Arc::new(Progress::new(show, global.quiet));
    let resources = SharedResources::start(&config.fetch, config.resource_options()?)?;
    let spec = CrawlSpec { name: task.to_owned(), options, ..CrawlSpec::default() };
    let crawl = CrawlRun::builder(store.shared(), &resources, spec)
        .with_observer(progress.clone())
        .with_analyzer(super::students());
    let outcome = crawl.start().and_then(|crawl| {
        stopping.hand_to(crawl.stopper());
        crawl.wait()
    });
    progress.finish();
    let summary = outcome?;
    if summary.interrupted {
        return Ok(crawl::conclude(global, &progress, &summary, task));
    }
    // What archives name and is gone since is no failure, and is not told one by one.
    if !global.quiet {
        let (counters, seconds) = (&summary.counters, progress.elapsed().as_secs_f64());
        output::remark(&progress::summary(counters.pages, counters.hosts, seconds, &progress.kinds()));
    }
    Ok(Exit::Done)
}

/// Opens the archives; those that cannot be are told and counted.
fn open(
    args: &MineArgs,
    fetch: &FetchConfig,
    runtime: &tokio::runtime::Runtime,
) -> Result<(Vec<Archive>, u64)> {
    let mut client = None;
    let (mut archives, mut failed) = (Vec::new(), 0);
    for text in &args.archives {
        let opened = match super::input(text, None)? {
            Input::File(..) => Archive::file(Path::new(text)).with_context(|| format!("cannot read {text}")),
            // The name of an archive looks like that of a host: without a scheme a file is meant.
            Input::Web(_) if !text.contains("://") => Err(anyhow::anyhow!(
                "there is no file {text}; an archive on the web begins with https:// or http://"
            )),
            Input::Web(url) => {
                if client.is_none() {
                    client = Some(runtime.block_on(async { Client::new(fetch.clone()) })?);
                }
                let Some(client) = &client else { continue };
                Archive::web(&url, client, runtime.handle()).with_context(|| format!("cannot read {text}"))
            }
        };
        match opened {
            Ok(archive) => archives.push(archive),
            Err(error) => {
                output::error(&error);
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
    global: &Global,
    summary: &Summary,
    teller: &Teller,
    failed: u64,
    task: &str,
    what: &str,
) -> Exit {
    let totals = &summary.totals;
    if !global.quiet && summary.read > 0 {
        let seconds = teller.started.elapsed().as_secs_f64();
        output::remark(&format!(
            "Read {} of {} ({} MB before compression) in {seconds:.1} s; {} {what}.",
            count(totals.records, "record", "records"),
            count(summary.read, "archive", "archives"),
            thousands(totals.bytes / 1_000_000),
            count(summary.new, "service or file", "services and files"),
        ));
    }
    if summary.interrupted {
        output::remark(&format!(
            "Stopped; archives that were read to their end are not read again. The same command goes on (task '{task}')."
        ));
        return Exit::Interrupted;
    }
    if failed > 0 { Exit::Failures } else { Exit::Done }
}

fn default_name(args: &MineArgs, options: &CrawlOptions) -> String {
    let mut named = args.archives.clone();
    named.extend([args.offline, args.addresses_only].map(|flag| flag.to_string()));
    let name = crawl::default_name(&named, options);
    let file = args.archives.first().map(|text| text.rsplit('/').next().unwrap_or(text)).unwrap_or_default();
    let digest = name.rsplit('-').next().unwrap_or_default();
    format!("mine-{file}-{digest}")
}

/// The first signal stops cleanly, the second at once, whatever is under way.
#[derive(Default, Clone)]
struct Stopping {
    flag: Arc<AtomicBool>,
    crawl: Arc<Mutex<Option<CrawlStopper>>>,
}

impl Stopping {
    fn on_signal(&self) {
        let own = self.clone();
        let installed = ctrlc::set_handler(move || {
            if own.flag.swap(true, Ordering::AcqRel) {
                std::process::exit(Exit::Interrupted as i32);
            }
            output::remark("\nStopping: finishing what is in flight (press again to stop at once) ...");
            if let Some(stopper) = &*own.crawl.lock().unwrap_or_else(PoisonError::into_inner) {
                stopper.stop();
            }
        });
        if let Err(error) = installed {
            tracing::warn!("Ctrl-C cannot be caught: {error}");
        }
    }

    fn hand_to(&self, stopper: CrawlStopper) {
        let mut crawl = self.crawl.lock().unwrap_or_else(PoisonError::into_inner);
        if self.flag.load(Ordering::Acquire) {
            stopper.stop();
        }
        *crawl = Some(stopper);
    }
}

/// Tells what happens: records on stdout, the rest to the person at the terminal.
struct Teller {
    json: bool,
    quiet: bool,
    failed: u64,
    started: Instant,
}

impl Follower for Teller {
    fn problem(&mut self, archive: &ArchiveId, what: &str) {
        output::remark(&format!("geotrawl: {}: {}", archive.name, tame(what, 300)));
    }

    fn finished(&mut self, archive: &ArchiveId, totals: &ArchiveTotals) {
        if !self.quiet {
            let records = count(totals.records, "record", "records");
            let damaged = match totals.damaged {
                0 => String::new(),
                n => format!("; {} could not be read", count(n, "place", "places")),
            };
            output::remark(&format!("{}: {records}{damaged}", archive.name));
        }
    }

    fn failed(&mut self, archive: &ArchiveId, why: &str) {
        self.failed += 1;
        output::remark(&format!("geotrawl: {} could not be read: {}", archive.name, tame(why, 300)));
    }

    fn listed(&mut self, record: &Record) {
        if self.json {
            output::json(record);
            return;
        }
        let title = record.resource.title.as_deref().unwrap_or_default();
        let known = if record.resource.dataset_count > 0 { "archived " } else { "" };
        output::line(&format!(
            "{known}{:<12} {}  {}",
            record.resource.kind,
            tame(&record.resource.url, 300),
            tame(title, 80)
        ));
    }
}
