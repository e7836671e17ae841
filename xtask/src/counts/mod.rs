//! `counts`: measures the instructions and memory of fixed work and compares them with the
//! committed figures. Times on a shared machine say little about a change; these figures are the
//! same on a busy machine.
//!
//! The work is in `tests/counted`, built with the other tests, which avoids a second build; what
//! grows there grows in a release build as well. callgrind counts the instructions, an allocator
//! the memory.
//!
//! Written by hand, because `gungraun` (formerly `iai-callgrind`) requires a runner of exactly the
//! same version, and compares with an earlier run in `target/` instead of figures in the
//! repository: a fresh checkout would have nothing to compare with.

mod baseline;

use anyhow::{Context, Result, bail, ensure};
use baseline::{BuildEnvironment, CountsBaseline, WorkFigures};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// File with the committed figures.
const FILE: &str = "xtask/counts.json";
/// The counted function, as named by callgrind.
const MEASURED: &str = "counted::measured*";

/// A piece of work, as listed by `counted list`.
struct WorkEntry {
    name: String,
    threads: bool,
    about: String,
}

#[derive(Debug, clap::Args)]
pub struct CountsOptions {
    /// Fail if a figure has grown
    #[arg(long, conflicts_with = "bless")]
    check: bool,
    /// Write the figures to the file
    #[arg(long)]
    bless: bool,
    /// Count only these pieces of work
    names: Vec<String>,
}

/// Counts and compares with the committed figures.
pub fn run(root: &Path, options: &CountsOptions) -> Result<()> {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        let skipped = std::env::var_os("GEOTRAWL_ALLOW_SKIPS").is_some_and(|value| value == "1");
        ensure!(skipped, "valgrind is not installed: run `make valgrind`, or set GEOTRAWL_ALLOW_SKIPS=1");
        println!("SKIPPED: valgrind is not installed, nothing was counted");
        return Ok(());
    }
    let program = build(root)?;
    let made = made()?;
    let all = list(&program)?;
    let names = &options.names;
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|work| work.name != **name)) {
        let known: Vec<&str> = all.iter().map(|work| work.name.as_str()).collect();
        bail!("unknown work '{unknown}'; use one of {}", known.join(", "));
    }
    let chosen = |name: &str| names.is_empty() || names.iter().any(|one| one == name);
    let works: Vec<&WorkEntry> = all.iter().filter(|work| chosen(&work.name)).collect();
    let counted = count(&program, &works)?;
    for work in &works {
        if let Some(figures) = counted.get(&work.name) {
            println!("counts: {:<13}{figures}  ({})", work.name, work.about);
        }
    }
    let path = root.join(FILE);
    let old = std::fs::read_to_string(&path).ok().map(|text| serde_json::from_str::<CountsBaseline>(&text));
    let old = old.transpose().with_context(|| format!("cannot read {FILE}"))?;
    if options.bless {
        let mut works = old.map(|old| old.works).unwrap_or_default();
        works.retain(|name, _| all.iter().any(|work| work.name == *name));
        works.extend(counted);
        std::fs::write(
            &path,
            format!("{}\n", serde_json::to_string_pretty(&CountsBaseline { made, works })?),
        )?;
        println!("counts: written to {FILE}");
        return Ok(());
    }
    let Some(old) = old else { bail!("{FILE} does not exist: run `cargo xtask counts --bless`") };
    if let Some(other) = old.made.describe_difference(&made) {
        println!("counts: not compared: {other}. Run `cargo xtask counts --bless` and commit {FILE}.");
        return Ok(());
    }
    let verdict = baseline::compare_counts(&old.works, &counted);
    for remark in &verdict.remarks {
        println!("counts: {remark}");
    }
    for fault in &verdict.faults {
        println!("counts: MORE: {fault}");
    }
    if verdict.faults.is_empty() || !options.check {
        return Ok(());
    }
    bail!(
        "{} figures grew; if this is intended, run `cargo xtask counts --bless` and explain it in the commit",
        verdict.faults.len()
    )
}

/// Builds the program that does the work, with the same features as `make test`, so that it is not
/// built twice.
fn build(root: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["test", "--workspace", "--exclude", "geotrawl-bench", "--locked", "--no-run", "--quiet"]);
    build.args(["--test", "counted"]);
    // Incremental builds are split differently, which changes the counts.
    build.env("CARGO_INCREMENTAL", "0");
    let built = build.arg("--message-format=json").current_dir(root).stderr(Stdio::inherit()).output();
    let built = built.context("cannot start cargo")?;
    ensure!(built.status.success(), "cannot build the work");
    let told = String::from_utf8(built.stdout)?;
    let mut told = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let program = told.find_map(|line| {
        (line["target"]["name"] == "counted").then(|| line["executable"].as_str().map(PathBuf::from))?
    });
    program.context("cargo did not report the executable")
}

/// Returns the tools that built the work and the machine.
fn made() -> Result<BuildEnvironment> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(BuildEnvironment {
        rustc: said(Command::new(rustc).arg("--version"))?.trim().to_owned(),
        machine: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
    })
}

fn list(program: &Path) -> Result<Vec<WorkEntry>> {
    let text = said(Command::new(program).arg("list"))?;
    let work = |line: &str| {
        let mut parts = line.split('\t').map(str::to_owned);
        let (name, threads) = (parts.next()?, parts.next()? == "threads");
        Some(WorkEntry { name, threads, about: parts.next()? })
    };
    text.lines().map(|line| work(line).with_context(|| format!("cannot parse: {line}"))).collect()
}

/// Counts all work, two pieces at a time: the figures do not depend on the load.
fn count(program: &Path, works: &[&WorkEntry]) -> Result<BTreeMap<String, WorkFigures>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        let counting = || -> Result<()> {
            while let Some(work) = works.get(next.fetch_add(1, Ordering::Relaxed)) {
                let figures = count_one(program, work).with_context(|| work.name.clone())?;
                if let Ok(mut done) = done.lock() {
                    done.insert(work.name.clone(), figures);
                }
            }
            Ok(())
        };
        let other = scope.spawn(counting);
        counting()?;
        other.join().map_err(|_panic| anyhow::anyhow!("a counting thread panicked"))?
    })?;
    Ok(done.into_inner().unwrap_or_default())
}

fn count_one(program: &Path, work: &WorkEntry) -> Result<WorkFigures> {
    let folder = tempfile::tempdir()?;
    said(Command::new(program).args(["prepare", &work.name]).arg(folder.path()))?;
    let report = folder.path().join("callgrind");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind", "--read-inline-info=no"]);
    if !work.threads {
        command.args(["--collect-atstart=no", &format!("--toggle-collect={MEASURED}")]);
    }
    command.arg(format!("--callgrind-out-file={}", report.display()));
    let text = said(command.arg(program).args(["work", &work.name]).arg(folder.path()))?;
    let mut figures: WorkFigures =
        serde_json::from_str(&text).with_context(|| format!("unexpected output {text:?}"))?;
    let report = std::fs::read_to_string(&report)?;
    let total = report.lines().rev().find_map(|line| line.strip_prefix("totals: "));
    figures.instructions = total.context("callgrind reported no total")?.trim().parse()?;
    ensure!(figures.instructions > 0, "callgrind did not see {MEASURED}");
    ensure!(figures.result > 0, "the work returned nothing");
    Ok(figures)
}

fn said(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {command:?}"))?;
    let err = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed: {}", err.trim());
    Ok(String::from_utf8(output.stdout)?)
}
