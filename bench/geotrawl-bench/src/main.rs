//! Measurements: `cargo measure <what>`. Each prints what it measured; `docs/performance.md` and `docs/scale.md` keep
//! what was measured when. Not part of `cargo test`: a loaded machine would decide.
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

/// The program's allocator: what is measured here must hold there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Debug, Parser)]
#[command(name = "cargo measure", about = "Measurements of Geotrawl, alone and beside other programs")]
enum Measurement {
    /// Crawl one site with Geotrawl, Scrapy, the `spider` crate and a bare loop
    Crawl(crawl::Options),
    /// Read capabilities beside OWSLib
    Capabilities(capabilities::Capabilities),
    /// Ask generated records by CSW over HTTP
    Csw(csw::Csw),
    /// Dump a large catalogue and harvest it by OAI-PMH
    Giveback(giveback::GiveBack),
    /// Harvest a simulated catalogue
    Harvest(harvest::Harvest),
    /// Mine archives of the simulated web
    Mine(mine::Mining),
    /// A day of checks of 40,000 services: scheduling and storing
    Monitor(monitor::MonitorDay),
    /// Search generated services and layers beside SQLite FTS5 and R-tree
    Search(search::Search),
    /// Watch a crawl with thousands of streams
    Watchers(watchers::Watchers),
    /// Several workers on one throw-away PostgreSQL and one simulated web
    #[command(subcommand)]
    Cluster(cluster::Cluster),
    /// Crawl simulated webs and write tables and plots to docs/experiments
    Experiments(experiments::Options),
    /// What each level of reading code finds
    #[command(subcommand)]
    Levels(levels::Subject),
    /// Replay orderings over simulated webs in memory, or train the model that the program carries
    Quickness(quickness::Options),
    /// Test the served API against its OpenAPI document
    Schemathesis(schemathesis::Options),
    /// Serve the site of `crawl` until stdin ends
    #[command(hide = true)]
    ServeSite(crawl::Serve),
    /// Crawl with the bare loop
    #[command(hide = true)]
    Floor(crawl::Floor),
}

fn main() -> Result<()> {
    let root = root();
    match Measurement::parse() {
        Measurement::Crawl(options) => crawl::run(&root, options),
        Measurement::Capabilities(options) => capabilities::run(&root, &options),
        Measurement::Csw(options) => csw::run(&root, &options),
        Measurement::Giveback(options) => giveback::run(&root, &options),
        Measurement::Harvest(options) => harvest::run(&root, &options),
        Measurement::Mine(options) => mine::run(&root, &options),
        Measurement::Monitor(options) => monitor::run(&options),
        Measurement::Search(options) => search::run(&root, &options),
        Measurement::Watchers(options) => watchers::run(&root, &options),
        Measurement::Cluster(options) => cluster::run(&root, &options),
        Measurement::Experiments(options) => experiments::run(&root, &options),
        Measurement::Levels(subject) => levels::run(&root, &subject),
        Measurement::Quickness(options) => quickness::run(&root, &options),
        Measurement::Schemathesis(options) => schemathesis::run(&root, &options),
        Measurement::ServeSite(options) => crawl::serve_site(&options),
        Measurement::Floor(options) => crawl::crawl_with_floor(&options),
    }
}

/// Returns the root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}
