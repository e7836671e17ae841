//! `crawl`: compares Geotrawl with Scrapy, the `spider` crate and a bare loop on one site in one
//! run. All are pinned in the same way, and each is measured as a separate process.

mod bars;
mod floor;
mod frontier;
mod peers;
mod report;
mod rounds;
mod serve;
mod server;

pub use floor::{FloorOptions, run as crawl_with_floor};
pub use serve::{ServeSiteOptions, run as serve_site};

use crate::cores::PinnedCores;
use anyhow::{Result, bail};
use peers::{PeerSetup, SiteLayout};
use report::BenchReport;
use server::SiteServer;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct CrawlBenchOptions {
    /// Number of pages of the site [default: 8000, with --quick 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
    pages: Option<u64>,
    /// Number of hosts of the site with many hosts
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(2..=200))]
    hosts: u8,
    /// Number of rounds [default: 3, with --quick 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    repeats: Option<u64>,
    /// Use a small site and one round
    #[arg(long)]
    quick: bool,
    /// Fail if a target is missed or not measured
    #[arg(long)]
    strict: bool,
    /// Measure the store with 20 million known URLs instead of one million (takes minutes and
    /// several GB of disk)
    #[arg(long)]
    frontier: bool,
    /// Only these: floor, geotrawl, first, postgres, spider, scrapy, frontier
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Install nothing and skip what is missing
    #[arg(long)]
    no_install: bool,
    /// Folder for the JSON report
    #[arg(long, value_name = "DIR", default_value = "bench-out")]
    out: PathBuf,
    /// Additional argument for Geotrawl, to try a setting (repeatable)
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    geotrawl: Vec<String>,
    /// Earlier binary to compare with (`docs/performance.md` names the first)
    #[arg(long, value_name = "FILE")]
    first: Option<PathBuf>,
    /// Database with PostGIS, to compare the shared store with the embedded one; each run gets its
    /// own schema
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
}

/// Number of known URLs in the store's benchmark: with --quick, by default, and for the targets.
const FRONTIER_URLS: [u64; 3] = [200_000, 1_000_000, bars::FRONTIER_URLS];

/// Measures all peers and compares with the targets.
pub fn run(root: &Path, options: CrawlBenchOptions) -> Result<()> {
    let known: Vec<_> = peers::peer_names().chain(["frontier"]).collect();
    if let Some(name) = options.only.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("unknown name '{name}' for --only; use one of {}", known.join(", "));
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|one| one == name);
    let pages = options.pages.unwrap_or(if options.quick { 2_000 } else { 8_000 });
    let repeats = options.repeats.unwrap_or(if options.quick { 1 } else { 3 }) as usize;
    let (cores, remark) = PinnedCores::choose_cores();
    let mut remarks: Vec<String> = remark.into_iter().collect();
    let setting = PeerSetup {
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

    let (peers, mut missing) = peers::prepare_peers(&setting, &options.only);
    for missing in &missing {
        println!("bench: skipping {}: {}", missing.peer, missing.reason);
    }
    // Not earlier, because building the peers causes load.
    let machine = machine(&mut remarks);
    let mut servers = vec![
        (SiteLayout::ManyHosts, SiteServer::start(&setting.cores, pages, options.hosts)?),
        (SiteLayout::OneHost, SiteServer::start(&setting.cores, pages, 1)?),
    ];
    let rows = rounds::run(&setting, &peers, &mut servers, &scratch, repeats);
    let sites = servers.iter().map(|(_, server)| server.site.clone()).collect();
    drop(servers);
    let mut frontier = None;
    if wanted("frontier") {
        let urls = FRONTIER_URLS[if options.frontier { 2 } else { usize::from(!options.quick) }];
        println!("bench: the store with {urls} known URLs ...");
        match frontier::measure_frontier(&setting, &scratch, urls) {
            Ok(measured) => frontier = Some(measured),
            Err(error) => missing.push(peers::MissingPeer { peer: "frontier", reason: format!("{error:#}") }),
        }
    }

    let bars = bars::judge_bars(&rows, frontier.as_ref());
    let pinning = setting.cores.describe_cores();
    let report = BenchReport { machine, pinning, repeats, sites, rows, missing, frontier, bars, remarks };
    println!("\n{}", report.to_text());
    let out = root.join(&options.out);
    std::fs::create_dir_all(&out)?;
    let file = out.join("bench.json");
    std::fs::write(&file, serde_json::to_string_pretty(&report.to_json())? + "\n")?;
    println!("written: {}", file.display());
    conclude(&report, options.strict)
}

/// Fails if a peer could not be compared; missed targets only count with `--strict`.
fn conclude(report: &BenchReport, strict: bool) -> Result<()> {
    let failed: Vec<_> =
        report.rows.iter().filter(|row| row.failure.is_some()).map(|row| &row.title[..]).collect();
    if !failed.is_empty() {
        bail!("not measured correctly: {}", failed.join("; "));
    }
    let unmet = report.bars.iter().filter(|bar| bar.passed != Some(true)).count();
    if strict && unmet > 0 {
        bail!("{unmet} of {} targets are missed or not measured", report.bars.len());
    }
    Ok(())
}

/// Describes the machine, with a remark if it is busy with something else.
fn machine(remarks: &mut Vec<String>) -> serde_json::Value {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let model = read("/proc/cpuinfo").lines().find_map(|line| {
        line.strip_prefix("model name").map(|rest| rest.trim_start_matches(['\t', ' ', ':']).to_owned())
    });
    let load: Option<f64> = crate::usage::load_average().parse().ok();
    if load.is_some_and(|load| load > 1.0) {
        remarks.push(format!(
            "the machine was busy at the start (load {:.1}): CPU seconds are valid, pages/s are not",
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
