//! `harvest`: everything behind a catalogue.

use super::Input;
use super::crawl;
use crate::cli::{Global, HarvestArgs};
use crate::config::Config;
use crate::exit::{Exit, UsageError};
use crate::output::{self, count, tame};
use crate::progress::{Progress, Show};
use anyhow::Result;
use geotrawl_crawl::inspect;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlRun, CrawlSpec};
use geotrawl_crawl::resources::SharedResources;
use geotrawl_model::CatalogueRecord;
use serde_json::{Value, json};
use std::sync::Arc;

/// Harvests, prints what the catalogues say and what is proven behind them.
pub fn run(global: &Global, args: HarvestArgs) -> Result<Exit> {
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
        since: args.since.clone(),
        ..config.crawl.clone()
    };
    let named: Vec<String> = args.catalogues.iter().chain(&args.lists).cloned().collect();
    // The name leaves the moment out: tomorrow's harvest is another run of the same task.
    let unnamed = CrawlOptions { since: None, ..options.clone() };
    let name =
        args.task.clone().unwrap_or_else(|| format!("harvest-{}", crawl::default_name(&named, &unnamed)));
    let show = if global.json { Show::Json } else { Show::Text };
    let progress = Arc::new(Progress::new(show, global.quiet).with_records());
    let store = crate::stores::open(global)?;
    for list in &args.lists {
        super::seeds::known(&*store, list)?;
    }
    let resources = SharedResources::start(&config.fetch, config.resource_options()?)?;
    let spec = CrawlSpec { name: name.clone(), seeds: args.catalogues, lists: args.lists, options };
    let harvest = CrawlRun::builder(store.shared(), &resources, spec);
    let summary = crawl::run_to_end(harvest, &progress)?;
    let (pages, records) = progress.harvested();
    if !global.quiet {
        let (records, pages) = (count(records, "record", "records"), count(pages, "page", "pages"));
        output::remark(&format!("Read {records} on {pages} of catalogues."));
    }
    let exit = crawl::conclude(global, &progress, &summary, &name);
    if pages == 0 && exit == Exit::Done {
        output::remark(
            "geotrawl: no catalogue was recognised at this address; `geotrawl probe` says what it is",
        );
        return Ok(Exit::Failures);
    }
    Ok(exit)
}

/// Reads the first pages and prints what they hold; keeps nothing.
fn dry_run(global: &Global, args: &HarvestArgs) -> Result<Exit> {
    let (client, runtime) = super::client(global)?;
    let registry = Config::load(global)?.registry()?;
    let mut exit = Exit::Done;
    for text in &args.catalogues {
        let Input::Web(url) = super::input(text, None)? else {
            return Err(UsageError(format!("'{text}' is a file; a harvest asks a web address")).into());
        };
        let since = args.since.as_deref();
        let tried = runtime.block_on(inspect::preview_harvest(
            &client,
            registry.connectors(),
            &url,
            args.pages,
            since,
        ));
        for page in &tried.pages {
            for record in &page.records {
                if global.json {
                    output::json(&record_object(&page.catalogue, &page.connector, record));
                } else {
                    output::line(&record_line(record));
                }
            }
            let total = page.total.map(|total| format!(" of {total}")).unwrap_or_default();
            let more = if page.next > 0 { "more pages follow" } else { "this is the last page" };
            output::remark(&format!(
                "{} ({}): {}{total}; {more}.",
                page.catalogue,
                page.connector,
                count(page.records.len() as u64, "record", "records")
            ));
        }
        let asked = count(tried.targets as u64, "address", "addresses");
        for failure in &tried.failures {
            output::remark(&format!("geotrawl: {}", tame(failure, 400)));
        }
        if tried.pages.is_empty() {
            output::remark(&format!("geotrawl: no catalogue was recognised at {text}"));
            exit = Exit::Failures;
        } else {
            output::remark(&format!("A harvest would go on to ask {asked}. Nothing was kept."));
        }
    }
    Ok(exit)
}

/// A catalogue's record as a JSON object.
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
    let links = count(record.links.len() as u64, "link", "links");
    format!("{}  {}  {links}", tame(&record.id, 60), tame(title, 80))
}
