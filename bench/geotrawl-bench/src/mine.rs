//! Mining archives of the simulated web: uncompressed megabytes per second and core, and whether
//! memory is independent of the size of the archive.

use crate::child::{self, ProcessUsage};
use crate::served;
use crate::usage::load_average;
use anyhow::{Result, bail, ensure};
use geotrawl_simweb::SimWebConfig;
use geotrawl_simweb::archive::{ArchiveOptions, ArchivePaths, write_archive};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Options of `mine`.
#[derive(Debug, clap::Args)]
pub struct MineBenchOptions {
    /// Uncompressed size of each archive in megabytes
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    megabytes: u64,
    /// Number of rounds; the median counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeats: usize,
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
    /// Only create the archive in this folder
    #[arg(long, hide = true)]
    make: Option<PathBuf>,
    /// Create a WAT file
    #[arg(long, hide = true)]
    wat: bool,
}

/// Minimum megabytes per second and core: searching the addresses of a WAT file, reading the pages
/// of a WARC file.
const SCANNING: f64 = 150.0;
const READING: f64 = 60.0;
/// Maximum growth of memory for an archive of eight times the size.
const GROWTH: f64 = 1.25;
const LIMIT: Duration = Duration::from_mins(10);

/// A type of archive, measured in two sizes.
struct MineCase {
    name: &'static str,
    bar: f64,
    wat: bool,
    arguments: &'static [&'static str],
}

const CASES: &[MineCase] = &[
    MineCase { name: "WAT, addresses", bar: SCANNING, wat: true, arguments: &[] },
    MineCase { name: "WARC, pages and scripts", bar: READING, wat: false, arguments: &[] },
];

/// Measures.
pub fn run(root: &Path, options: &MineBenchOptions) -> Result<()> {
    if let Some(folder) = &options.make {
        return make(folder, options.wat, options.megabytes * 1_000_000);
    }
    let geotrawl = served::build_geotrawl(root, true)?;
    let scratch = tempfile::tempdir()?;
    println!("mine: load at the start: {}", load_average());
    let mut short = Vec::new();
    for case in CASES {
        let mut peaks = Vec::new();
        for megabytes in [options.megabytes / 8, options.megabytes] {
            let folder = scratch.path().join(megabytes.to_string());
            let (archive, bytes) = made(&folder, case.wat, megabytes)?;
            let mut runs = Vec::new();
            let repeats = if megabytes == options.megabytes { options.repeats.max(1) } else { 1 };
            for _ in 0..repeats {
                runs.push(mine(&geotrawl, scratch.path(), &archive, case.arguments)?);
            }
            std::fs::remove_dir_all(&folder)?;
            runs.sort_by(|one, other| one.cpu_s().total_cmp(&other.cpu_s()));
            let Some(run) = runs.get(runs.len() / 2) else { bail!("nothing was measured") };
            peaks.push(runs.iter().map(|run| run.peak_rss_bytes).max().unwrap_or_default() as f64 / 1e6);
            if megabytes != options.megabytes {
                continue;
            }
            let megabytes = bytes as f64 / 1e6;
            let rate = megabytes / run.cpu_s();
            let name = format!("{}: MB/s a core", case.name);
            println!(
                "{}: {megabytes:.0} MB in {:.2} CPU s ({:.2} user), {:.2} s on one thread",
                case.name,
                run.cpu_s(),
                run.user_s,
                run.wall_s
            );
            judge(&name, rate, case.bar, true, &mut short);
        }
        if let [small, whole] = peaks[..] {
            println!("{}: peak memory {small:.0} MB for an eighth, {whole:.0} MB for the whole", case.name);
            judge(
                &format!("{}: peak memory for the whole archive, relative to an eighth of it", case.name),
                whole / small,
                GROWTH,
                false,
                &mut short,
            );
        }
    }
    ensure!(short.is_empty() || !options.strict, "targets missed: {}", short.join(", "));
    Ok(())
}

fn judge(name: &str, figure: f64, bar: f64, at_least: bool, short: &mut Vec<String>) {
    let met = if at_least { figure >= bar } else { figure <= bar };
    let (sign, verdict) = (if at_least { ">=" } else { "<=" }, if met { "met" } else { "short" });
    println!("  {name}: {figure:.2} ({sign} {bar}: {verdict})");
    if !met {
        short.push(name.to_owned());
    }
}

/// Creates an archive and prints its uncompressed size.
fn make(folder: &Path, wat: bool, bytes: u64) -> Result<()> {
    let options = ArchiveOptions {
        bytes: Some(bytes),
        warc: !wat,
        wat,
        wet: false,
        indexes: false,
        ..ArchiveOptions::default()
    };
    let config = SimWebConfig { seed: 1, hosts: 300, ..SimWebConfig::default() };
    let done = write_archive(folder, &config, &options)?;
    println!("{}", if wat { done.wat_bytes } else { done.warc_bytes });
    Ok(())
}

/// Creates an archive in another process, because this one must stay small; returns its path and
/// size.
fn made(folder: &Path, wat: bool, megabytes: u64) -> Result<(PathBuf, u64)> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["mine", "--megabytes", &megabytes.to_string(), "--make"]).arg(folder);
    if wat {
        command.arg("--wat");
    }
    let output = command.output()?;
    ensure!(
        output.status.success(),
        "cannot create the archive: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let bytes = String::from_utf8_lossy(&output.stdout).trim().parse()?;
    let paths = ArchivePaths::in_folder(folder, true);
    Ok((if wat { paths.wat } else { paths.warc }, bytes))
}

fn mine(geotrawl: &Path, scratch: &Path, archive: &Path, arguments: &[&str]) -> Result<ProcessUsage> {
    let data = scratch.join("data");
    if data.exists() {
        std::fs::remove_dir_all(&data)?;
    }
    let mut command = Command::new(geotrawl);
    command.arg("--data").arg(&data).args(["--quiet", "--json", "mine", "--offline", "--threads", "1"]);
    command.args(arguments).arg(archive);
    Ok(child::run_measured(command, scratch, LIMIT)?.0)
}
