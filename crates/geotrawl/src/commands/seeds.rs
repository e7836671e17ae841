//! `seeds`: lists of addresses to start from, and search engines that know more of them.

use crate::cli::{Global, SeedsCommand, SeedsImportArgs, SeedsSearchArgs};
use crate::config::Config;
use crate::exit::{Exit, UsageError};
use crate::output::{self, count, tame};
use crate::own_index::Catalogue;
use crate::stores::Opened;
use anyhow::{Context, Result};
use geotrawl_crawl::seeds::search::{
    EngineReport, EngineState, Found, MetaSearch, OwnIndex, RankedSeed, SearchError, Wanted, states,
};
use geotrawl_crawl::seeds::{self, Format, Seed};
use geotrawl_model::store::{CrawlStore, SearchEngineStore};
use jiff::Timestamp;
use serde_json::json;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

/// Seeds stored in one transaction.
const AT_ONCE: usize = 10_000;
/// The registry's licence asks for this wherever its data is used.
const REGISTRY_CREDIT: &str = "Data Portals Registry by Dateno, CC BY 4.0";

/// Placings of a seed that are shown to people.
const SHOWN_PLACINGS: usize = 4;

/// Imports, lists, shows or searches.
pub fn run(global: &Global, what: &SeedsCommand) -> Result<Exit> {
    match what {
        SeedsCommand::Import(args) => import(global, args),
        SeedsCommand::List => list(global),
        SeedsCommand::Show { list } => show(global, list),
        SeedsCommand::Engines => engines(global),
        SeedsCommand::Search(args) => search(global, args),
    }
}

/// Wrong usage, or a fault of the store; engines that fail are neither.
fn told(error: SearchError) -> anyhow::Error {
    match error {
        SearchError::Setup(error) => UsageError(error.to_string()).into(),
        SearchError::Store(error) => error.into(),
    }
}

fn engines(global: &Global) -> Result<Exit> {
    let config = Config::load(global)?;
    // Without a store nobody was ever asked.
    let store = crate::stores::open_to_read(global).ok();
    let store = store.as_ref().map(|store| &**store as &dyn SearchEngineStore);
    for state in states(&config.engines, store, Timestamp::now()).map_err(told)? {
        if global.json { output::json(&state) } else { print_engine(&state) }
    }
    if !global.quiet && !global.json && config.engines.is_empty() {
        output::remark("No search engine is configured; docs/guide/seeds.md shows how.");
    }
    Ok(Exit::Done)
}

fn print_engine(state: &EngineState) {
    let left = match (state.left, &state.missing) {
        (_, Some(_)) => "not ready".to_owned(),
        (Some(left), None) => format!("{} left", count(left, "request", "requests")),
        (None, None) => "no limit".to_owned(),
    };
    let at = tame(state.url.as_deref().unwrap_or_default(), 100);
    output::line(&format!("{:<16} {:<11} {left:<20} {at}", state.name, state.kind));
    let more = |text: &str| output::line(&format!("    {}", tame(text, 400)));
    if let Some(missing) = &state.missing {
        more(missing);
    }
    let quotas = [
        (state.used.day, state.quota_per_day, "24 hours"),
        (state.used.month, state.quota_per_month, "31 days"),
    ];
    for (used, quota, span) in quotas {
        if let Some(quota) = quota {
            more(&format!("{used} of {quota} in {span}, {} a minute", state.rate));
        }
    }
    if let Some(until) = state.used.rests_until {
        more(&format!("left alone until {until}"));
    }
    if let Some(failure) = &state.used.failure {
        more(&format!("last failure ({}, {}): {}", failure.class, failure.at, failure.message));
    }
    if !state.note.is_empty() {
        more(state.note);
    }
}

fn search(global: &Global, args: &SeedsSearchArgs) -> Result<Exit> {
    let config = Config::load(global)?;
    let wanted = Wanted {
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
        for query in wanted.questions() {
            if global.json {
                output::json(&json!({
                    "words": query.words, "language": query.language, "operators": query.operators,
                }));
            } else {
                output::line(&format!("{:<3} {}", query.language.as_deref().unwrap_or("-"), query.words));
            }
        }
        return Ok(Exit::Done);
    }
    let store = crate::stores::open(global)?;
    let found = ask(global, &config, &store, &wanted)?;
    print_ranked(global, &found.seeds);
    let failed = found.reports.iter().any(|report| !report.faults.is_empty());
    if let Some(list) = &args.import {
        let seeds: Vec<Seed> = found.seeds.iter().map(Seed::from).collect();
        let source = format!("search engines, \"{}\"", args.keywords.join("\", \""));
        let new = store.import_seeds(list, &source, &seeds, Timestamp::now())?;
        if !global.quiet {
            let all = count(seeds.len() as u64, "seed", "seeds");
            output::remark(&format!("{all} in the list '{list}', {new} of them new."));
            output::remark(&format!("Next: geotrawl crawl --seeds {list} --width 3"));
        }
    }
    Ok(if failed { Exit::Failures } else { Exit::Done })
}

/// Asks the engines of the configuration, and says how each of them did.
pub fn ask(global: &Global, config: &Config, store: &Opened, wanted: &Wanted) -> Result<Found> {
    let own: Arc<dyn OwnIndex> =
        Arc::new(Catalogue::new(&crate::stores::derived(global), config, store.shared()));
    let meta = MetaSearch::new(&config.fetch, &config.engines, store.shared(), Some(own))
        .map_err(|error| UsageError(error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let found = runtime.block_on(meta.ranked(wanted)).map_err(told)?;
    for report in &found.reports {
        remark_on(global, report);
    }
    Ok(found)
}

fn print_ranked(global: &Global, seeds: &[RankedSeed]) {
    let mut width = 0;
    for seed in seeds {
        if global.json {
            output::json(seed);
            continue;
        }
        if seed.width != width {
            width = seed.width;
            output::line(&format!("Width {width}"));
        }
        let from: Vec<String> = seed
            .engines
            .iter()
            .take(SHOWN_PLACINGS)
            .map(|placing| format!("{} {}", placing.engine, placing.rank))
            .collect();
        let more = seed.engines.len().saturating_sub(SHOWN_PLACINGS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (url, title) = (tame(&seed.url, 200), tame(&seed.title, 60));
        output::line(&format!("{:>5}  {url}  {title}  ({}{more})", seed.weight, from.join(", ")));
    }
}

/// How an engine did, for the person at the terminal; failures also when only they are wanted.
fn remark_on(global: &Global, report: &EngineReport) {
    let name = &report.engine;
    if !global.quiet && (report.asked + report.kept + report.results > 0) {
        let asked = count(report.asked, "request", "requests");
        let results = count(report.results, "result", "results");
        output::remark(&format!("{name}: {results}, {asked} sent, {} kept from before", report.kept));
    }
    for told in &report.faults {
        output::remark(&format!(
            "geotrawl: {name}: {} ({})",
            tame(&told.fault.message, 500),
            told.fault.class
        ));
    }
    if report.unasked > 0 {
        output::remark(&format!(
            "geotrawl: {name}: {} not asked",
            count(report.unasked, "question was", "questions were")
        ));
    }
    if !global.quiet {
        for issue in &report.issues {
            output::remark(&format!("{name}: {}", tame(issue, 300)));
        }
    }
}

fn import(global: &Global, args: &SeedsImportArgs) -> Result<Exit> {
    let name = args.list.clone().unwrap_or_else(|| {
        let first = args.files.first().and_then(|file| file.file_name()).unwrap_or_default();
        first.to_string_lossy().split('.').next().unwrap_or("seeds").to_owned()
    });
    let store = crate::stores::open(global)?;
    let (mut read, mut new, mut unreadable) = (0_u64, 0, 0);
    for path in &args.files {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let mut kept: Vec<Seed> = Vec::new();
        let told = seeds::read(file, args.format, &mut |seed| {
            if wanted(args, &seed) {
                kept.push(seed);
            }
            true
        })
        .with_context(|| format!("cannot read {}", path.display()))?;
        let source = match (&args.source, told.format) {
            (Some(source), _) => source.clone(),
            (None, Some(Format::Registry)) => REGISTRY_CREDIT.to_owned(),
            (None, _) => path.display().to_string(),
        };
        read += kept.len() as u64;
        for piece in kept.chunks(AT_ONCE) {
            new += store.import_seeds(&name, &source, piece, Timestamp::now())?;
        }
        unreadable += told.unreadable;
        for problem in told.problems.iter().take(10) {
            output::remark(&format!("geotrawl: {}, {}", path.display(), tame(problem, 300)));
        }
    }
    if unreadable > 10 {
        output::remark(&format!(
            "geotrawl: {unreadable} entries could not be read, the first are named above"
        ));
    }
    if global.json {
        output::json(&serde_json::json!({"list": name, "read": read, "new": new, "unreadable": unreadable}));
    } else {
        let seeds = count(read, "seed", "seeds");
        output::line(&format!("{seeds} read into the list '{name}', {new} of them new."));
    }
    if !global.quiet && read > 0 {
        output::remark(&format!("Next: geotrawl crawl --seeds {name}  or  geotrawl harvest --seeds {name}"));
    }
    Ok(if unreadable > 0 { Exit::Failures } else { Exit::Done })
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

fn list(global: &Global) -> Result<Exit> {
    for list in super::catalogue(global)?.seed_lists()? {
        if global.json {
            output::json(&list);
        } else {
            let seeds = count(list.seeds, "seed", "seeds");
            output::line(&format!("{}  {seeds}  {}", list.name, tame(&list.source, 100)));
        }
    }
    Ok(Exit::Done)
}

fn show(global: &Global, name: &str) -> Result<Exit> {
    let store = super::catalogue(global)?;
    known(&*store, name)?;
    store.visit_seeds(name, &mut |seed| {
        if global.json {
            output::json(&seed);
        } else {
            let kind = seed.kind.as_deref().unwrap_or("-");
            let title = tame(seed.title.as_deref().unwrap_or_default(), 60);
            output::line(&format!("{kind:<18} {}  {title}", seed.url));
        }
        true
    })?;
    Ok(Exit::Done)
}

/// Refuses a name that no list has.
pub fn known(store: &dyn CrawlStore, name: &str) -> Result<()> {
    let lists = store.seed_lists()?;
    if lists.iter().any(|list| list.name == name) {
        return Ok(());
    }
    let names: Vec<_> = lists.iter().map(|list| list.name.as_str()).collect();
    let known = if names.is_empty() { "none is stored".to_owned() } else { names.join(", ") };
    Err(UsageError(format!("there is no list of seeds '{name}' ({known}); see `geotrawl seeds import`"))
        .into())
}
