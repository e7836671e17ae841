//! `harvest`: reads catalogues and verifies the resources in them.

use super::CommandInput;
use super::crawl;
use crate::cli::{GlobalArgs, HarvestArgs};
use crate::config::Config;
use crate::exit::{ExitStatus, UsageError};
use crate::output::{self, format_count, sanitize_line};
use crate::progress::{CrawlProgress, ProgressFormat};
use anyhow::Result;
use geotrawl_crawl::inspect;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlRun, CrawlSpec};
use geotrawl_crawl::resources::SharedResources;
use geotrawl_model::CatalogueRecord;
use serde_json::{Value, json};
use std::sync::Arc;

/// Harvests catalogues; prints their records and the resources found through them.
pub fn run(global: &GlobalArgs, args: HarvestArgs) -> Result<ExitStatus> {
    if args.dry_run {
        return dry_run(global, &args);
    }
    let config = Config::load(global)?;
    let options = CrawlOptions {
        depth: 0,
        max_per_host: u64::MAX,
        harvest_pages: u32::MAX,
        prove_records: !args.records_only,
        incremental: !args.full,
        since: args.since.map(|since| since.first.to_string()),
        ..config.crawl.clone()
    };
    let named: Vec<String> = args.catalogues.iter().chain(&args.lists).cloned().collect();
    // The time is not part of the name: tomorrow's harvest is another run of the same task.
    let unnamed = CrawlOptions { since: None, ..options.clone() };
    let name = args
        .task
        .clone()
        .unwrap_or_else(|| format!("harvest-{}", crawl::default_task_name(&named, &unnamed)));
    let show = if global.json { ProgressFormat::Json } else { ProgressFormat::Text };
    let progress = Arc::new(CrawlProgress::new(show, global.quiet).with_records());
    let store = crate::stores::open(global)?;
    for list in &args.lists {
        super::seeds::ensure_known_list(&*store, list)?;
    }
    let resources = SharedResources::start(&config.fetch, config.resource_options()?)?;
    let spec = CrawlSpec { name: name.clone(), seeds: args.catalogues, lists: args.lists, options };
    let harvest = CrawlRun::builder(store.to_shared(), &resources, spec);
    let summary = crawl::run_to_end(harvest, &progress)?;
    let (pages, records) = progress.harvest_counts();
    if !global.quiet {
        let (records, pages) =
            (format_count(records, "record", "records"), format_count(pages, "page", "pages"));
        output::print_message(&format!("Read {records} on {pages} of catalogues."));
    }
    let exit = crawl::report_outcome(global, &progress, &summary, &name);
    if pages == 0 && exit == ExitStatus::Done {
        output::print_message(
            "geotrawl: no catalogue found at this address; run `geotrawl probe` to identify it",
        );
        return Ok(ExitStatus::Failures);
    }
    Ok(exit)
}

/// Reads the first pages and prints their records without storing anything.
fn dry_run(global: &GlobalArgs, args: &HarvestArgs) -> Result<ExitStatus> {
    let (client, runtime) = super::client(global)?;
    let registry = Config::load(global)?.registry()?;
    let mut exit = ExitStatus::Done;
    for text in &args.catalogues {
        let CommandInput::Web(url) = super::input(text, None)? else {
            return Err(UsageError(format!("'{text}' is a file; harvest requires a web address")).into());
        };
        let since = args.since.map(|since| since.first.to_string());
        let tried = runtime.block_on(inspect::preview_harvest(
            &client,
            registry.connectors(),
            &url,
            args.pages,
            since.as_deref(),
        ));
        for page in &tried.pages {
            for record in &page.records {
                if global.json {
                    output::print_json(&record_object(&page.catalogue, &page.connector, record));
                } else {
                    output::print_line(&record_line(record));
                }
            }
            let total = page.total.map(|total| format!(" of {total}")).unwrap_or_default();
            let more = if page.next > 0 { "more pages follow" } else { "this is the last page" };
            output::print_message(&format!(
                "{} ({}): {}{total}; {more}.",
                page.catalogue,
                page.connector,
                format_count(page.records.len() as u64, "record", "records")
            ));
        }
        let asked = format_count(tried.targets as u64, "address", "addresses");
        for failure in &tried.failures {
            output::print_message(&format!("geotrawl: {}", sanitize_line(failure, 400)));
        }
        if tried.pages.is_empty() {
            output::print_message(&format!("geotrawl: no catalogue found at {text}"));
            exit = ExitStatus::Failures;
        } else {
            output::print_message(&format!("A full harvest would also probe {asked}. Nothing was stored."));
        }
    }
    Ok(exit)
}

/// Returns a catalogue record as a JSON object.
pub fn record_object(catalogue: &str, connector: &str, record: &CatalogueRecord) -> Value {
    let mut value = serde_json::to_value(record).unwrap_or_default();
    if let Some(members) = value.as_object_mut() {
        members.insert("kind".into(), json!("record"));
        members.insert("catalogue".into(), json!(catalogue));
        members.insert("connector".into(), json!(connector));
    }
    value
}

fn record_line(record: &CatalogueRecord) -> String {
    let title = record.title.as_deref().unwrap_or("(no title)");
    let links = format_count(record.links.len() as u64, "link", "links");
    format!("{}  {}  {links}", sanitize_line(&record.id, 60), sanitize_line(title, 80))
}
