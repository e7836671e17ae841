//! What looking for map applications costs on a site that has none: every page has scripts, none has a map.

use super::child::{self, Usage};
use super::cores::Cores;
use anyhow::{Context, Result, ensure};
use geotrawl_simweb::{BenchConfig, BenchSite, LogSink};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Scripts {
    /// Pages of the site
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    pages: usize,
    /// Rounds; each crawls twice
    #[arg(long, value_name = "N", default_value_t = 7)]
    repeats: usize,
    /// Serve only, until stdin ends
    #[arg(long, hide = true)]
    serve: bool,
}

/// How much slower the crawl may be.
const MOST: f64 = 1.05;
const LIMIT: Duration = Duration::from_mins(10);

/// Measures, or serves what is measured.
pub fn run(root: &Path, options: &Scripts) -> Result<()> {
    if options.serve { serve(options) } else { measure(root, options) }
}

fn serve(options: &Scripts) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let site = BenchSite::generate(BenchConfig {
            pages: options.pages,
            scripts: true,
            ..BenchConfig::default()
        });
        let listener = TcpListener::bind("127.0.0.1:0")?;
        println!("{} {}", listener.local_addr()?, site.url(0));
        let server = site.serve(listener, Some(LogSink::memory()))?;
        tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
        let scripts = server.log().into_iter().filter(|entry| entry.target.contains(".js")).count();
        println!("{scripts}");
        Ok(())
    })
}

fn measure(root: &Path, options: &Scripts) -> Result<()> {
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--quiet", "-p", "geotrawl"]).current_dir(root);
    ensure!(build.status().context("cargo did not start")?.success(), "geotrawl does not build");
    let (cores, remark) = Cores::choose();
    let scratch = root.join("target/bench/scripts");
    std::fs::create_dir_all(&scratch)?;
    let mut command = cores.server(std::env::current_exe()?);
    command.args(["bench", "scripts", "--serve", "--pages", &options.pages.to_string()]);
    let mut server =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("the site did not start")?;
    let mut said = BufReader::new(server.stdout.take().context("no stdout")?);
    let mut ready = String::new();
    said.read_line(&mut ready)?;
    let (address, seed) = ready.trim().split_once(' ').context("the site did not say where it is")?;

    let crawl = |arguments: &[&str]| -> Result<Usage> {
        let data = scratch.join("data");
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        let mut command = cores.measured(root.join("target/release/geotrawl"));
        command.arg("--data").arg(&data).args(["--quiet", "--delay", "0", "--concurrency", "64"]);
        command.args([
            "--host-concurrency",
            "4",
            "--resolve",
            &format!("*={address}"),
            "crawl",
            seed,
            "--depth",
            "1000",
        ]);
        command.args(["--max-per-host", "4000000"]).args(arguments);
        Ok(child::run(command, &scratch, LIMIT)?.0)
    };
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..options.repeats {
        with.push(crawl(&[])?.cpu_s());
        without.push(crawl(&["--no-scripts"])?.cpu_s());
    }
    drop(server.stdin.take());
    let mut fetched = String::new();
    said.read_line(&mut fetched)?;
    let _ = server.wait();
    let middle = |all: &mut Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let (with, without) = (middle(&mut with), middle(&mut without));
    if let Some(remark) = remark {
        println!("bench: {remark}");
    }
    println!(
        "{} pages with scripts and no map: {with:.3} CPU s looking for applications, {without:.3} without: {:.3} times; {} scripts fetched (medians of {})",
        options.pages,
        with / without,
        fetched.trim(),
        options.repeats
    );
    ensure!(fetched.trim() == "0", "scripts of pages that are no applications were fetched");
    ensure!(with / without <= MOST, "slower than {MOST} times");
    Ok(())
}
