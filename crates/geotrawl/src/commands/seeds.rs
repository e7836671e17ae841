//! `seeds`: lists of starting addresses, and search engines that find more.

use crate::cli::{GlobalArgs, SeedsCommand, SeedsImportArgs, SeedsSearchArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_count, sanitize_line};
use crate::own_index::CatalogueSearchEngine;
use crate::stores::OpenStore;
use anyhow::{Context, Result};
use geotrawl_crawl::seeds::search::{
    CatalogueLookup, EngineReport, EngineState, MergedSeed, MetaSearch, MetaSearchRequest, MetaSearchResult,
    SearchError, engine_states,
};
use geotrawl_crawl::seeds::{self, Seed, SeedFormat};
use geotrawl_model::store::{CrawlStore, SearchEngineStore};
use jiff::Timestamp;
use serde_json::json;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

/// Number of seeds stored per transaction.
const AT_ONCE: usize = 10_000;
/// Credit required by the registry's licence wherever its data is used.
const REGISTRY_CREDIT: &str = "Data Portals Registry by Dateno, CC BY 4.0";

/// Maximum number of engine ranks shown per seed.
const SHOWN_PLACINGS: usize = 4;

/// Runs a `seeds` subcommand.
pub fn run(global: &GlobalArgs, what: &SeedsCommand) -> Result<ExitStatus> {
    match what {
        SeedsCommand::Import(args) => import(global, args),
        SeedsCommand::List => list(global),
        SeedsCommand::Show { list } => show(global, list),
        SeedsCommand::Engines => engines(global),
        SeedsCommand::Search(args) => search(global, args),
    }
}

/// Separates invalid usage from store failures; failing engines are neither.
fn told(error: SearchError) -> anyhow::Error {
    match error {
        SearchError::Setup(error) => UsageError(error.to_string()).into(),
        SearchError::Store(error) => error.into(),
    }
}

fn engines(global: &GlobalArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    // Without a store, no engine has been queried yet.
    let store = crate::stores::open_to_read(global).ok();
    let store = store.as_ref().map(|store| &**store as &dyn SearchEngineStore);
    for state in engine_states(&config.engines, store, Timestamp::now()).map_err(told)? {
        if global.json { output::print_json(&state) } else { print_engine(&state) }
    }
    if !global.quiet && !global.json && config.engines.is_empty() {
        output::print_message("No search engine is configured; see docs/guide/seeds.md.");
    }
    Ok(ExitStatus::Done)
}

fn print_engine(state: &EngineState) {
    let left = match (state.left, &state.missing) {
        (_, Some(_)) => "not ready".to_owned(),
        (Some(left), None) => format!("{} left", format_count(left, "request", "requests")),
        (None, None) => "no limit".to_owned(),
    };
    let at = sanitize_line(state.url.as_deref().unwrap_or_default(), 100);
    output::print_line(&format!("{:<16} {:<11} {left:<20} {at}", state.name, state.kind));
    let more = |text: &str| output::print_line(&format!("    {}", sanitize_line(text, 400)));
    if let Some(missing) = &state.missing {
        more(missing);
    }
    let quotas = [
        (state.used.day, state.quota_per_day, "24 hours"),
        (state.used.month, state.quota_per_month, "31 days"),
    ];
    for (used, quota, span) in quotas {
        if let Some(quota) = quota {
            more(&format!("{used} of {quota} requests in {span}, {} per minute", state.rate));
        }
    }
    if let Some(until) = state.used.rests_until {
        more(&format!("paused until {until}"));
    }
    if let Some(failure) = &state.used.failure {
        more(&format!("last failure ({}, {}): {}", failure.class, failure.at, failure.message));
    }
    if !state.note.is_empty() {
        more(state.note);
    }
}

fn search(global: &GlobalArgs, args: &SeedsSearchArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let wanted = MetaSearchRequest {
        keywords: args.keywords.clone(),
        engines: args.engines.clone(),
        languages: args.languages.iter().map(|language| language.to_ascii_lowercase()).collect(),
        terms: Vec::new(),
        as_is: args.as_is,
        most: args.most,
        top: args.top.max(1),
        questions: args.questions,
        fresh: args.fresh,
        within: Duration::from_secs(args.within.saturating_mul(60).min(86_400)),
    };
    if args.plan {
        for query in wanted.web_queries() {
            if global.json {
                output::print_json(&json!({
                    "words": query.words, "language": query.language, "operators": query.operators,
                }));
            } else {
                output::print_line(&format!(
                    "{:<3} {}",
                    query.language.as_deref().unwrap_or("-"),
                    query.words
                ));
            }
        }
        return Ok(ExitStatus::Done);
    }
    let store = crate::stores::open(global)?;
    let found = query_engines(global, &config, &store, &wanted)?;
    print_ranked(global, &found.seeds);
    let failed = found.reports.iter().any(|report| !report.faults.is_empty());
    if let Some(list) = &args.import {
        let seeds: Vec<Seed> = found.seeds.iter().map(Seed::from).collect();
        let source = format!("search engines, \"{}\"", args.keywords.join("\", \""));
        let new = store.import_seeds(list, &source, &seeds, Timestamp::now())?;
        if !global.quiet {
            let all = format_count(seeds.len() as u64, "seed", "seeds");
            output::print_message(&format!("List '{list}' has {all}, {new} of them new."));
            output::print_message(&format!("Next: geotrawl crawl --seeds {list} --width 3"));
        }
    }
    Ok(if failed { ExitStatus::Failures } else { ExitStatus::Done })
}

/// Queries the configured engines and reports the outcome of each.
pub fn query_engines(
    global: &GlobalArgs,
    config: &Config,
    store: &OpenStore,
    wanted: &MetaSearchRequest,
) -> Result<MetaSearchResult> {
    let own: Arc<dyn CatalogueLookup> =
        Arc::new(CatalogueSearchEngine::new(&crate::stores::derived_dir(global), config, store.to_shared()));
    let meta = MetaSearch::new(&config.fetch, &config.engines, store.to_shared(), Some(own))
        .map_err(|error| UsageError(error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let found = runtime.block_on(meta.search(wanted)).map_err(told)?;
    for report in &found.reports {
        remark_on(global, report);
    }
    Ok(found)
}

fn print_ranked(global: &GlobalArgs, seeds: &[MergedSeed]) {
    let mut width = 0;
    for seed in seeds {
        if global.json {
            output::print_json(seed);
            continue;
        }
        if seed.width != width {
            width = seed.width;
            output::print_line(&format!("Width {width}"));
        }
        let from: Vec<String> = seed
            .engines
            .iter()
            .take(SHOWN_PLACINGS)
            .map(|placing| format!("{} {}", placing.engine, placing.rank))
            .collect();
        let more = seed.engines.len().saturating_sub(SHOWN_PLACINGS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (url, title) = (sanitize_line(&seed.url, 200), sanitize_line(&seed.title, 60));
        output::print_line(&format!("{:>5}  {url}  {title}  ({}{more})", seed.weight, from.join(", ")));
    }
}

/// Reports the outcome of an engine on stderr. Failures are reported even with `--quiet`.
fn remark_on(global: &GlobalArgs, report: &EngineReport) {
    let name = &report.engine;
    if !global.quiet && (report.asked + report.kept + report.results > 0) {
        let asked = format_count(report.asked, "request", "requests");
        let results = format_count(report.results, "result", "results");
        output::print_message(&format!("{name}: {results}, {asked} sent, {} cached", report.kept));
    }
    for told in &report.faults {
        output::print_message(&format!(
            "geotrawl: {name}: {} ({})",
            sanitize_line(&told.fault.message, 500),
            told.fault.class
        ));
    }
    if report.unasked > 0 {
        output::print_message(&format!(
            "geotrawl: {name}: {} not sent",
            format_count(report.unasked, "query was", "queries were")
        ));
    }
    if !global.quiet {
        for issue in &report.issues {
            output::print_message(&format!("{name}: {}", sanitize_line(issue, 300)));
        }
    }
}

fn import(global: &GlobalArgs, args: &SeedsImportArgs) -> Result<ExitStatus> {
    let name = args.list.clone().unwrap_or_else(|| {
        let first = args.files.first().and_then(|file| file.file_name()).unwrap_or_default();
        first.to_string_lossy().split('.').next().unwrap_or("seeds").to_owned()
    });
    let store = crate::stores::open(global)?;
    let (mut read, mut new, mut unreadable) = (0_u64, 0, 0);
    for path in &args.files {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let mut kept: Vec<Seed> = Vec::new();
        let told = seeds::read_seeds(file, args.format, &mut |seed| {
            if wanted(args, &seed) {
                kept.push(seed);
            }
            true
        })
        .with_context(|| format!("cannot read {}", path.display()))?;
        let source = match (&args.source, told.format) {
            (Some(source), _) => source.clone(),
            (None, Some(SeedFormat::Registry)) => REGISTRY_CREDIT.to_owned(),
            (None, _) => path.display().to_string(),
        };
        read += kept.len() as u64;
        for piece in kept.chunks(AT_ONCE) {
            new += store.import_seeds(&name, &source, piece, Timestamp::now())?;
        }
        unreadable += told.unreadable;
        for problem in told.problems.iter().take(10) {
            output::print_message(&format!("geotrawl: {}, {}", path.display(), sanitize_line(problem, 300)));
        }
    }
    if unreadable > 10 {
        output::print_message(&format!(
            "geotrawl: {unreadable} entries could not be read; the first ones are listed above"
        ));
    }
    if global.json {
        output::print_json(
            &serde_json::json!({"list": name, "read": read, "new": new, "unreadable": unreadable}),
        );
    } else {
        let seeds = format_count(read, "seed", "seeds");
        output::print_line(&format!("Imported {seeds} into list '{name}', {new} of them new."));
    }
    if !global.quiet && read > 0 {
        output::print_message(&format!(
            "Next: geotrawl crawl --seeds {name}  or  geotrawl harvest --seeds {name}"
        ));
    }
    Ok(if unreadable > 0 { ExitStatus::Failures } else { ExitStatus::Done })
}

fn wanted(args: &SeedsImportArgs, seed: &Seed) -> bool {
    let country = args.country.is_empty()
        || seed
            .country
            .as_deref()
            .is_some_and(|at| args.country.iter().any(|one| one.eq_ignore_ascii_case(at)));
    let kind = args.kinds.is_empty()
        || seed.kind.as_deref().is_some_and(|kind| args.kinds.iter().any(|one| one == kind));
    country && kind
}

fn list(global: &GlobalArgs) -> Result<ExitStatus> {
    let lists = super::catalogue(global)?.seed_lists()?;
    for list in &lists {
        if global.json {
            output::print_json(list);
        } else {
            let seeds = format_count(list.seeds, "seed", "seeds");
            output::print_line(&format!("{}  {seeds}  {}", list.name, sanitize_line(&list.source, 100)));
        }
    }
    if lists.is_empty() && !global.quiet && !global.json {
        output::print_message("No list is stored; create one with `geotrawl seeds import FILE`.");
    }
    Ok(ExitStatus::Done)
}

fn show(global: &GlobalArgs, name: &str) -> Result<ExitStatus> {
    let store = super::catalogue(global)?;
    ensure_known_list(&*store, name)?;
    store.visit_seeds(name, &mut |seed| {
        if global.json {
            output::print_json(&seed);
        } else {
            let kind = seed.kind.as_deref().unwrap_or("-");
            let title = sanitize_line(seed.title.as_deref().unwrap_or_default(), 60);
            output::print_line(&format!("{kind:<18} {}  {title}", seed.url));
        }
        true
    })?;
    Ok(ExitStatus::Done)
}

/// Returns an error if no list has this name.
pub fn ensure_known_list(store: &dyn CrawlStore, name: &str) -> Result<()> {
    let lists = store.seed_lists()?;
    if lists.iter().any(|list| list.name == name) {
        return Ok(());
    }
    let names: Vec<_> = lists.iter().map(|list| list.name.as_str()).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Err(UsageError(format!(
        "unknown seed list '{name}' (stored lists: {known}); create one with `geotrawl seeds import`"
    ))
    .into())
}
