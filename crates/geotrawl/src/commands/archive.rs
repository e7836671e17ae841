//! `archive`: collections of archived pages.

use crate::cli::{ArchiveCommand, ArchiveNewArgs, GlobalArgs, TimeArg};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::interrupt;
use crate::output::{self, format_count, sanitize_line};
use anyhow::{Context, Result};
use geotrawl_crawl::archive::collection_files::{self, CollectionFiles};
use geotrawl_crawl::archive::{ArchiveError, ArchiveEvent, ArchiveRunner, DocumentReader};
use geotrawl_crawl::fetch::GuardedClient;
use geotrawl_crawl::seeds::search::MetaSearch;
use geotrawl_model::archived_page::{PageVersion, VersionKind};
use geotrawl_model::collection::{ArchiveRun, Collection, CollectionSpec, RunState, validate_acronym};
use geotrawl_model::store::CollectionStore;
use geotrawl_store::collection_rules::check_collection;
use jiff::Timestamp;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of items read at once.
const SLICE: u64 = 1_000;

/// Runs an `archive` subcommand.
pub fn run(global: &GlobalArgs, what: &ArchiveCommand) -> Result<ExitStatus> {
    match what {
        ArchiveCommand::New(args) => new(global, args),
        ArchiveCommand::Run { acronym } => run_now(global, acronym),
        ArchiveCommand::List => list(global),
        ArchiveCommand::Show { acronym, as_of } => show(global, acronym, *as_of),
        ArchiveCommand::Results { acronym, run } => results(global, acronym, *run),
        ArchiveCommand::History { acronym, url } => history(global, acronym, url),
        ArchiveCommand::Rollback { acronym, url, to, note } => rollback(global, acronym, url, *to, note),
        ArchiveCommand::Didl { acronym, run, output } => didl(global, acronym, *run, output.as_deref()),
        ArchiveCommand::Export { acronym, output, as_of } => export(global, acronym, output, *as_of),
        ArchiveCommand::Remove { acronym } => remove(global, acronym),
    }
}

/// Returns the document reader: child processes of this program, or this process if they cannot be
/// started.
pub fn document_reader() -> DocumentReader {
    std::env::current_exe().map_or(DocumentReader::Here, DocumentReader::Process)
}

fn find(store: &dyn CollectionStore, acronym: &str) -> Result<Collection> {
    let found = store.find_collection(acronym)?;
    found.ok_or_else(|| {
        UsageError(format!("unknown collection '{acronym}'; run `geotrawl archive list` to see all")).into()
    })
}

fn new(global: &GlobalArgs, args: &ArchiveNewArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let spec = CollectionSpec {
        title: args.title.clone(),
        description: args.description.clone(),
        queries: args.queries.clone(),
        engines: args.engines.clone(),
        top: args.top,
        pages: args.pages.clone(),
        about: args.about.clone(),
        depth: args.depth,
        scope: args.scope.clone(),
        likeness: args.likeness,
        aboutness: args.aboutness,
        max_pages: args.max_pages,
        schedule: args.schedule.clone(),
        public: !args.private,
        ..CollectionSpec::default()
    };
    validate_acronym(&args.acronym).map_err(UsageError)?;
    let now = Timestamp::now();
    check_collection(&spec, now).map_err(|(member, message)| UsageError(format!("{member}: {message}")))?;
    if let Some(name) = spec.engines.iter().find(|name| !config.engines.contains_key(*name) && *name != "own")
    {
        return Err(UsageError(format!(
            "unknown search engine '{name}'; run `geotrawl seeds engines` to see the configured ones"
        ))
        .into());
    }
    let store = crate::stores::open(global)?;
    let made = store.add_collection(&args.acronym, None, &spec, now)?;
    let made = made.ok_or_else(|| UsageError(format!("collection '{}' already exists", args.acronym)))?;
    if global.json {
        output::print_json(&made);
    } else if !global.quiet {
        output::print_message(&format!(
            "Created. Run `geotrawl archive run {}` to fetch its pages.",
            made.acronym
        ));
    }
    Ok(ExitStatus::Done)
}

fn run_now(global: &GlobalArgs, acronym: &str) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let store = crate::stores::open(global)?;
    let collection = find(&*store, acronym)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let client = runtime.block_on(async { GuardedClient::new(config.fetch.clone()) })?;
    let search = MetaSearch::new(&config.fetch, &config.engines, store.to_shared(), None)
        .map_err(|error| UsageError(error.to_string()))?;
    let archivist = ArchiveRunner {
        store: store.to_shared(),
        client,
        search: Some(search),
        shelf: CollectionFiles::in_data_directory(&global.data),
        documents: document_reader(),
        clock: Arc::new(Timestamp::now),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    interrupt::on_first_interrupt(move || {
        asked.store(true, Ordering::Release);
        interrupt::announce_stop("finishing the current page. Nothing is lost.");
    })?;
    let (json, quiet) = (global.json, global.quiet);
    let ran =
        runtime.block_on(archivist.run_collection(&collection, &stop, &mut |told| tell(json, quiet, told)));
    let ran = ran.map_err(|error| match error {
        ArchiveError::Store(error) => error.into(),
        ArchiveError::Start(message) => UsageError(message).into(),
        other => anyhow::Error::from(other),
    })?;
    conclude(global, &ran);
    Ok(if ran.state == RunState::Running { ExitStatus::Interrupted } else { ExitStatus::Done })
}

fn tell(json: bool, quiet: bool, told: &ArchiveEvent<'_>) {
    let (event, url, more) = match told {
        ArchiveEvent::Ranked(results) => {
            if json {
                output::print_json(&json!({ "event": "ranked", "results": results }));
            } else if !quiet {
                output::print_message(&format_count(*results as u64, "result ranked.", "results ranked."));
            }
            return;
        }
        ArchiveEvent::Visited { url, kind } => (kind.as_str(), *url, ""),
        ArchiveEvent::Rejected { url, reason } => ("rejected", *url, *reason),
        ArchiveEvent::Failed { url, reason } => ("failed", *url, *reason),
    };
    if json {
        output::print_json(
            &json!({ "event": event, "url": url, "reason": Some(more).filter(|more| !more.is_empty()) }),
        );
    } else {
        output::print_line(sanitize_line(&format!("{event:<10} {url}  {more}"), 500).trim_end());
    }
}

fn conclude(global: &GlobalArgs, run: &ArchiveRun) {
    if global.json {
        output::print_json(&json!({ "event": "ended", "run": run }));
    } else if !global.quiet {
        let counts = run.counts;
        let how =
            if run.state == RunState::Running { "Interrupted (`archive run` continues it)" } else { "Done" };
        output::print_message(&format!(
            "{how}: {} new, {} modified, {} unchanged, {} gone, {} rejected, {} failed.",
            counts.new, counts.modified, counts.unchanged, counts.deleted, counts.rejected, counts.failed
        ));
    }
}

fn list(global: &GlobalArgs) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    let collections = store.list_collections()?;
    if collections.is_empty() && !global.quiet && !global.json {
        output::print_message("No collection exists; create one with `geotrawl archive new`.");
    }
    for collection in &collections {
        if global.json {
            output::print_json(collection);
            continue;
        }
        let last =
            collection.last_run.as_ref().map_or("never run".to_owned(), |run| format!("last run {}", run.at));
        let items = format_count(collection.items, "item", "items");
        output::print_line(&format!(
            "{:<16} {items:<12} {last}  {}",
            collection.acronym,
            sanitize_line(&collection.spec.title, 100)
        ));
    }
    Ok(ExitStatus::Done)
}

fn show(global: &GlobalArgs, acronym: &str, as_of: Option<TimeArg>) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    let collection = find(&*store, acronym)?;
    let at = as_of.map_or_else(Timestamp::now, |time| time.last);
    let mut offset = 0;
    loop {
        let (items, total) = store.pages_as_of(collection.id, at, offset, SLICE)?;
        for item in &items {
            if global.json {
                output::print_json(item);
                continue;
            }
            let chosen = if item.chosen { " (chosen)" } else { "" };
            let line = format!(
                "{:<9} v{:<3} {}  {}{chosen}",
                item.role.as_str(),
                item.version.number,
                item.version.at,
                item.url
            );
            output::print_line(&sanitize_line(&line, 500));
        }
        offset += SLICE;
        if total == 0 && !global.quiet && !global.json {
            output::print_message(&format!("{acronym} had no pages at {at}."));
        }
        if offset >= total {
            break;
        }
    }
    Ok(ExitStatus::Done)
}

fn results(global: &GlobalArgs, acronym: &str, run: Option<TimeArg>) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    let collection = find(&*store, acronym)?;
    let runs = store.archive_runs(collection.id, 10_000)?;
    let found = runs.into_iter().find(|found| run.is_none_or(|run| run.contains(found.at)));
    let found = found.ok_or_else(|| UsageError("no matching run found".into()))?;
    for (place, result) in store.ranked_results(found.id)?.iter().enumerate() {
        if global.json {
            output::print_json(result);
            continue;
        }
        let named: Vec<String> =
            result.named.iter().map(|by| format!("{}[{}]", by.engine, by.rank)).collect();
        let line = format!(
            "{:>4} {:>6} {:<9} {:<9} {}  {}",
            place + 1,
            result.weight,
            result.sort,
            result.state,
            result.url,
            named.join(", ")
        );
        output::print_line(&sanitize_line(&line, 500));
    }
    Ok(ExitStatus::Done)
}

fn history(global: &GlobalArgs, acronym: &str, url: &str) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    let collection = find(&*store, acronym)?;
    let history = store.page_history(collection.id, url)?;
    let history = history.ok_or_else(|| UsageError(format!("collection {acronym} has no item {url}")))?;
    if global.json {
        output::print_json(&history);
        return Ok(ExitStatus::Done);
    }
    let mark = |version: &PageVersion| if history.current == Some(version.number) { "*" } else { " " };
    for (version, again) in group_versions(&history.versions) {
        let like = version.likeness.map(|like| format!("similarity {like:.2}")).unwrap_or_default();
        let digest = version.digest.get(..12).unwrap_or_default();
        output::print_line(&format!(
            "{} v{:<3} {} {:<9} {:>9} bytes {digest:<12} {like}",
            mark(version),
            version.number,
            version.at,
            version.kind.as_str(),
            version.bytes
        ));
        if let Some(last) = again.last() {
            let times = format_count(again.len() as u64, "time", "times");
            output::print_line(&format!("       found unchanged {times}, last {}", last.at));
        }
    }
    for choice in &history.choices {
        output::print_line(&sanitize_line(
            &format!("  {} {} chose v{}  {}", choice.at, choice.who, choice.version, choice.note),
            500,
        ));
    }
    Ok(ExitStatus::Done)
}

/// Groups versions by content: each with the later visits that found it unchanged. Numbers count
/// visits, so they have gaps.
fn group_versions(versions: &[PageVersion]) -> Vec<(&PageVersion, Vec<&PageVersion>)> {
    let mut groups: Vec<(&PageVersion, Vec<&PageVersion>)> = Vec::new();
    for version in versions {
        match groups.last_mut() {
            Some((_, again)) if version.kind == VersionKind::Unchanged => again.push(version),
            _ => groups.push((version, Vec::new())),
        }
    }
    groups
}

fn rollback(global: &GlobalArgs, acronym: &str, url: &str, to: u32, note: &str) -> Result<ExitStatus> {
    let store = crate::stores::open(global)?;
    let collection = find(&*store, acronym)?;
    let who = std::env::var("USER").unwrap_or_else(|_| "command line".to_owned());
    if !store.choose_version(collection.id, url, to, &who, note, Timestamp::now())? {
        return Err(UsageError(format!("{url} in {acronym} has no version {to} with content")).into());
    }
    if global.json {
        output::print_json(&store.page_history(collection.id, url)?);
    }
    Ok(ExitStatus::Done)
}

fn didl(global: &GlobalArgs, acronym: &str, run: Option<TimeArg>, to: Option<&Path>) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let store = super::catalogue(global)?;
    let collection = find(&*store, acronym)?;
    let object = collection_files::object_at(&*store, &collection, run.map(|time| time.last))?;
    let object = object.ok_or_else(|| UsageError("no run has created an object yet".into()))?;
    let shelf = CollectionFiles::in_data_directory(&global.data);
    let base = config.serve.public_url.trim_end_matches('/');
    let write = |out: &mut dyn Write| -> Result<()> {
        out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
        collection_files::write_object(&*store, &shelf, &collection, &object, base, &mut *out)?;
        out.write_all(b"\n")?;
        Ok(out.flush()?)
    };
    match to {
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            write(&mut BufWriter::new(file))?;
            if global.json {
                output::print_json(&object);
            }
        }
        None => write(&mut BufWriter::new(std::io::stdout().lock()))?,
    }
    Ok(ExitStatus::Done)
}

fn export(global: &GlobalArgs, acronym: &str, to: &Path, as_of: Option<TimeArg>) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let store = super::catalogue(global)?;
    let collection = find(&*store, acronym)?;
    let at = as_of.map_or_else(Timestamp::now, |time| time.last);
    let base = config.serve.public_url.trim_end_matches('/');
    let exported = collection_files::export_collection(
        &*store,
        &CollectionFiles::in_data_directory(&global.data),
        &collection,
        at,
        base,
        to,
    )?;
    if global.json {
        output::print_json(&exported);
    } else if !global.quiet {
        let items = format_count(exported.items, "item", "items");
        output::print_message(&format!(
            "{items} and {} in {}.",
            format_count(exported.warc_files, "WARC file", "WARC files"),
            to.display()
        ));
    }
    Ok(ExitStatus::Done)
}

fn remove(global: &GlobalArgs, acronym: &str) -> Result<ExitStatus> {
    let store = crate::stores::open(global)?;
    let collection = find(&*store, acronym)?;
    store.remove_collection(collection.id)?;
    CollectionFiles::in_data_directory(&global.data).remove_collection(&collection.acronym)?;
    Ok(ExitStatus::Done)
}
