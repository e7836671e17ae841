//! Measures the embedded store with a large frontier: adding links (half of them known),
//! restarting, and committing pages as a crawler does.
//!
//! ```text
//! taskset -c 1 cargo run --release -p geotrawl-store --example frontier_bench -- \
//!     [--urls N] [--hosts N] [--pages N] [--dir DIR] [--json FILE] [--reuse true]
//! ```
//!
//! A page has 60 links. 30 are new, of which 70 % lead to the page's own host; the other 30 are
//! drawn uniformly from all known links. Only time inside the store is counted. The run fails if
//! the store's count of new links is not exactly the number generated.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use geotrawl_model::store::CrawlStore;
use geotrawl_model::{CrawlBatch, FinishedItem, FrontierEntry, NewLink, PageOutcome, TaskSpec};
use geotrawl_store::{EmbeddedStore, StoreOptions};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

type BenchResult<T> = Result<T, Box<dyn Error>>;

const LINKS_PER_PAGE: u64 = 60;
const NEW_PER_PAGE: u64 = 30;
/// Pages per batch: what a fast crawler finishes in a quarter of a second.
const PAGES_PER_BATCH: u64 = 500;

struct FrontierBenchOptions {
    urls: u64,
    hosts: u64,
    pages: u64,
    dir: PathBuf,
    json: Option<PathBuf>,
    /// The directory was given on the command line, so it is kept.
    keep: bool,
    /// Use the store of an earlier run and only crawl.
    reuse: bool,
}

fn main() -> BenchResult<()> {
    let settings = settings()?;
    let web = SyntheticWeb { hosts: settings.hosts };
    let mut report = serde_json::Map::new();
    if !settings.reuse {
        if settings.dir.exists() {
            std::fs::remove_dir_all(&settings.dir)?;
        }
        grow(&settings, &web, &mut report)?;
    }
    restart(&settings, &mut report)?;
    for (name, mostly) in [("hot", LinkDistribution::Hot), ("uniform", LinkDistribution::Uniform)] {
        let (lease, commit) = crawl(&settings, &web, mostly)?;
        println!("a page, 57 of 60 links known ({name}): lease {lease:.1} + commit {commit:.1} CPU µs");
        report.insert(format!("lease_cpu_us_per_page_{name}"), lease.into());
        report.insert(format!("commit_cpu_us_per_page_{name}"), commit.into());
    }
    let peak = memory("VmHWM")?;
    println!("peak memory of the process: {:.0} MB", peak as f64 / 1e6);
    report.insert("peak_rss_bytes".into(), peak.into());
    if let Some(path) = &settings.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)?)?;
    }
    if !settings.keep {
        std::fs::remove_dir_all(&settings.dir)?;
    }
    Ok(())
}

/// Adds links until this many are known, reporting the rate.
fn grow(
    settings: &FrontierBenchOptions,
    web: &SyntheticWeb,
    report: &mut serde_json::Map<String, serde_json::Value>,
) -> BenchResult<()> {
    let store = EmbeddedStore::open_with(&settings.dir, StoreOptions::default())?;
    let run = store.open_task(&spec(), jiff::Timestamp::UNIX_EPOCH)?.run;
    let mut known = 0;
    let mut numbers = BenchNumbers(1);
    let step = (settings.urls / 20).max(1);
    let mut mark = ProgressMark::default();
    let mut all = ProgressMark::default();
    let mut steps = Vec::new();
    let mut links = Vec::new();
    println!(
        "{:>10} {:>12} {:>12} {:>9} {:>9} {:>11}",
        "known", "links/s", "links/CPU-s", "RSS MB", "disk MB", "worst ms"
    );
    while known < settings.urls {
        web.fill(&mut links, &mut numbers, known);
        let made = links.len() as u64 / LINKS_PER_PAGE * NEW_PER_PAGE;
        let (cpu, clock) = (cpu_time()?, Instant::now());
        let added = store.add_links(run, &links)?;
        let (wall, cpu) = (clock.elapsed(), cpu_time()?.saturating_sub(cpu));
        if added.new != made {
            return Err(format!("{made} links are new, but the store counted {}", added.new).into());
        }
        known += made;
        mark.add(links.len() as u64, wall, cpu);
        all.add(links.len() as u64, wall, cpu);
        if known / step != (known - made) / step || known >= settings.urls {
            let (rss, disk) = (memory("VmRSS")?, disk_bytes(&settings.dir)?);
            println!(
                "{known:>10} {:>12.0} {:>12.0} {:>9.0} {:>9.0} {:>11.0}",
                mark.rate(),
                mark.cpu_rate(),
                rss as f64 / 1e6,
                disk as f64 / 1e6,
                mark.worst.as_secs_f64() * 1e3
            );
            steps.push(serde_json::json!({
                "known": known, "links_per_s": mark.rate(), "links_per_cpu_s": mark.cpu_rate(),
                "rss_bytes": rss, "disk_bytes": disk, "worst_batch_ms": mark.worst.as_secs_f64() * 1e3,
            }));
            if known >= settings.urls {
                report.insert("final_links_per_s".into(), mark.rate().into());
                report.insert("final_links_per_cpu_s".into(), mark.cpu_rate().into());
            }
            mark = ProgressMark::default();
        }
    }
    let (set, disk) = (store.known_url_memory()?, disk_bytes(&settings.dir)?);
    println!(
        "all: {:.0} links/s, {:.0} links/CPU-s; a known URL takes {:.2} B of memory and {:.0} B of disk",
        all.rate(),
        all.cpu_rate(),
        set as f64 / known as f64,
        disk as f64 / known as f64
    );
    for (name, value) in [
        ("known", serde_json::json!(known)),
        ("links_per_s", all.rate().into()),
        ("links_per_cpu_s", all.cpu_rate().into()),
        ("memory_bytes_per_known_url", (set as f64 / known as f64).into()),
        ("disk_bytes_per_known_url", (disk as f64 / known as f64).into()),
        ("rss_bytes_per_known_url", (memory("VmHWM")? as f64 / known as f64).into()),
        ("steps", steps.into()),
    ] {
        report.insert(name.into(), value);
    }
    Ok(())
}

/// Reopens the store and its task.
fn restart(
    settings: &FrontierBenchOptions,
    report: &mut serde_json::Map<String, serde_json::Value>,
) -> BenchResult<()> {
    let clock = Instant::now();
    let store = EmbeddedStore::open(&settings.dir)?;
    let opened = clock.elapsed();
    let task = store.open_task(&spec(), jiff::Timestamp::UNIX_EPOCH)?;
    let ready = clock.elapsed();
    let first = store.hosts_with_work(task.run, 100, &|_| false)?;
    if !task.resumed || task.counters.known == 0 || first.len() != 100 {
        return Err("the reopened store has no such run".into());
    }
    println!(
        "restart: file {:.2} s, known URLs ready after {:.2} s",
        opened.as_secs_f64(),
        ready.as_secs_f64()
    );
    report.insert("restart_s".into(), ready.as_secs_f64().into());
    Ok(())
}

/// Distribution of the known links of a page.
#[derive(Clone, Copy, PartialEq)]
enum LinkDistribution {
    /// Site navigation: a few links that are on every page of the host.
    Hot,
    /// Drawn uniformly from all known links.
    Uniform,
}

/// Finishes pages as a crawler does. Returns the CPU time per page in microseconds, for reading
/// pending items and for committing them with 60 links each, three of them new.
fn crawl(
    settings: &FrontierBenchOptions,
    web: &SyntheticWeb,
    mostly: LinkDistribution,
) -> BenchResult<(f64, f64)> {
    let store = EmbeddedStore::open(&settings.dir)?;
    let task = store.open_task(&spec(), jiff::Timestamp::UNIX_EPOCH)?;
    let mut numbers = BenchNumbers(if mostly == LinkDistribution::Hot { 7 } else { 8 });
    let known = task.counters.known;
    // Links that crawling added to a reused store have no number.
    let numbered = known.min(settings.urls);
    // Beyond all numbers that an earlier run can have used.
    let mut next_new = known * 100;
    let (mut leasing, mut committing) = (Duration::ZERO, Duration::ZERO);
    let mut pages = 0;
    while pages < settings.pages {
        let cpu = cpu_time()?;
        let hosts = store.hosts_with_work(task.run, 20, &|_| false)?;
        let mut items: Vec<FrontierEntry> = Vec::new();
        for host in hosts {
            items.extend(store.pending_entries(task.run, host.host, 50, &|_| false)?);
        }
        leasing += cpu_time()?.saturating_sub(cpu);
        if items.is_empty() {
            break;
        }
        for items in items.chunks(PAGES_PER_BATCH as usize) {
            let batch = CrawlBatch {
                run: task.run,
                done: items
                    .iter()
                    .map(|item| web.finish(item, numbered, &mut next_new, mostly, &mut numbers))
                    .collect(),
                robots: Vec::new(),
                now: jiff::Timestamp::UNIX_EPOCH,
            };
            let cpu = cpu_time()?;
            let committed = store.commit(&batch)?;
            committing += cpu_time()?.saturating_sub(cpu);
            // The first page of a host also shows its navigation for the first time.
            if committed.ignored > 0 || committed.added.new < 3 * items.len() as u64 {
                return Err("the store rejected part of a batch".into());
            }
            pages += items.len() as u64;
        }
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / pages as f64;
    Ok((micros(leasing), micros(committing)))
}

/// A synthetic web in which every URL is a function of its number.
struct SyntheticWeb {
    hosts: u64,
}

impl SyntheticWeb {
    fn url(&self, number: u64) -> (String, String) {
        let page = number / NEW_PER_PAGE;
        let on_page_host = mix(number) % 10 < 7;
        let host = mix(if on_page_host { page } else { number ^ 0x5bd1_e995_0000_0000 }) % self.hosts;
        let host = format!("https://www.site-{host:06}.example.org");
        let url = format!("{host}/section/{}/article-about-things-{number:010}", mix(number) % 50);
        (host, url)
    }

    fn link(&self, number: u64) -> NewLink {
        let (host, url) = self.url(number);
        let priority = 100 + (mix(number ^ 0x77) % 4) as u32 * 100;
        link(host, url, priority)
    }

    /// Generates the links of a batch of pages; new ones are numbered from `known`.
    fn fill(&self, links: &mut Vec<NewLink>, numbers: &mut BenchNumbers, known: u64) {
        links.clear();
        for page in 0..PAGES_PER_BATCH {
            for nth in 0..NEW_PER_PAGE {
                let new = known + page * NEW_PER_PAGE + nth;
                links.push(self.link(new));
                links.push(self.link(if known == 0 { new } else { numbers.below(known) }));
            }
        }
    }

    /// Returns a finished page with its links.
    fn finish(
        &self,
        item: &FrontierEntry,
        known: u64,
        next_new: &mut u64,
        mostly: LinkDistribution,
        numbers: &mut BenchNumbers,
    ) -> FinishedItem {
        let host = item.url.split('/').take(3).collect::<Vec<_>>().join("/");
        let mut links = Vec::with_capacity(LINKS_PER_PAGE as usize);
        for nth in 0..LINKS_PER_PAGE {
            links.push(if nth < 3 {
                *next_new += 1;
                link(host.clone(), format!("{host}/found/later/{next_new}"), 300)
            } else if mostly == LinkDistribution::Hot {
                link(host.clone(), format!("{host}/navigation/menu-entry-{nth}"), 400)
            } else {
                self.link(numbers.below(known))
            });
        }
        let outcome = PageOutcome {
            class: "ok".into(),
            status: Some(200),
            ip: Some("192.0.2.7".into()),
            bytes: 40_000,
            millis: 80,
            requests: 1,
            title: Some("An article about things, for a bench".into()),
            language: Some("en".into()),
            simhash: Some(mix(item.id as u64)),
            ..PageOutcome::default()
        };
        FinishedItem { links, ..FinishedItem::new(item.clone(), outcome) }
    }
}

fn link(host: String, url: String, priority: u32) -> NewLink {
    NewLink {
        key: format!("page {url}"),
        host,
        url,
        priority,
        depth: 3,
        parent: Some(1),
        way: "href".into(),
        words: "Read more about it".into(),
        ..NewLink::default()
    }
}

fn spec() -> TaskSpec {
    TaskSpec { name: "bench".into(), seeds: Vec::new(), options: serde_json::Value::Null }
}

/// Deterministic pseudo-random numbers.
struct BenchNumbers(u64);

impl BenchNumbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 += 1;
        mix(self.0 ^ 0x9e37_79b9_7f4a_7c15) % limit
    }
}

fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Time and links since the last report.
#[derive(Default)]
struct ProgressMark {
    links: u64,
    wall: Duration,
    cpu: Duration,
    worst: Duration,
}

impl ProgressMark {
    fn add(&mut self, links: u64, wall: Duration, cpu: Duration) {
        self.links += links;
        self.wall += wall;
        self.cpu += cpu;
        self.worst = self.worst.max(wall);
    }

    fn rate(&self) -> f64 {
        self.links as f64 / self.wall.as_secs_f64()
    }

    fn cpu_rate(&self) -> f64 {
        self.links as f64 / self.cpu.as_secs_f64()
    }
}

/// Returns the CPU time of this process.
fn cpu_time() -> BenchResult<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanos = text.split_whitespace().next().unwrap_or_default().parse()?;
    Ok(Duration::from_nanos(nanos))
}

/// Returns a value of `/proc/self/status`, in bytes.
fn memory(name: &str) -> BenchResult<u64> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find(|line| line.starts_with(name)).ok_or("no such value")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap_or_default().parse()?;
    Ok(kilobytes * 1024)
}

fn disk_bytes(dir: &Path) -> BenchResult<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(dir)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

fn settings() -> BenchResult<FrontierBenchOptions> {
    let mut settings = FrontierBenchOptions {
        urls: 20_000_000,
        hosts: 100_000,
        pages: 20_000,
        dir: std::env::temp_dir().join(format!("geotrawl-frontier-bench-{}", std::process::id())),
        json: None,
        keep: false,
        reuse: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let mut usage = String::new();
        write!(
            usage,
            "{name}: expected --urls N, --hosts N, --pages N, --dir DIR, --json FILE or --reuse true"
        )?;
        let value = arguments.next().ok_or_else(|| usage.clone())?;
        match name.as_str() {
            "--urls" => settings.urls = value.parse()?,
            "--hosts" => settings.hosts = value.parse()?,
            "--pages" => settings.pages = value.parse()?,
            "--dir" => (settings.dir, settings.keep) = (value.into(), true),
            "--reuse" => settings.reuse = value.parse()?,
            "--json" => settings.json = Some(value.into()),
            _ => return Err(usage.into()),
        }
    }
    Ok(settings)
}
