//! Compares the parsing of capabilities with OWSLib: the same document in one run.

use crate::cores::PinnedCores;
use anyhow::{Context, Result, ensure};
use geotrawl_testkit::documents::wms_capabilities;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options of `capabilities`.
#[derive(Debug, clap::Args)]
pub struct CapabilitiesOptions {
    /// Size of the document in megabytes
    #[arg(long, value_name = "N", default_value_t = 5)]
    megabytes: usize,
}

/// Minimum speed relative to OWSLib.
const LEAST_RATIO: f64 = 40.0;

/// Measures both.
pub fn run(root: &Path, options: &CapabilitiesOptions) -> Result<()> {
    let scratch = root.join("target/bench/capabilities");
    std::fs::create_dir_all(&scratch)?;
    let file = scratch.join("capabilities.xml");
    std::fs::write(&file, wms_capabilities(options.megabytes * 1_000_000))?;
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--quiet", "-p", "geotrawl-kinds", "--example", "read_speed"]);
    ensure!(build.current_dir(root).status()?.success(), "cannot build the example");
    let python = environment(root)?;
    let (cores, _) = PinnedCores::choose_cores();
    let theirs = {
        let mut command = cores.measured_command(python);
        output(command.arg(root.join("bench/owslib/parse.py")).arg(&file).arg("5"))?
    };
    let ours = output(
        cores.measured_command(root.join("target/release/examples/read_speed")).arg("--seconds").arg(&file),
    )?;
    let figures = |text: &str| -> Result<(u64, f64)> {
        let mut words = text.split_whitespace();
        let mut word = || words.next().with_context(|| format!("expected two figures, not {text:?}"));
        Ok((word()?.parse()?, word()?.parse()?))
    };
    let ((our_layers, our_time), (their_layers, their_time)) = (figures(&ours)?, figures(&theirs)?);
    let ratio = their_time / our_time;
    println!(
        "{} bytes, {our_layers} layers: Geotrawl {:.2} ms, OWSLib {:.0} ms ({their_layers} layers), {ratio:.1} times",
        std::fs::metadata(&file)?.len(),
        our_time * 1e3,
        their_time * 1e3
    );
    ensure!(our_layers == their_layers, "the numbers of layers differ");
    ensure!(ratio >= LEAST_RATIO, "less than {LEAST_RATIO} times as fast");
    Ok(())
}

fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns Python with OWSLib, which is installed once.
fn environment(root: &Path) -> Result<PathBuf> {
    let home = root.join("target/bench/owslib");
    let python = home.join("bin/python");
    if home.join("installed").exists() {
        return Ok(python);
    }
    println!("bench: installing OWSLib ...");
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home).status();
    ensure!(
        made.context("python3 is not installed")?.success(),
        "python3 cannot create a virtual environment"
    );
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    ensure!(install.arg(root.join("bench/owslib/requirements.txt")).status()?.success(), "pip failed");
    std::fs::write(home.join("installed"), "")?;
    Ok(python)
}
