//! `counts`: how many instructions and how much memory fixed work takes, compared with what it took before. Time on a shared
//! machine says little about a change; this says the same on a busy one.
//!
//! The work is `tests/counted`, built with the other tests: that costs no second build, and what grows there grows in a
//! release build too. callgrind counts the instructions, an allocator the memory.
//!
//! By hand, because `gungraun` (formerly `iai-callgrind`) wants a runner of the very same version installed beside it, and compares with what an
//! earlier run left in `target/`, not with figures that stand in the repository: a fresh checkout would compare with nothing.

mod baseline;

use anyhow::{Context, Result, bail, ensure};
use baseline::{BuildEnvironment, CountsBaseline, WorkFigures};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was counted last, and holds until it is renewed.
const FILE: &str = "xtask/counts.json";
/// The function that is counted, as callgrind names it.
const MEASURED: &str = "counted::measured*";

/// A piece of work, as `counted list` tells it.
struct WorkEntry {
    name: String,
    threads: bool,
    about: String,
}

#[derive(Debug, clap::Args)]
pub struct CountsOptions {
    /// Fail when a figure has grown
    #[arg(long, conflicts_with = "bless")]
    check: bool,
    /// Write the figures down
    #[arg(long)]
    bless: bool,
    /// Count only these pieces of work
    names: Vec<String>,
}

/// Counts, and compares with what was counted before.
pub fn run(root: &Path, options: &CountsOptions) -> Result<()> {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        let skipped = std::env::var_os("GEOTRAWL_ALLOW_SKIPS").is_some_and(|value| value == "1");
        ensure!(skipped, "valgrind is not installed: run `make valgrind`, or set GEOTRAWL_ALLOW_SKIPS=1");
        println!("SKIPPED: no valgrind, nothing was counted");
        return Ok(());
    }
    let program = build(root)?;
    let made = made()?;
    let all = list(&program)?;
    let names = &options.names;
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|work| work.name != **name)) {
        let known: Vec<&str> = all.iter().map(|work| work.name.as_str()).collect();
        bail!("there is no work '{unknown}'; there is {}", known.join(", "));
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
    let old = old.transpose().with_context(|| format!("{FILE} cannot be read"))?;
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
    let Some(old) = old else { bail!("{FILE} is not there: run `cargo xtask counts --bless`") };
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
        "{} figures grew; if that is meant, run `cargo xtask counts --bless` and say why in the commit",
        verdict.faults.len()
    )
}

/// The program that does the work, with the same features as for `make test`: others would be another program.
fn build(root: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["test", "--workspace", "--exclude", "geotrawl-bench", "--locked", "--no-run", "--quiet"]);
    build.args(["--test", "counted"]);
    // Incremental builds are cut into other pieces, and so have other counts.
    build.env("CARGO_INCREMENTAL", "0");
    let built = build.arg("--message-format=json").current_dir(root).stderr(Stdio::inherit()).output();
    let built = built.context("cargo did not start")?;
    ensure!(built.status.success(), "the work does not build");
    let told = String::from_utf8(built.stdout)?;
    let mut told = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let program = told.find_map(|line| {
        (line["target"]["name"] == "counted").then(|| line["executable"].as_str().map(PathBuf::from))?
    });
    program.context("cargo did not say where it put the work")
}

/// With what it was built, and where it is counted.
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
    text.lines().map(|line| work(line).with_context(|| format!("not understood: {line}"))).collect()
}

/// Counts all, two at a time: what is counted does not depend on who else runs.
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
        other.join().map_err(|_panic| anyhow::anyhow!("counting broke down"))?
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
        serde_json::from_str(&text).with_context(|| format!("it said {text:?}"))?;
    let report = std::fs::read_to_string(&report)?;
    let total = report.lines().rev().find_map(|line| line.strip_prefix("totals: "));
    figures.instructions = total.context("callgrind gave no total")?.trim().parse()?;
    ensure!(figures.instructions > 0, "callgrind did not see {MEASURED}");
    ensure!(figures.result > 0, "the work gave nothing");
    Ok(figures)
}

fn said(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("{command:?} did not start"))?;
    let err = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed: {}", err.trim());
    Ok(String::from_utf8(output.stdout)?)
}
