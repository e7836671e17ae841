//! Measurements: `cargo measure <what>`. Each prints its figures; `docs/performance.md` and
//! `docs/scale.md` record results. Not part of `cargo test`, where the load of the machine would
//! decide.
#![expect(clippy::print_stdout, reason = "a measurement reports to the person who runs it")]

mod capabilities;
mod child;
mod cluster;
mod cores;
mod crawl;
mod csw;
mod experiments;
mod giveback;
mod harvest;
mod levels;
mod mine;
mod monitor;
mod quickness;
mod schemathesis;
mod search;
mod served;
mod statistics;
mod usage;
mod watchers;

use anyhow::Result;
use clap::Parser;
use std::path::{Path, PathBuf};

/// The same allocator as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Debug, Parser)]
#[command(name = "cargo measure", about = "Measurements of Geotrawl, alone and compared with other programs")]
enum MeasureCommand {
    /// Crawl one site with Geotrawl, Scrapy, the `spider` crate and a bare loop
    Crawl(crawl::CrawlBenchOptions),
    /// Compare the parsing of capabilities with OWSLib
    Capabilities(capabilities::CapabilitiesOptions),
    /// Query generated records with CSW over HTTP
    Csw(csw::CswOptions),
    /// Dump a large catalogue and harvest it with OAI-PMH
    Giveback(giveback::GiveBackOptions),
    /// Harvest a simulated catalogue
    Harvest(harvest::HarvestOptions),
    /// Mine archives of the simulated web
    Mine(mine::MineBenchOptions),
    /// Run a day of checks of 40,000 services: scheduling and storing
    Monitor(monitor::MonitorOptions),
    /// Search generated services and layers, compared with SQLite FTS5 and R-tree
    Search(search::SearchBenchOptions),
    /// Follow a crawl with thousands of event streams
    Watchers(watchers::WatchersOptions),
    /// Run several workers on a temporary PostgreSQL and a simulated web
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    /// Crawl simulated webs and write tables and plots to docs/experiments
    Experiments(experiments::ExperimentOptions),
    /// Measure what each level of script analysis finds
    #[command(subcommand)]
    Levels(levels::LevelsCommand),
    /// Replay rankings over simulated webs in memory, or train the built-in model
    Quickness(quickness::QuicknessOptions),
    /// Test the served API against its OpenAPI document
    Schemathesis(schemathesis::SchemathesisOptions),
    /// Serve the site of `crawl` until stdin ends
    #[command(hide = true)]
    ServeSite(crawl::ServeSiteOptions),
    /// Crawl with the bare loop
    #[command(hide = true)]
    Floor(crawl::FloorOptions),
}

fn main() -> Result<()> {
    let root = root();
    match MeasureCommand::parse() {
        MeasureCommand::Crawl(options) => crawl::run(&root, options),
        MeasureCommand::Capabilities(options) => capabilities::run(&root, &options),
        MeasureCommand::Csw(options) => csw::run(&root, &options),
        MeasureCommand::Giveback(options) => giveback::run(&root, &options),
        MeasureCommand::Harvest(options) => harvest::run(&root, &options),
        MeasureCommand::Mine(options) => mine::run(&root, &options),
        MeasureCommand::Monitor(options) => monitor::run(&options),
        MeasureCommand::Search(options) => search::run(&root, &options),
        MeasureCommand::Watchers(options) => watchers::run(&root, &options),
        MeasureCommand::Cluster(options) => cluster::run(&root, &options),
        MeasureCommand::Experiments(options) => experiments::run(&root, &options),
        MeasureCommand::Levels(subject) => levels::run(&root, &subject),
        MeasureCommand::Quickness(options) => quickness::run(&root, &options),
        MeasureCommand::Schemathesis(options) => schemathesis::run(&root, &options),
        MeasureCommand::ServeSite(options) => crawl::serve_site(&options),
        MeasureCommand::Floor(options) => crawl::crawl_with_floor(&options),
    }
}

/// Returns the root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}
