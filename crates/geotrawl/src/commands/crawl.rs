//! `crawl`.

use crate::cli::{CrawlArgs, GlobalArgs};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::interrupt;
use crate::output;
use crate::progress::{CrawlProgress, ProgressFormat};
use anyhow::Result;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlBuilder, CrawlRun, CrawlSpec, CrawlSummary};
use geotrawl_crawl::resources::SharedResources;
use geotrawl_crawl::seeds::search::MetaSearchRequest;
use geotrawl_model::RankedSeed;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Crawls, prints each resource that is found, and reports how to continue.
pub fn run(global: &GlobalArgs, args: CrawlArgs) -> Result<ExitStatus> {
    let config = Config::load(global)?;
    let options = options(&config.crawl, &args);
    let named: Vec<String> = args.seeds.iter().chain(&args.lists).chain(&args.engines).cloned().collect();
    let name = args.task.clone().unwrap_or_else(|| default_task_name(&named, &options));
    let show = if global.json { ProgressFormat::Json } else { ProgressFormat::Text };
    let progress = Arc::new(CrawlProgress::new(show, global.quiet));
    let store = crate::stores::open(global)?;
    for list in &args.lists {
        super::seeds::ensure_known_list(&*store, list)?;
    }
    let ranked = if args.engines.is_empty() {
        Vec::new()
    } else {
        let wanted = MetaSearchRequest {
            keywords: options.keywords.clone(),
            engines: args.engines.clone(),
            languages: options.languages.clone(),
            ..MetaSearchRequest::with_width(options.width)
        };
        let found = super::seeds::query_engines(global, &config, &store, &wanted)?;
        if found.seeds.is_empty() && args.seeds.is_empty() && args.lists.is_empty() {
            output::print_message(&format!("geotrawl: {}", found.empty_reason()));
            return Ok(ExitStatus::Failures);
        }
        found.seeds.iter().map(RankedSeed::from).collect()
    };
    let resources = SharedResources::start(&config.fetch, config.resource_options()?)?;
    let spec = CrawlSpec { name: name.clone(), seeds: args.seeds, lists: args.lists, options };
    let crawl = CrawlRun::builder(store.to_shared(), &resources, spec).with_ranked_seeds(ranked);
    let summary = run_to_end(crawl, &progress)?;
    Ok(report_outcome(global, &progress, &summary, &name))
}

/// Runs a crawl until it ends or a signal stops it.
pub fn run_to_end(crawl: CrawlBuilder, progress: &Arc<CrawlProgress>) -> Result<CrawlSummary> {
    let crawl = crawl.with_observer(progress.clone()).with_analyzer(super::students());
    let outcome = crawl.start().and_then(|crawl| {
        let (stopper, progress) = (crawl.stopper(), Arc::clone(progress));
        let installed = interrupt::on_first_interrupt(move || {
            stopper.stop();
            progress.announce_stop();
        });
        if let Err(error) = installed {
            tracing::warn!("cannot install the Ctrl-C handler: {error}");
        }
        crawl.wait()
    });
    progress.finish();
    Ok(outcome?)
}

/// Prints the outcome of a crawl and returns its exit status.
pub fn report_outcome(
    global: &GlobalArgs,
    progress: &CrawlProgress,
    summary: &CrawlSummary,
    name: &str,
) -> ExitStatus {
    let counters = &summary.counters;
    if !global.quiet {
        output::print_message(&progress.summarize(summary, name));
    }
    if summary.interrupted {
        output::print_message(&format!(
            "Stopped with {} left to read. Nothing is lost: run the same command to resume (task '{name}').",
            output::format_count(counters.pending, "address", "addresses")
        ));
        return ExitStatus::Interrupted;
    }
    if counters.pending > 0 && !global.quiet {
        output::print_message(&format!(
            "{} left unread: a limit was reached, or the host asked to retry later.",
            output::format_count(counters.pending, "address was", "addresses were")
        ));
    }
    let failed = progress.failed_seeds();
    for (seed, reason) in &failed {
        output::print_message(&format!("geotrawl: cannot read {seed}: {reason}"));
    }
    if failed.is_empty() { ExitStatus::Done } else { ExitStatus::Failures }
}

fn options(defaults: &CrawlOptions, args: &CrawlArgs) -> CrawlOptions {
    let mut options = defaults.clone();
    options.depth = args.depth.unwrap_or(options.depth);
    options.max_pages = args.max_pages.or(options.max_pages);
    options.max_per_host = args.max_per_host.unwrap_or(options.max_per_host);
    options.scope = args.scope.unwrap_or(options.scope);
    options.prove_outside |= args.prove_outside;
    options.scripts &= !args.no_scripts;
    options.render |= args.render;
    options.width = args.width.or(options.width);
    options.links_per_page = args.links_per_page.or(options.links_per_page);
    options.max_seconds = args.max_seconds.or(options.max_seconds);
    options.patience = args.patience.or(options.patience);
    if !args.languages.is_empty() {
        options.languages.clone_from(&args.languages);
    }
    if !args.keywords.is_empty() {
        options.keywords = args.keywords.iter().map(|words| words.trim().to_owned()).collect();
    }
    if let Some(ordering) = &args.ordering {
        options.ordering.clone_from(ordering);
    }
    options.bbox = args.bbox.or(options.bbox);
    if !args.kinds.is_empty() {
        options.kinds.clone_from(&args.kinds);
    }
    if !args.path_prefix.is_empty() {
        options.path_prefixes.clone_from(&args.path_prefix);
    }
    options
}

/// Derives a task name from the arguments. The same command gives the same name, so that it resumes
/// its task.
pub fn default_task_name(seeds: &[String], options: &CrawlOptions) -> String {
    let mut hash = Sha256::new();
    for seed in seeds {
        hash.update(seed.as_bytes());
        hash.update(b"\n");
    }
    hash.update(serde_json::to_string(options).unwrap_or_default());
    let host = seeds
        .first()
        .map(|seed| seed.split("://").last().unwrap_or(seed))
        .and_then(|seed| seed.split(['/', '?', '#']).next())
        .unwrap_or("crawl");
    let digest = hash.finalize();
    format!("{host}-{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_command_continues_its_task_and_another_does_not() {
        let seeds = vec!["https://example.org/maps?x".to_owned()];
        let options = CrawlOptions::default();
        let name = default_task_name(&seeds, &options);
        assert!(name.starts_with("example.org-"), "{name}");
        assert_eq!(name, default_task_name(&seeds, &options));
        assert_ne!(name, default_task_name(&seeds, &CrawlOptions { depth: 9, ..options }));
    }
}
