//! Serving a large catalogue to others: a full OAI-PMH harvest and a dump, in bounded memory.

use crate::child;
use crate::served::{self, ServedProgram};
use crate::usage::peak_memory;
use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use std::collections::HashSet;
use std::io::{BufWriter, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Options of `giveback`.
#[derive(Debug, clap::Args)]
pub struct GiveBackOptions {
    /// Number of records in the catalogue
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    records: u64,
    /// Number of layers per record
    #[arg(long, value_name = "N", default_value_t = 10)]
    layers: u64,
    /// Measure the debug build, whose speed is not meaningful
    #[arg(long)]
    debug: bool,
}

const MOST_MEMORY: u64 = 300 * 1024 * 1024;
const LIMIT: Duration = Duration::from_hours(1);

/// Measures.
pub fn run(root: &Path, options: &GiveBackOptions) -> Result<()> {
    let binary = served::build_geotrawl(root, !options.debug)?;
    let scratch = root.join("target/bench/giveback");
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch)?;
    }
    std::fs::create_dir_all(&scratch)?;
    let (finds, data) = (scratch.join("finds.jsonl"), scratch.join("data"));
    write_finds(&finds, options)?;
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command.arg("--data").arg(&data).arg("--quiet").args(arguments);
        command
    };
    let (taken, _) = child::run_measured(command(&["import", text(&finds)?]), &scratch, LIMIT)?;
    println!(
        "import: {:.0} records per second, peak {} MB",
        rate(options, taken.wall_s),
        taken.peak_rss_bytes >> 20
    );
    let folder = scratch.join("dump");
    let dumping = command(&["export", "--format", "dump", "-o", text(&folder)?]);
    let (dumped, _) = child::run_measured(dumping, &scratch, LIMIT)?;
    println!(
        "dump: {:.0} records per second, peak {} MB",
        rate(options, dumped.wall_s),
        dumped.peak_rss_bytes >> 20
    );
    let again = scratch.join("again");
    let comparing = command(&["export", "--format", "dump", "-o", text(&again)?, "--since", text(&folder)?]);
    let (compared, _) = child::run_measured(comparing, &scratch, LIMIT)?;
    println!("dump with differences: peak {} MB", compared.peak_rss_bytes >> 20);
    // A running server already has an index; building it is a separate figure.
    let (indexed, _) = child::run_measured(command(&["index", "rebuild"]), &scratch, LIMIT)?;
    println!(
        "index: {:.0} records per second, peak {} MB",
        rate(options, indexed.wall_s),
        indexed.peak_rss_bytes >> 20
    );
    let (harvested, parts, seconds, memory) = harvest(&binary, &data, &scratch)?;
    println!(
        "OAI-PMH: {harvested} records in {parts} parts, {:.0} per second, peak {} MB",
        rate(options, seconds),
        memory >> 20
    );
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("manifest.json"))?)?;
    std::fs::remove_dir_all(&scratch)?;
    ensure!(manifest["records"] == options.records, "the dump contains {}", manifest["records"]);
    ensure!(harvested == options.records, "records were lost or repeated");
    let peak = dumped.peak_rss_bytes.max(compared.peak_rss_bytes).max(memory);
    ensure!(peak < MOST_MEMORY, "more memory than {} MB: {} MB", MOST_MEMORY >> 20, peak >> 20);
    Ok(())
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("the path is not valid UTF-8")
}

fn rate(options: &GiveBackOptions, seconds: f64) -> f64 {
    options.records as f64 / seconds
}

/// Writes records as another instance would export them.
fn write_finds(path: &PathBuf, options: &GiveBackOptions) -> Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    for number in 0..options.records {
        let kind = ["wms", "wfs", "wcs", "wmts"][(number % 4) as usize];
        let west = (number % 340) as f64 - 170.0;
        let bbox = [west, -40.0, west + 9.5, 40.0];
        let layers: Vec<_> = (0..options.layers)
            .map(|layer| json!({ "name": format!("layer_{number}_{layer}"), "title": format!("Rivers of district {layer}"), "bbox": bbox }))
            .collect();
        let host = format!("gis{}.example", number / 3);
        let record = json!({
            "id": number.to_string(), "kind": kind, "url": format!("http://{host}/{number}/{kind}"), "aliases": [],
            "title": format!("Waters of district {number}"), "abstract": "Rivers, lakes and canals. ".repeat(20),
            "keywords": ["water", "rivers", "lakes"], "provider": format!("Office {}", number / 3), "bbox": bbox, "datasets": layers,
            "dataset_count": options.layers, "status": "alive", "host": { "name": host }, "first_seen": "2026-01-01T00:00:00Z",
            "last_seen": "2026-01-02T00:00:00Z", "provenance": [],
        });
        serde_json::to_writer(&mut out, &record)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Reads the list of all records to its end; returns records, parts, seconds, and the peak memory
/// of the server.
fn harvest(binary: &Path, data: &Path, scratch: &Path) -> Result<(u64, u64, f64, u64)> {
    let config = scratch.join("config.toml");
    std::fs::write(&config, "[serve]\nguest_rate = 10000000\n")?;
    let arguments = ["--config".to_owned(), text(&config)?.to_owned()];
    let server = ServedProgram::start(binary, data, &arguments, &["--role", "web"])?;
    let address = server.address;
    let begun = Instant::now();
    let (mut ids, mut parts) = (HashSet::new(), 0);
    let mut question = "verb=ListRecords&metadataPrefix=oai_dc".to_owned();
    loop {
        let document = get(address, &format!("/oai?{question}"))?;
        ensure!(
            !document.contains("<error"),
            "rejected: {}",
            &document[document.len().saturating_sub(400)..]
        );
        parts += 1;
        for rest in document.split("<identifier>").skip(1) {
            let id = rest.split('<').next().unwrap_or_default();
            ensure!(ids.insert(id.to_owned()), "{id} was returned twice");
        }
        let token = document.split("<resumptionToken").nth(1).and_then(|rest| rest.split_once('>'));
        let token = token.and_then(|(_, rest)| rest.split('<').next()).unwrap_or_default();
        if token.is_empty() {
            break;
        }
        question = format!("verb=ListRecords&resumptionToken={token}");
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok((ids.len() as u64, parts, seconds, peak_memory(server.pid())))
}

/// Sends a request over its own connection.
fn get(address: SocketAddr, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_mins(2)))?;
    write!(stream, "GET {path} HTTP/1.0\r\nhost: {address}\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if head.contains(" 200 ") => Ok(body.to_owned()),
        _ => bail!("unexpected answer: {}", answer.lines().next().unwrap_or_default()),
    }
}
