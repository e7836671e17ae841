//! Harvest of a simulated catalogue: records per second, memory, and whether every record arrived
//! once.

use crate::child;
use crate::cores::PinnedCores;
use crate::served;
use crate::usage::disk_bytes;
use anyhow::{Context, Result, bail, ensure};
use geotrawl_simweb::{CatalogueConfig, CatalogueSite};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Options of `harvest`.
#[derive(Debug, clap::Args)]
pub struct HarvestOptions {
    /// Number of records in the catalogue
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    records: usize,
    /// Maximum number of records per page
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    page: usize,
    /// Only serve the catalogue, until stdin ends
    #[arg(long, hide = true)]
    serve: bool,
}

/// Minimum number of records per second, and maximum memory.
const LEAST_RATE: f64 = 5_000.0;
const MOST_MEMORY: u64 = 300 * 1024 * 1024;
const LIMIT: Duration = Duration::from_hours(1);

/// Measures, or serves the measured catalogue.
pub fn run(root: &Path, options: &HarvestOptions) -> Result<()> {
    if options.serve { serve(options) } else { measure(root, options) }
}

fn serve(options: &HarvestOptions) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let site = CatalogueSite::new(CatalogueConfig {
            records: options.records,
            page: options.page,
            ..CatalogueConfig::default()
        });
        let listener = TcpListener::bind("127.0.0.1:0")?;
        println!("{}", listener.local_addr()?);
        let _server = site.serve(listener, None)?;
        let ended = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
        ended.await??;
        Ok(())
    })
}

fn measure(root: &Path, options: &HarvestOptions) -> Result<()> {
    let geotrawl = served::build_geotrawl(root, true)?;
    let (cores, remark) = PinnedCores::choose_cores();
    let scratch = root.join("target/bench/harvest");
    std::fs::create_dir_all(&scratch)?;
    let data = scratch.join("data");
    if data.exists() {
        std::fs::remove_dir_all(&data)?;
    }
    let mut command = cores.server_command(std::env::current_exe()?);
    command.args(["harvest", "--serve", "--records", &options.records.to_string()]);
    command.args(["--page", &options.page.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.spawn().context("cannot start the catalogue")?;
    let mut address = String::new();
    BufReader::new(server.stdout.take().context("no stdout")?).read_line(&mut address)?;

    let mut command = cores.measured_command(&geotrawl);
    command.arg("--data").arg(&data).args(["--quiet", "--delay", "0", "--resolve"]);
    command.arg(format!("*={}", address.trim()));
    command.args(["harvest", "--records-only", "http://csw.bench.test/csw"]);
    let measured = child::run_measured(command, &scratch, LIMIT);
    drop(server.stdin.take());
    let _ = server.wait();
    let (usage, _) = measured?;

    let (kept, different) = count(&geotrawl, &data)?;
    let rate = kept as f64 / usage.wall_s;
    if let Some(remark) = remark {
        println!("bench: {remark}");
    }
    println!(
        "{kept} records kept ({different} different) of {}: {rate:.0} per second, {:.1} CPU s, {:.1} s, peak {} MB, {} MB on disk",
        options.records,
        usage.cpu_s(),
        usage.wall_s,
        usage.peak_rss_bytes >> 20,
        disk_bytes(&data)? >> 20,
    );
    std::fs::remove_dir_all(&data)?;
    ensure!(kept == options.records && different == options.records, "records were lost or repeated");
    ensure!(rate >= LEAST_RATE, "less than {LEAST_RATE} records per second");
    ensure!(usage.peak_rss_bytes < MOST_MEMORY, "more memory than {} MB", MOST_MEMORY >> 20);
    Ok(())
}

/// Returns the number of records in the store, and of their different identifiers.
fn count(geotrawl: &Path, data: &Path) -> Result<(usize, usize)> {
    let mut export = Command::new(geotrawl);
    export.arg("--data").arg(data).args(["export", "--records"]).stdout(Stdio::piped());
    let mut child = export.spawn()?;
    let out = child.stdout.take().context("no stdout")?;
    let (mut kept, mut ids) = (0, HashSet::new());
    for line in BufReader::new(out).lines() {
        let record: serde_json::Value = serde_json::from_str(&line?)?;
        kept += 1;
        ids.insert(record["id"].as_str().unwrap_or_default().to_owned());
    }
    if !child.wait()?.success() {
        bail!("cannot export the records");
    }
    Ok((kept, ids.len()))
}
