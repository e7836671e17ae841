//! `search`: searches generated services and layers by two words, a box and facets on one thread,
//! compared with SQLite with the same records and queries in the same run.

mod sqlite;

use crate::usage::{disk_bytes, load_average, own_cpu, peak_memory};
use anyhow::{Result, bail};
use clap::Args;
use geotrawl_index::{CatalogueIndex, IndexOptions, RankingSignal, SearchQuery, SearchTarget};
use geotrawl_model::Bbox;
use geotrawl_testkit::documents::GeneratedCatalogue as Generated;
use sqlite::{SqliteIndex, SqlitePlan};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct SearchBenchOptions {
    /// Number of services
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    services: usize,
    /// Total number of layers
    #[arg(long, value_name = "N", default_value_t = 1_500_000)]
    layers: usize,
    /// Number of queries
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    queries: usize,
    /// Number of queries for SQLite: the first ones of the same (by layers, each takes about a
    /// second)
    #[arg(long, value_name = "N", default_value_t = 200)]
    sqlite_queries: usize,
    /// Skip SQLite
    #[arg(long)]
    no_sqlite: bool,
    /// Keep the index in this folder, and use the one already there if it is complete
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Only search services or layers
    #[arg(long, value_name = "WHAT", value_parser = ["services", "layers"])]
    by: Option<String>,
    /// Disable synonyms on both sides; otherwise SQLite gets them as alternatives
    #[arg(long)]
    no_synonyms: bool,
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
}

/// Response times of one side.
struct QueryTimes {
    sorted: Vec<Duration>,
    total: Duration,
}

impl QueryTimes {
    fn of(mut each: Vec<Duration>) -> Self {
        let total = each.iter().sum();
        each.sort_unstable();
        Self { sorted: each, total }
    }

    fn at(&self, share: f64) -> f64 {
        let at = ((self.sorted.len() as f64 * share) as usize).min(self.sorted.len().saturating_sub(1));
        self.sorted.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }

    fn rate(&self) -> f64 {
        self.sorted.len() as f64 / self.total.as_secs_f64().max(1e-9)
    }

    fn line(&self) -> String {
        format!(
            "p50 {:.2} ms, p99 {:.2} ms, worst {:.1} ms, {:.0} per second",
            self.at(0.5),
            self.at(0.99),
            self.at(1.0),
            self.rate()
        )
    }
}

/// Cost of one query: wall time, processor time, and number of hits.
#[derive(Clone, Copy)]
struct QueryCost {
    wall: Duration,
    cpu: Duration,
    hits: u64,
}

impl QueryCost {
    fn measure(ask: impl FnOnce() -> Result<u64>) -> Result<Self> {
        let (start, before) = (Instant::now(), thread_time());
        let hits = ask()?;
        Ok(Self { wall: start.elapsed(), cpu: thread_time().saturating_sub(before), hits })
    }
}

/// Summary of many queries: wall time, processor time, and by number of hits.
struct CostSummary {
    wall: QueryTimes,
    cpu: QueryTimes,
}

impl CostSummary {
    fn print(name: &str, all: &[QueryCost]) -> Self {
        let sides = Self {
            wall: QueryTimes::of(all.iter().map(|one| one.wall).collect()),
            cpu: QueryTimes::of(all.iter().map(|one| one.cpu).collect()),
        };
        println!("  {name}, wall time: {}", sides.wall.line());
        println!("  {name}, CPU time: {}", sides.cpu.line());
        let mut by_hits = all.to_vec();
        by_hits.sort_by_key(|one| one.hits);
        for part in by_hits.chunks(all.len().div_ceil(4).max(1)) {
            let times = QueryTimes::of(part.iter().map(|one| one.cpu).collect());
            println!(
                "    {:>7} to {:>7} hits: p50 {:.2} ms, p99 {:.2} ms CPU time",
                part.first().map_or(0, |one| one.hits),
                part.last().map_or(0, |one| one.hits),
                times.at(0.5),
                times.at(0.99)
            );
        }
        sides
    }
}

/// Targets that were missed.
#[derive(Default)]
struct BarChecks(Vec<String>);

impl BarChecks {
    fn check(&mut self, name: &str, met: bool) {
        println!("  {} {name}", if met { "met  " } else { "UNMET" });
        if !met {
            self.0.push(name.to_owned());
        }
    }
}

pub fn run(root: &Path, options: &SearchBenchOptions) -> Result<()> {
    std::fs::create_dir_all(root.join("target/bench"))?;
    let scratch = tempfile::tempdir_in(root.join("target/bench"))?;
    let catalogue = Generated::new(options.services, options.layers);
    let mut bars = BarChecks::default();
    let index = build(&catalogue, options, scratch.path(), &mut bars)?;
    for by in [SearchTarget::Services, SearchTarget::Layers] {
        if options.by.as_deref().is_some_and(|only| !format!("{by:?}").eq_ignore_ascii_case(only)) {
            continue;
        }
        let questions: Vec<_> = (0..options.queries).map(|number| catalogue.search_query(number)).collect();
        let ask = |(words, bbox): &(String, _)| SearchQuery {
            words: words.clone(),
            bbox: Some(*bbox),
            by,
            limit: 20,
            count_facets: true,
            without: if options.no_synonyms { vec![RankingSignal::Synonyms] } else { Vec::new() },
            ..SearchQuery::default()
        };
        // Warm up the file cache, as on a running server, with other queries than the measured
        // ones.
        for number in 0..200 {
            index.search(&ask(&catalogue.search_query(options.queries + number)))?;
        }
        let mut asked = Vec::new();
        for question in &questions {
            let query = ask(question);
            asked.push(QueryCost::measure(|| Ok(index.search(&query)?.total))?);
        }
        let hits = asked.iter().map(|one| one.hits).sum::<u64>() / questions.len().max(1) as u64;
        println!(
            "\nby {by:?}: {} queries, {hits} hits each on average; load {}",
            questions.len(),
            load_average()
        );
        let ours = CostSummary::print("geotrawl", &asked);
        bars.check("p50 < 10 ms", ours.wall.at(0.5) < 10.0);
        bars.check("p99 < 50 ms", ours.wall.at(0.99) < 50.0);
        bars.check("500 queries per second on one thread", ours.wall.rate() >= 500.0);
        let rate = on_two_threads(&index, &questions, &ask)?;
        println!("  two threads together: {rate:.0} per second");
        if !options.no_sqlite {
            let asked_of_both = &asked;
            let first = &questions[..options.sqlite_queries.min(questions.len())];
            let in_fts =
                first.iter().map(|(words, bbox)| (in_fts5(&index, words, options.no_synonyms), *bbox));
            let in_fts: Vec<_> = in_fts.collect();
            beside(&catalogue, by, &in_fts, &asked_of_both[..in_fts.len()], scratch.path(), &mut bars)?;
        }
    }
    if options.strict && !bars.0.is_empty() {
        bail!("targets missed: {}", bars.0.join("; "));
    }
    Ok(())
}

fn build(
    catalogue: &Generated,
    options: &SearchBenchOptions,
    scratch: &Path,
    bars: &mut BarChecks,
) -> Result<CatalogueIndex> {
    let folder = options.keep.clone().unwrap_or_else(|| scratch.join("index"));
    let start = Instant::now();
    let before = own_cpu();
    let index = CatalogueIndex::open(&folder, &IndexOptions::default())?;
    if index.progress().records == options.services as u64 {
        println!(
            "search: using the existing index of {} services, opened in {:?}",
            options.services,
            start.elapsed()
        );
        return Ok(index);
    }
    println!("search: building the index of {} services, {} layers ...", options.services, options.layers);
    index.rebuild(catalogue)?;
    let (built, cpu) = (start.elapsed().as_secs_f64(), own_cpu() - before);
    let (disk, memory) = (disk_bytes(&folder)?, peak_memory(std::process::id()));
    println!(
        "  {built:.0} s ({cpu:.0} CPU seconds), {} MB on disk, {} MB of memory at most; {}",
        disk >> 20,
        memory >> 20,
        load_average()
    );
    bars.check("built in < 3 minutes", built < 180.0);
    bars.check("< 1.5 GB on disk", disk < 1_500_000_000);
    bars.check("< 1.5 GB of memory", memory < 1_500_000_000);
    Ok(index)
}

type BoxQuery = (String, Bbox);

/// Returns the number of queries per second with two threads, each with half of them.
fn on_two_threads(
    index: &CatalogueIndex,
    questions: &[BoxQuery],
    ask: &(impl Fn(&BoxQuery) -> SearchQuery + Sync),
) -> Result<f64> {
    let start = Instant::now();
    std::thread::scope(|scope| {
        let halves = questions.chunks(questions.len().div_ceil(2).max(1));
        let threads: Vec<_> = halves
            .map(|half| {
                scope.spawn(move || half.iter().try_for_each(|one| index.search(&ask(one)).map(|_| ())))
            })
            .collect();
        for thread in threads {
            thread.join().map_err(|_panic| anyhow::anyhow!("a thread ended early"))??;
        }
        anyhow::Ok(())
    })?;
    Ok(questions.len() as f64 / start.elapsed().as_secs_f64().max(1e-9))
}

/// Translates the words to FTS5, with the same synonyms; without synonyms, simply all words.
fn in_fts5(index: &CatalogueIndex, words: &str, no_synonyms: bool) -> String {
    let all_of = |words: &str| {
        let quoted: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
        quoted.join(" AND ")
    };
    if no_synonyms {
        return all_of(words);
    }
    let meanings = index.expand_synonyms(words).into_iter().map(|meaning| {
        let ways: Vec<String> = meaning.iter().map(|way| format!("({})", all_of(way))).collect();
        format!("({})", ways.join(" OR "))
    });
    meanings.collect::<Vec<_>>().join(" AND ")
}

/// Measures SQLite with the same records and the first of the same queries.
fn beside(
    catalogue: &Generated,
    by: SearchTarget,
    questions: &[BoxQuery],
    ours: &[QueryCost],
    scratch: &Path,
    bars: &mut BarChecks,
) -> Result<()> {
    let file = scratch.join(format!("{by:?}.sqlite"));
    let start = Instant::now();
    let sqlite = SqliteIndex::build(&file, catalogue, by)?;
    let took = start.elapsed().as_secs_f64();
    let mut asked: [Vec<QueryCost>; 2] = Default::default();
    for (plan, asked) in SqlitePlan::ALL.into_iter().zip(&mut asked) {
        for (words, bbox) in &questions[..20.min(questions.len())] {
            sqlite.search(plan, words, bbox)?;
        }
        for (words, bbox) in questions {
            asked.push(QueryCost::measure(|| sqlite.search(plan, words, bbox))?);
        }
    }
    let hits = asked[0].iter().map(|one| one.hits).sum::<u64>() / questions.len().max(1) as u64;
    println!(
        "  SQLite: the first {} queries, {hits} hits each; built in {took:.0} s, {} MB; {}",
        questions.len(),
        disk_bytes(&file)? >> 20,
        load_average()
    );
    let ours = CostSummary::print("geotrawl, the same queries", ours);
    let mut ratios = [0.0; 2];
    for ((plan, asked), ratio) in SqlitePlan::ALL.into_iter().zip(&asked).zip(&mut ratios) {
        let theirs = CostSummary::print(&format!("SQLite FTS5, {}", plan.name()), asked);
        *ratio = theirs.cpu.at(0.99) / ours.cpu.at(0.99).max(1e-9);
        println!(
            "    geotrawl is {ratio:.1} times as fast at p99 in CPU time, {:.1} at p50; in wall time \
             {:.1} and {:.1}",
            theirs.cpu.at(0.5) / ours.cpu.at(0.5).max(1e-9),
            theirs.wall.at(0.99) / ours.wall.at(0.99).max(1e-9),
            theirs.wall.at(0.5) / ours.wall.at(0.5).max(1e-9)
        );
    }
    // The target is the R-tree. Columns may be faster, which is reported as well.
    let [tree, columns] = ratios;
    bars.check(&format!("{tree:.1} times as fast as SQLite FTS5 + R-tree at p99 (target: 10)"), tree >= 10.0);
    let (reached, name) = (if columns >= 10.0 { "met" } else { "NOT met" }, SqlitePlan::Columns.name());
    println!(
        "        stricter, SQLite FTS5 with {name}: {columns:.1} times as fast at p99 (target: 10, {reached})"
    );
    Ok(())
}

/// Returns the processor time of this thread, which excludes other work on the machine.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}
