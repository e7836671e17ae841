//! Thousands of clients follow one crawl: how soon they see a find, how they slow the crawl down,
//! and how much memory they take.
//!
//! The program runs as a separate process; the simulated web and the clients share this one. The
//! crawl uses a crawl delay like real crawls, so its rate is determined by the delay unless the
//! clients slow it down.

use crate::served::{self, ServedProgram};
use crate::statistics::FigureSpread;
use crate::usage::{cpu_of, load_average, peak_memory};
use anyhow::{Context, Result, bail, ensure};
use geotrawl_model::store::JobStore;
use geotrawl_simweb::{ServerHandle, SimWeb, SimWebConfig};
use geotrawl_store::EmbeddedStore;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};

/// Maximum number of clients that connect at once.
const AT_THE_DOOR: usize = 64;
/// Start of a crawl that is excluded from its rate.
const RUN_UP: Duration = Duration::from_secs(3);

/// Options of `watchers`.
#[derive(Debug, clap::Args)]
pub struct WatchersOptions {
    #[arg(long, default_value_t = 5_000)]
    watchers: usize,
    /// Seconds to measure each crawl
    #[arg(long, default_value_t = 25)]
    seconds: u64,
    /// Number of rounds, each without and with watchers
    #[arg(long, default_value_t = 2)]
    rounds: usize,
    /// Number of hosts of the simulated web
    #[arg(long, default_value_t = 80)]
    hosts: usize,
    /// Number of pages of the simulated web
    #[arg(long, default_value_t = 8_000)]
    pages: usize,
    /// Milliseconds between two requests to a host
    #[arg(long, default_value_t = 500)]
    delay: u64,
    /// Measure a build without optimisation, which builds faster
    #[arg(long)]
    unoptimised: bool,
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
}

/// Figures of one crawl.
struct WatchedCrawl {
    requests_per_second: f64,
    /// Seconds from the commit of a find until a watcher received it, sorted.
    delays: Vec<f64>,
    /// Number of finds that every watcher should receive, and of missing and duplicate deliveries.
    finds: usize,
    missed: usize,
    doubled: usize,
    peak_bytes: u64,
    cpu_s: f64,
}

/// Measures and compares with the targets.
pub fn run(root: &Path, options: &WatchersOptions) -> Result<()> {
    enough_files(options.watchers)?;
    let binary = served::build_geotrawl(root, !options.unoptimised)?;
    println!("watchers: {} of them, load {} at the start", options.watchers, load_average());
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds.max(1) {
        without.push(measure(&binary, options, 0)?);
        with.push(measure(&binary, options, options.watchers)?);
    }
    let middle = |all: &[WatchedCrawl], of: fn(&WatchedCrawl) -> f64| {
        FigureSpread::from_figures(all.iter().map(of)).map_or(0.0, |spread| spread.median)
    };
    let rate = |all: &[WatchedCrawl]| middle(all, |one| one.requests_per_second);
    let cpu = |all: &[WatchedCrawl]| middle(all, |one| one.cpu_s);
    let mut delays: Vec<f64> = with.iter().flat_map(|one| one.delays.iter().copied()).collect();
    delays.sort_by(f64::total_cmp);
    ensure!(!delays.is_empty(), "no find was received");
    let at = |part: f64| delays[((delays.len() - 1) as f64 * part) as usize];
    let sum = |of: fn(&WatchedCrawl) -> usize| with.iter().map(of).sum::<usize>();
    let (alone, watched) = (rate(&without), rate(&with));
    let peak = with.iter().map(|one| one.peak_bytes).max().unwrap_or(0);
    println!(
        "finds {}, received {} times; missed {}, duplicated {}",
        sum(|one| one.finds),
        delays.len(),
        sum(|one| one.missed),
        sum(|one| one.doubled)
    );
    println!(
        "delay from commit to receipt: p50 {:.3} s, p90 {:.3} s, p99 {:.3} s, maximum {:.3} s",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!(
        "requests/s: {alone:.1} alone, {watched:.1} watched; server CPU: {:.1} s alone, {:.1} s watched",
        cpu(&without),
        cpu(&with)
    );
    println!("peak memory: {:.0} MB alone, {:.0} MB watched", megabytes(&without), peak as f64 / 1e6);
    println!("load {} at the end", load_average());
    let lost = sum(|one| one.missed) + sum(|one| one.doubled);
    let bars = [
        (format!("p99 {:.3} s < 1 s", at(0.99)), at(0.99) < 1.0),
        (format!("rate {:+.1} % within 10 %", (watched / alone - 1.0) * 100.0), watched > alone * 0.9),
        (format!("memory {:.0} MB < 1 GB", peak as f64 / 1e6), peak < 1_000_000_000),
        (format!("{lost} events missed or duplicated"), lost == 0),
    ];
    for (bar, met) in &bars {
        println!("{} {bar}", if *met { "met:    " } else { "NOT MET:" });
    }
    if options.strict && bars.iter().any(|(_, met)| !met) {
        bail!("a target was missed");
    }
    Ok(())
}

fn megabytes(all: &[WatchedCrawl]) -> f64 {
    all.iter().map(|one| one.peak_bytes).max().unwrap_or(0) as f64 / 1e6
}

/// Every watcher needs an open file here and in the server.
fn enough_files(watchers: usize) -> Result<()> {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap_or_default();
    let most: Option<usize> = line.split_whitespace().nth(3).and_then(|text| text.parse().ok());
    if most.is_some_and(|most| most < watchers + 1_000) {
        bail!("only {} files may be open; run `ulimit -n {}` first", most.unwrap_or(0), watchers + 2_000);
    }
    Ok(())
}

fn measure(binary: &Path, options: &WatchersOptions, watchers: usize) -> Result<WatchedCrawl> {
    let data = tempfile::tempdir()?;
    // Separate runtimes, so that the web does not wait for the watchers.
    let one = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let (others, runtime) = (one()?, one()?);
    let (web, handle, pin) = web(&others, options)?;
    served::add_user(binary, data.path(), &["boss", "--admin"])?;
    let server = start(binary, data.path(), &pin, options)?;
    let boss = server.log_in("boss")?;
    let spec = json!({ "seeds": web.seeds(), "scope": "any", "depth": 30, "public": true });
    let (status, task) = server.send_request(Some(&boss), "POST", "/tasks", &spec)?;
    ensure!(status == 201, "cannot create a task: {task}");
    let path = format!("/tasks/{}", task["id"]);
    let (stop, stopped) = watch::channel(false);
    let crowd = WatcherCrowd::enter(&runtime, &server, &format!("/api/v1{path}/events"), watchers, &stopped)?;
    let (status, answer) =
        server.send_request(Some(&boss), "POST", &format!("{path}/start"), &Value::Null)?;
    ensure!(status == 200, "cannot start the task: {answer}");
    std::thread::sleep(RUN_UP);
    let (before, cpu_before, since) = (handle.served_count(), cpu_of(server.pid()).0, Instant::now());
    std::thread::sleep(Duration::from_secs(options.seconds));
    let requests_per_second = (handle.served_count() - before) as f64 / since.elapsed().as_secs_f64();
    let cpu_s = cpu_of(server.pid()).0 - cpu_before;
    server.send_request(Some(&boss), "POST", &format!("{path}/pause"), &Value::Null)?;
    // Wait for the delivery of the last commits.
    std::thread::sleep(Duration::from_secs(4));
    let peak_bytes = peak_memory(server.pid());
    let _ = stop.send(true);
    let seen = crowd.leave(&runtime)?;
    drop(server);
    let store = EmbeddedStore::open_read_only(data.path())?;
    let (finds, mut delays, missed, doubled) = compare(&store, &seen)?;
    delays.sort_by(f64::total_cmp);
    Ok(WatchedCrawl { requests_per_second, delays, finds, missed, doubled, peak_bytes, cpu_s })
}

fn web(
    runtime: &tokio::runtime::Runtime,
    options: &WatchersOptions,
) -> Result<(SimWeb, ServerHandle, String)> {
    let config = SimWebConfig { hosts: options.hosts, pages: Some(options.pages), ..SimWebConfig::default() };
    let web = SimWeb::generate(config);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let pin = format!("*={}", listener.local_addr()?);
    let handle = runtime.block_on(async { web.serve(listener, None) })?;
    Ok((web, handle, pin))
}

fn start(binary: &Path, data: &Path, pin: &str, options: &WatchersOptions) -> Result<ServedProgram> {
    let config: PathBuf = data.join("bench.toml");
    // The whole web has one address; its hosts are distinguished by name.
    let delay = options.delay;
    std::fs::write(
        &config,
        format!(
            "[serve]\nguest_rate = 10000000\n[fetch.politeness]\ndelay = {delay}\ncrawl_delay_cap = {delay}\n\
             adaptive_cap = {delay}\nip_delay = 0\nper_ip = 0\n"
        ),
    )?;
    let config = config.display().to_string();
    let arguments = ["--config", &config, "--timeout", "3", "--resolve", pin].map(str::to_owned);
    ServedProgram::start(binary, data, &arguments, &[])
}

/// Number of an event and its time of arrival in microseconds.
type EventSighting = (i64, i64);

struct WatcherCrowd {
    tasks: Vec<tokio::task::JoinHandle<Vec<EventSighting>>>,
}

impl WatcherCrowd {
    /// Connects all watchers and waits until each has received the greeting.
    fn enter(
        runtime: &tokio::runtime::Runtime,
        server: &ServedProgram,
        path: &str,
        count: usize,
        stopped: &watch::Receiver<bool>,
    ) -> Result<Self> {
        let inside = Arc::new(AtomicUsize::new(0));
        let door = Arc::new(Semaphore::new(AT_THE_DOOR));
        let mut tasks = Vec::new();
        for _ in 0..count {
            let (address, path, stopped) = (server.address, path.to_owned(), stopped.clone());
            let (inside, door) = (Arc::clone(&inside), Arc::clone(&door));
            tasks.push(runtime.spawn(async move {
                watch_one(address, &path, stopped, &inside, &door).await.unwrap_or_default()
            }));
        }
        let patience = Instant::now() + Duration::from_mins(2);
        while inside.load(Ordering::Acquire) < count {
            let now = inside.load(Ordering::Acquire);
            ensure!(Instant::now() < patience, "only {now} of {count} watchers could connect");
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Self { tasks })
    }

    /// Returns what each watcher received.
    fn leave(self, runtime: &tokio::runtime::Runtime) -> Result<Vec<Vec<EventSighting>>> {
        runtime.block_on(async move {
            let mut seen = Vec::new();
            for task in self.tasks {
                seen.push(task.await.context("a watcher failed")?);
            }
            Ok(seen)
        })
    }
}

async fn watch_one(
    address: SocketAddr,
    path: &str,
    mut stopped: watch::Receiver<bool>,
    inside: &AtomicUsize,
    door: &Semaphore,
) -> Result<Vec<EventSighting>> {
    let permit = door.acquire().await?;
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let (mut reader, mut seen) = (FindEventReader::default(), Vec::new());
    let mut permit = Some(permit);
    let mut buffer = vec![0; 16 << 10];
    loop {
        let read = tokio::select! {
            read = stream.read(&mut buffer) => read?,
            _ = stopped.wait_for(|stopped| *stopped) => return Ok(seen),
        };
        if read == 0 {
            return Ok(seen);
        }
        reader.take(&buffer[..read], Timestamp::now().as_microsecond(), &mut seen);
        if reader.greeted && permit.take().is_some() {
            inside.fetch_add(1, Ordering::Release);
        }
    }
}

/// Reads the numbers of finds from an event stream, however it is split into chunks.
#[derive(Default)]
struct FindEventReader {
    /// Start of the current line; the rest of a long line is not needed.
    line: Vec<u8>,
    number: Option<i64>,
    greeted: bool,
}

impl FindEventReader {
    fn take(&mut self, mut bytes: &[u8], now: i64, seen: &mut Vec<EventSighting>) {
        const MATTERS: usize = 40;
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.keep(&bytes[..end.min(MATTERS)]);
            let line = std::mem::take(&mut self.line);
            if let Some(text) = line.strip_prefix(b"id: ") {
                self.number = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
            } else if line.starts_with(b"event: find") {
                seen.extend(self.number.take().map(|number| (number, now)));
            } else if line.starts_with(b"event: hello") {
                self.greeted = true;
            }
            bytes = &bytes[end + 1..];
        }
        self.keep(&bytes[..bytes.len().min(MATTERS)]);
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.line.len() < 64 {
            self.line.extend_from_slice(bytes);
        }
    }
}

/// Compares received with stored events; returns finds, delays in seconds, missing and duplicate
/// deliveries.
fn compare(store: &EmbeddedStore, seen: &[Vec<EventSighting>]) -> Result<(usize, Vec<f64>, usize, usize)> {
    let mut moments: HashMap<i64, i64> = HashMap::new();
    let mut after = 0;
    loop {
        let events = store.list_events(after, None, 1_000)?;
        let Some(last) = events.last() else { break };
        after = last.seq;
        for event in events.iter().filter(|event| event.kind == "find") {
            moments.insert(event.seq, event.at.as_microsecond());
        }
    }
    let (mut delays, mut missed, mut doubled) = (Vec::new(), 0, 0);
    for one in seen {
        let mut once = std::collections::HashSet::new();
        for (seq, at) in one {
            let Some(moment) = moments.get(seq) else { continue };
            if once.insert(seq) {
                delays.push((at - moment) as f64 / 1e6);
            } else {
                doubled += 1;
            }
        }
        missed += moments.len() - once.len();
    }
    Ok((moments.len(), delays, missed, doubled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_are_seen_with_their_numbers() {
        let (mut reader, mut seen) = (FindEventReader::default(), Vec::new());
        reader.take(b"5f\r\nevent: hello\n\nid: 7\nevent: find\ndata: {}\n\nid: 8\nevent: st", 3, &mut seen);
        reader.take(b"ate\ndata: {}\n\nid: ", 4, &mut seen);
        reader.take(b"9\r\nevent: find\n", 5, &mut seen);
        assert!(reader.greeted);
        assert_eq!(seen, [(7, 3), (9, 5)]);
    }
}
