//! Measures the frontier of a PostgreSQL store: links of pages, committed in batches as a crawler
//! does, with few rows and with many.
//!
//! ```text
//! cargo run --release -p geotrawl-store --example shared_frontier_bench -- postgres://… \
//!     [--links N] [--known N] [--rows N] [--queued N] [--writers N] [--hosts N] [--pages N]
//! ```
//!
//! First adds `--known` links, then inserts `--rows` and `--queued` rows of other hosts into the
//! tables of known links and pending items, so that the same measurement can be made with a
//! frontier of any size. A page has 60 links, six of them new; of the 54 known ones half are the
//! navigation of its host and half are drawn uniformly from all known links. A batch has `--pages`
//! pages. The run fails if the store's count of new links is not the number generated. Use a
//! disposable database.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use geotrawl_model::store::CrawlStore;
use geotrawl_model::{CrawlBatch, FinishedItem, FrontierEntry, NewLink, PageOutcome, RunId, TaskSpec};
use geotrawl_store::{PostgresOptions, PostgresStore};
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

type SharedBenchResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

const LINKS_PER_PAGE: u64 = 60;
const NEW_PER_PAGE: u64 = 6;
const NAVIGATION: u64 = 27;

struct SharedBenchOptions {
    url: String,
    /// Number of links to measure with.
    links: u64,
    /// Number of links added beforehand.
    known: u64,
    /// Known links of other hosts.
    rows: u64,
    /// Pending items of other hosts.
    queued: u64,
    writers: u64,
    hosts: u64,
    /// Pages per batch.
    pages: u64,
}

fn main() -> SharedBenchResult<()> {
    let settings = settings()?;
    let store = PostgresStore::connect(&settings.url, &PostgresOptions::default())?;
    let run = store.open_task(&spec(), jiff::Timestamp::UNIX_EPOCH)?.run;
    grow(&settings, &store, run)?;
    fill(&settings, run)?;
    drop(store);
    let next = AtomicU64::new(1_000_000_000_000 + fresh_start());
    let clock = Instant::now();
    let results: Vec<SharedBenchResult<WriterTally>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.writers)
            .map(|writer| {
                let (settings, next) = (&settings, &next);
                scope.spawn(move || crawl(settings, run, writer, next))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a writer fell over".into())))
            .collect()
    });
    let wall = clock.elapsed();
    let mut all = WriterTally::default();
    for one in results {
        let one = one?;
        all.links += one.links;
        all.pages += one.pages;
        all.committing += one.committing;
        all.leasing += one.leasing;
        all.worst = all.worst.max(one.worst);
    }
    let per = |time: Duration, of: u64| time.as_secs_f64() * 1e6 / of.max(1) as f64;
    println!(
        "{} writers, {} links on {} pages in {:.1} s: {:.0} links/s; within commits {:.0} links/s a writer; a page: \
         commit {:.0} µs, leasing {:.0} µs; slowest commit {:.0} ms",
        settings.writers,
        all.links,
        all.pages,
        wall.as_secs_f64(),
        all.links as f64 / wall.as_secs_f64(),
        all.links as f64 / all.committing.as_secs_f64(),
        per(all.committing, all.pages),
        per(all.leasing, all.pages),
        all.worst.as_secs_f64() * 1e3,
    );
    Ok(())
}

#[derive(Default)]
struct WriterTally {
    links: u64,
    pages: u64,
    committing: Duration,
    leasing: Duration,
    worst: Duration,
}

/// Adds links until this many are known.
fn grow(settings: &SharedBenchOptions, store: &PostgresStore, run: RunId) -> SharedBenchResult<()> {
    let mut known = store.run_counters(run)?.known;
    let (before, clock) = (known, Instant::now());
    while known < settings.known {
        let links: Vec<NewLink> =
            (known..(known + 10_000).min(settings.known)).map(|number| numbered(settings, number)).collect();
        store.add_links(run, &links)?;
        known += links.len() as u64;
    }
    let wall = clock.elapsed().as_secs_f64();
    println!("{known} links are known; {:.0} new ones a second were added", (known - before) as f64 / wall);
    Ok(())
}

/// Inserts rows of other hosts into the largest tables.
fn fill(settings: &SharedBenchOptions, run: RunId) -> SharedBenchResult<()> {
    if settings.rows == 0 && settings.queued == 0 {
        return Ok(());
    }
    // A host has a hundred links; its number forms the first bits of their keys and selects the
    // shard.
    let seen = format!(
        "INSERT INTO geotrawl.seen (run, key, shard) SELECT {run}, \
         (left(md5('host' || n / 100), 8) || left(md5('link' || n), 24))::uuid, \
         ('x' || right(md5('host' || n / 100), 2))::bit(8)::int \
         FROM generate_series(1, {}) AS n ON CONFLICT DO NOTHING",
        settings.rows
    );
    let queue = format!(
        "INSERT INTO geotrawl.queue (shard, run, host, priority, id, path, intent, depth, parent, way, words, hops, \
         attempts, width, origin, distance) SELECT h & 255, {run}, h, 100 + n % 4 * 100, -n, \
         '/section/' || n % 50 || '/article-about-things-' || n, 'page', 3, 1, 'href', 'Read more about it', 0, 0, 1, 0, 0 \
         FROM (SELECT n, -1 - ('x' || left(md5('host' || n / 100), 12))::bit(48)::bigint AS h \
         FROM generate_series(1, {}) AS n) AS t ON CONFLICT DO NOTHING",
        settings.queued
    );
    let clock = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&settings.url, tokio_postgres::NoTls).await?;
        tokio::spawn(connection);
        client.batch_execute("SET synchronous_commit = off").await?;
        client.batch_execute(&seen).await?;
        client.batch_execute(&queue).await?;
        client.batch_execute("VACUUM ANALYZE geotrawl.seen").await?;
        client.batch_execute("VACUUM ANALYZE geotrawl.queue").await?;
        client.batch_execute("CHECKPOINT").await?;
        let row =
            client.query_one("SELECT pg_size_pretty(pg_database_size(current_database()))", &[]).await?;
        println!(
            "filled in {:.0} s, the database has {}",
            clock.elapsed().as_secs_f64(),
            row.get::<_, String>(0)
        );
        Ok::<_, tokio_postgres::Error>(())
    })?;
    Ok(())
}

/// Finishes pages as a crawler does, until this writer has processed its share of the links.
fn crawl(
    settings: &SharedBenchOptions,
    run: RunId,
    writer: u64,
    next: &AtomicU64,
) -> SharedBenchResult<WriterTally> {
    let store = PostgresStore::connect(&settings.url, &PostgresOptions::default())?;
    let mut numbers = SharedBenchNumbers(writer << 32);
    let mut tally = WriterTally::default();
    while tally.links < settings.links / settings.writers {
        let clock = Instant::now();
        let hosts = store.hosts_with_work(run, settings.pages as usize / 5 + 1, &|_| false)?;
        let mut items: Vec<FrontierEntry> = Vec::new();
        for host in &hosts {
            items.extend(store.pending_entries(run, host.host, 5, &|_| false)?);
        }
        items.truncate(settings.pages as usize);
        tally.leasing += clock.elapsed();
        if items.is_empty() {
            return Err("there is nothing left to crawl: add more links with --known".into());
        }
        let done: Vec<FinishedItem> =
            items.into_iter().map(|item| finish(settings, item, next, &mut numbers)).collect();
        let pages = done.len() as u64;
        let batch = CrawlBatch { run, done, robots: Vec::new(), now: jiff::Timestamp::UNIX_EPOCH };
        let clock = Instant::now();
        let committed = store.commit(&batch)?;
        let took = clock.elapsed();
        // The first pages of a host also show its navigation for the first time.
        if committed.ignored > 0 || committed.added.new < pages * NEW_PER_PAGE {
            return Err(
                format!("the store did not take a batch as it should: {:?}", committed.added.new).into()
            );
        }
        tally.committing += took;
        tally.worst = tally.worst.max(took);
        tally.pages += pages;
        tally.links += pages * LINKS_PER_PAGE;
        let back: Vec<_> = hosts.iter().map(|host| (host.host, Duration::ZERO)).collect();
        geotrawl_model::store::LeaseStore::release_leases(&store, run, &back)?;
    }
    Ok(tally)
}

/// Returns a finished page with its links.
fn finish(
    settings: &SharedBenchOptions,
    item: FrontierEntry,
    next: &AtomicU64,
    numbers: &mut SharedBenchNumbers,
) -> FinishedItem {
    let host = item.url.split('/').take(3).collect::<Vec<_>>().join("/");
    let mut links = Vec::with_capacity(LINKS_PER_PAGE as usize);
    for nth in 0..LINKS_PER_PAGE {
        links.push(if nth < NEW_PER_PAGE {
            let number = next.fetch_add(1, Ordering::Relaxed);
            // Two thirds lead to pages of the same host.
            let to = if nth % 3 == 0 { site(mix(number) % settings.hosts) } else { host.clone() };
            let url = format!("{to}/found/later/{number}");
            link(to, url, 300)
        } else if nth < NEW_PER_PAGE + NAVIGATION {
            link(host.clone(), format!("{host}/navigation/menu-entry-{nth}"), 400)
        } else {
            numbered(settings, numbers.below(settings.known))
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
    FinishedItem { links, ..FinishedItem::new(item, outcome) }
}

/// Returns the known link with this number.
fn numbered(settings: &SharedBenchOptions, number: u64) -> NewLink {
    let host = site(mix(number) % settings.hosts);
    let url = format!("{host}/section/{}/article-about-things-{number:010}", mix(number) % 50);
    link(host, url, 100 + (mix(number ^ 0x77) % 4) as u32 * 100)
}

fn site(number: u64) -> String {
    format!("https://www.site-{number:06}.example.org")
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

/// Returns a start number that no earlier measurement in the same database has used.
fn fresh_start() -> u64 {
    jiff::Timestamp::now().as_second().unsigned_abs() * 10_000_000
}

/// Pseudo-random numbers.
struct SharedBenchNumbers(u64);

impl SharedBenchNumbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 += 1;
        mix(self.0 ^ 0x9e37_79b9_7f4a_7c15) % limit.max(1)
    }
}

fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn settings() -> SharedBenchResult<SharedBenchOptions> {
    let mut settings = SharedBenchOptions {
        url: String::new(),
        links: 1_000_000,
        known: 1_000_000,
        rows: 0,
        queued: 0,
        writers: 1,
        hosts: 10_000,
        pages: 100,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let place = match argument.as_str() {
            "--links" => &mut settings.links,
            "--known" => &mut settings.known,
            "--rows" => &mut settings.rows,
            "--queued" => &mut settings.queued,
            "--writers" => &mut settings.writers,
            "--hosts" => &mut settings.hosts,
            "--pages" => &mut settings.pages,
            url if url.starts_with("postgres") => {
                settings.url = argument;
                continue;
            }
            other => return Err(format!("{other} is not known here").into()),
        };
        *place = arguments.next().ok_or("a number is missing")?.replace('_', "").parse()?;
    }
    if settings.url.is_empty() {
        return Err("the address of a database is missing".into());
    }
    settings.writers = settings.writers.max(1);
    Ok(settings)
}
