//! Reading capabilities beside OWSLib: the same document, in one run.

use super::cores::Cores;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Capabilities {
    /// Size of the document
    #[arg(long, value_name = "N", default_value_t = 5)]
    megabytes: usize,
}

/// How many times as fast as OWSLib.
const LEAST_RATIO: f64 = 40.0;

/// Measures both.
pub fn run(root: &Path, options: &Capabilities) -> Result<()> {
    let scratch = root.join("target/bench/capabilities");
    std::fs::create_dir_all(&scratch)?;
    let file = scratch.join("capabilities.xml");
    std::fs::write(&file, document(options.megabytes * 1_000_000))?;
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--quiet", "-p", "geotrawl-kinds", "--example", "read_speed"]);
    ensure!(build.current_dir(root).status()?.success(), "the example does not build");
    let python = environment(root)?;
    let (cores, _) = Cores::choose();
    let theirs = {
        let mut command = cores.measured(python);
        output(command.arg(root.join("bench/owslib/parse.py")).arg(&file).arg("5"))?
    };
    let ours =
        output(cores.measured(root.join("target/release/examples/read_speed")).arg("--seconds").arg(&file))?;
    let figures = |text: &str| -> Result<(u64, f64)> {
        let mut words = text.split_whitespace();
        let mut word = || words.next().with_context(|| format!("two figures are expected, not {text:?}"));
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
    ensure!(our_layers == their_layers, "they do not see the same layers");
    ensure!(ratio >= LEAST_RATIO, "short of the bar of {LEAST_RATIO} times");
    Ok(())
}

/// A WMS 1.3.0 document with everything that layers have.
fn document(size: usize) -> String {
    let mut out = String::with_capacity(size + 4_096);
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<WMS_Capabilities version=\"1.3.0\" xmlns=\"http://www.opengis.net/wms\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<Service><Name>WMS</Name><Title>Bench</Title><OnlineResource xlink:href=\"http://example.org/wms\"/></Service>\n<Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get><OnlineResource xlink:href=\"http://example.org/wms?\"/></Get></HTTP></DCPType></GetCapabilities><GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href=\"http://example.org/wms?\"/></Get></HTTP></DCPType></GetMap></Request><Exception><Format>XML</Format></Exception>\n<Layer><Title>Root</Title><CRS>EPSG:4326</CRS><CRS>EPSG:3857</CRS><CRS>CRS:84</CRS><EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>\n");
    for number in 0.. {
        if out.len() >= size {
            break;
        }
        let west = number % 170;
        let _ = writeln!(
            out,
            "<Layer queryable=\"1\"><Name>layer_{number}</Name><Title>Layer number {number}</Title><Abstract>What layer {number} shows, in the words of those who made it, with enough of them to be read.</Abstract><KeywordList><Keyword>theme {}</Keyword><Keyword>region {}</Keyword></KeywordList><CRS>EPSG:4326</CRS><CRS>EPSG:25832</CRS><EX_GeographicBoundingBox><westBoundLongitude>{west}.25</westBoundLongitude><eastBoundLongitude>{}.75</eastBoundLongitude><southBoundLatitude>-12.5</southBoundLatitude><northBoundLatitude>44.125</northBoundLatitude></EX_GeographicBoundingBox><BoundingBox CRS=\"EPSG:4326\" minx=\"-12.5\" miny=\"{west}.25\" maxx=\"44.125\" maxy=\"{}.75\"/><Dimension name=\"time\" units=\"ISO8601\" default=\"2026-01-01\">2020-01-01/2026-01-01/P1D</Dimension><MetadataURL type=\"ISO19115:2003\"><Format>text/xml</Format><OnlineResource xlink:href=\"http://example.org/md/{number}\"/></MetadataURL><Style><Name>default</Name><Title>Default</Title><LegendURL width=\"20\" height=\"20\"><Format>image/png</Format><OnlineResource xlink:href=\"http://example.org/legend/{number}\"/></LegendURL></Style></Layer>",
            number % 34,
            number % 97,
            west + 5,
            west + 5,
        );
    }
    out.push_str("</Layer></Capability></WMS_Capabilities>\n");
    out
}

fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("{command:?} did not start"))?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Python with OWSLib, made once.
fn environment(root: &Path) -> Result<PathBuf> {
    let home = root.join("target/bench/owslib");
    let python = home.join("bin/python");
    if home.join("installed").exists() {
        return Ok(python);
    }
    println!("bench: installing OWSLib ...");
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home).status();
    ensure!(made.context("python3 is not here")?.success(), "python3 cannot make a virtual environment");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    ensure!(install.arg(root.join("bench/owslib/requirements.txt")).status()?.success(), "pip failed");
    std::fs::write(home.join("installed"), "")?;
    Ok(python)
}
