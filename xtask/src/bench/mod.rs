//! `bench`: Geotrawl beside Scrapy, the `spider` crate, a bare loop and a load generator, on one site, in one
//! go. All are pinned alike, and each is measured as a process of its own.

mod bars;
mod capabilities;
mod ceiling;
mod child;
mod cores;
mod csw;
mod floor;
mod frontier;
mod giveback;
mod harvest;
mod load;
mod mine;
mod monitor;
mod peers;
mod report;
mod rounds;
mod scripts;
mod search;
mod serve;
mod server;
mod statistics;
mod watchers;

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};
use cores::Cores;
use peers::{Layout, Setting};
use report::Report;
use server::Server;
use std::path::{Path, PathBuf};

#[derive(Debug, Parser)]
#[command(name = "xtask bench", about = "Geotrawl and its peers on one site: pages/s, CPU, memory")]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Debug, Args)]
struct Options {
    /// Pages of the site [default: 8000, with --quick 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
    pages: Option<u64>,
    /// Hosts of the site with many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(2..=200))]
    hosts: u8,
    /// Rounds [default: 3, with --quick 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    repeats: Option<u64>,
    /// A glance: a small site, one round
    #[arg(long)]
    quick: bool,
    /// A bar that is not met, or not measured, fails the command
    #[arg(long)]
    strict: bool,
    /// Measure the store with 20 million known URLs instead of one million (some minutes, some GB of disk)
    #[arg(long)]
    frontier: bool,
    /// Only these: floor, geotrawl, first, postgres, spider, scrapy, ceiling, frontier
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Install nothing; leave out what is missing
    #[arg(long)]
    no_install: bool,
    /// Where the JSON goes
    #[arg(long, value_name = "DIR", default_value = "bench-out")]
    out: PathBuf,
    /// Further argument for Geotrawl, to try a setting out (repeatable)
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    geotrawl: Vec<String>,
    /// A binary of earlier to compare with (`docs/performance.md` says which is the first)
    #[arg(long, value_name = "FILE")]
    first: Option<PathBuf>,
    /// A database with PostGIS, to measure the shared store beside the embedded one; it gets a schema for each run
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
}

/// Processes of the bench itself.
#[derive(Debug, Subcommand)]
enum Part {
    /// Serve the site until stdin ends
    #[command(hide = true)]
    Serve(serve::Serve),
    /// Crawl with the bare loop
    #[command(hide = true)]
    Floor(floor::Floor),
    /// Dump a large catalogue and harvest it by OAI-PMH
    Giveback(giveback::GiveBack),
    /// Harvest a simulated catalogue
    Harvest(harvest::Harvest),
    /// Look for map applications on a site that has none
    Scripts(scripts::Scripts),
    /// Search generated services and layers beside SQLite FTS5 and R-tree
    Search(search::Search),
    /// Ask generated records by CSW over HTTP
    Csw(csw::Csw),
    /// Read capabilities beside OWSLib
    Capabilities(capabilities::Capabilities),
    /// Watch a crawl with thousands of streams
    Watchers(watchers::Watchers),
    /// A day of checks of 40,000 services: scheduling and storing
    Monitor(monitor::MonitorDay),
    /// Mine archives of the simulated web
    Mine(mine::Mining),
    /// Load a server
    #[command(hide = true)]
    Load(load::Load),
}

/// Runs the bench, or one of its own processes.
pub fn run(root: &Path, args: impl Iterator<Item = String>) -> Result<()> {
    let cli = Cli::try_parse_from(std::iter::once("xtask bench".to_owned()).chain(args));
    let cli = cli.unwrap_or_else(|error| error.exit());
    match cli.part {
        None => whole(root, cli.options),
        Some(Part::Serve(options)) => serve::run(&options),
        Some(Part::Floor(options)) => floor::run(&options),
        Some(Part::Load(options)) => load::run(&options),
        Some(Part::Giveback(options)) => giveback::run(root, &options),
        Some(Part::Harvest(options)) => harvest::run(root, &options),
        Some(Part::Scripts(options)) => scripts::run(root, &options),
        Some(Part::Search(options)) => search::run(root, &options),
        Some(Part::Csw(options)) => csw::run(root, &options),
        Some(Part::Watchers(options)) => watchers::run(root, &options),
        Some(Part::Monitor(options)) => monitor::run(&options),
        Some(Part::Mine(options)) => mine::run(root, &options),
        Some(Part::Capabilities(options)) => capabilities::run(root, &options),
    }
}

/// Known URLs of the store's bench: for a glance, usually, and for the bars.
const FRONTIER_URLS: [u64; 3] = [200_000, 1_000_000, bars::FRONTIER_URLS];

fn whole(root: &Path, options: Options) -> Result<()> {
    let known: Vec<_> = peers::names().chain(["ceiling", "frontier"]).collect();
    if let Some(name) = options.only.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("--only knows {}, not '{name}'", known.join(", "));
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|one| one == name);
    let pages = options.pages.unwrap_or(if options.quick { 2_000 } else { 8_000 });
    let repeats = options.repeats.unwrap_or(if options.quick { 1 } else { 3 }) as usize;
    let (cores, remark) = Cores::choose();
    let mut remarks: Vec<String> = remark.into_iter().collect();
    let setting = Setting {
        root: root.to_path_buf(),
        work: root.join("target/bench"),
        cores,
        install: !options.no_install,
        geotrawl_arguments: options.geotrawl,
        first: options.first,
        postgres: options.postgres,
    };
    let scratch = setting.work.join("scratch");
    std::fs::create_dir_all(&scratch)?;

    let (peers, mut missing) = peers::prepare(&setting, &options.only);
    for missing in &missing {
        println!("bench: without {}: {}", missing.peer, missing.reason);
    }
    // Only now: building the peers is load of our own making.
    let machine = machine(&mut remarks);
    let mut ceilings = Vec::new();
    if wanted("ceiling") {
        println!("bench: the ceiling ...");
        let server = Server::start_unlogged(&setting.cores, &scratch, pages, options.hosts)?;
        ceilings = ceiling::measure(&setting, &server, &scratch, if options.quick { 2 } else { 6 })?;
    }
    let mut servers = vec![
        (Layout::ManyHosts, Server::start(&setting.cores, &scratch, pages, options.hosts)?),
        (Layout::OneHost, Server::start(&setting.cores, &scratch, pages, 1)?),
    ];
    let rows = rounds::run(&setting, &peers, &mut servers, &scratch, repeats);
    let sites = servers.iter().map(|(_, server)| server.site.clone()).collect();
    drop(servers);
    let mut frontier = None;
    if wanted("frontier") {
        let urls = FRONTIER_URLS[if options.frontier { 2 } else { usize::from(!options.quick) }];
        println!("bench: the store with {urls} known URLs ...");
        match frontier::measure(&setting, &scratch, urls) {
            Ok(measured) => frontier = Some(measured),
            Err(error) => missing.push(peers::Missing { peer: "frontier", reason: format!("{error:#}") }),
        }
    }

    let bars = bars::judge(&rows, frontier.as_ref());
    let pinning = setting.cores.describe();
    let report =
        Report { machine, pinning, repeats, sites, ceilings, rows, missing, frontier, bars, remarks };
    println!("\n{}", report.text());
    let out = root.join(&options.out);
    std::fs::create_dir_all(&out)?;
    let file = out.join("bench.json");
    std::fs::write(&file, serde_json::to_string_pretty(&report.json())? + "\n")?;
    println!("written: {}", file.display());
    conclude(&report, options.strict)
}

/// A peer that could not be compared is a fault of the bench; a bar is one only when that was asked for.
fn conclude(report: &Report, strict: bool) -> Result<()> {
    let failed: Vec<_> =
        report.rows.iter().filter(|row| row.failure.is_some()).map(|row| &row.title[..]).collect();
    if !failed.is_empty() {
        bail!("not measured as they should be: {}", failed.join("; "));
    }
    let unmet = report.bars.iter().filter(|bar| bar.passed != Some(true)).count();
    if strict && unmet > 0 {
        bail!("{unmet} of {} bars are not met or not measured", report.bars.len());
    }
    Ok(())
}

/// What the figures were measured on, with a remark when it is busy with something else.
fn machine(remarks: &mut Vec<String>) -> serde_json::Value {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let model = read("/proc/cpuinfo").lines().find_map(|line| {
        line.strip_prefix("model name").map(|rest| rest.trim_start_matches(['\t', ' ', ':']).to_owned())
    });
    let load: Option<f64> = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok());
    if load.is_some_and(|load| load > 1.0) {
        remarks.push(format!(
            "the machine was busy at the start (load {:.1}): CPU seconds count, pages/s do not",
            load.unwrap_or_default()
        ));
    }
    serde_json::json!({
        "model": model,
        "cores": std::thread::available_parallelism().map(std::num::NonZero::get).ok(),
        "kernel": read("/proc/sys/kernel/osrelease").trim(),
        "load_at_start": load,
    })
}
