//! `bench search`: generated services and layers, searched by two words, a box and facets on one thread, beside
//! SQLite with the same records and the same questions, in one go.

mod generate;
mod sqlite;

use anyhow::{Result, bail};
use clap::Args;
use generate::Generated;
use geotrawl_index::{By, Index, IndexOptions, Query};
use sqlite::Sqlite;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct Search {
    /// Services
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    services: usize,
    /// Layers of all services together
    #[arg(long, value_name = "N", default_value_t = 1_500_000)]
    layers: usize,
    /// Questions
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    queries: usize,
    /// Questions that SQLite is asked (of layers, it needs about a second for each): the first of the same
    #[arg(long, value_name = "N", default_value_t = 200)]
    sqlite_queries: usize,
    /// Leave SQLite out
    #[arg(long)]
    no_sqlite: bool,
    /// A bar that is not met fails the command
    #[arg(long)]
    strict: bool,
}

/// Times of one side's answers.
struct Times {
    sorted: Vec<Duration>,
    total: Duration,
}

impl Times {
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
            "p50 {:.2} ms, p99 {:.2} ms, worst {:.1} ms, {:.0} a second",
            self.at(0.5),
            self.at(0.99),
            self.at(1.0),
            self.rate()
        )
    }
}

pub fn run(root: &Path, options: &Search) -> Result<()> {
    std::fs::create_dir_all(root.join("target/bench"))?;
    let scratch = tempfile::tempdir_in(root.join("target/bench"))?;
    let catalogue = Generated::new(options.services, options.layers);
    let mut unmet = Vec::new();
    let mut bar = |name: &str, met: bool| {
        println!("  {} {name}", if met { "met  " } else { "UNMET" });
        if !met {
            unmet.push(name.to_owned());
        }
    };

    println!("search: building the index of {} services, {} layers ...", options.services, options.layers);
    let folder = scratch.path().join("index");
    let start = Instant::now();
    let before = cpu_seconds();
    let index = Index::open(&folder, &IndexOptions::default())?;
    index.rebuild(&catalogue)?;
    let (built, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - before);
    let (disk, memory) = (size(&folder)?, peak_memory());
    println!(
        "  {built:.0} s ({cpu:.0} CPU seconds), {} MB on disk, {} MB of memory at most",
        disk >> 20,
        memory >> 20
    );
    bar("built in < 3 minutes", built < 180.0);
    bar("< 1.5 GB on disk", disk < 1_500_000_000);
    bar("< 1.5 GB of memory", memory < 1_500_000_000);

    for by in [By::Services, By::Layers] {
        let questions: Vec<_> = (0..options.queries).map(|number| catalogue.question(number)).collect();
        let ask = |(words, bbox): &(String, _)| Query {
            words: words.clone(),
            bbox: Some(*bbox),
            by,
            limit: 20,
            count_facets: true,
            ..Query::default()
        };
        // Once around, so that files are in memory, as they are on a server that runs.
        for question in questions.iter().take(200) {
            index.search(&ask(question))?;
        }
        let mut each = Vec::new();
        let mut hits = 0;
        for question in &questions {
            let query = ask(question);
            let start = Instant::now();
            hits += index.search(&query)?.total;
            each.push(start.elapsed());
        }
        let ours = Times::of(each);
        println!(
            "\nby {by:?}: {} questions, {} hits each on average",
            questions.len(),
            hits / questions.len() as u64
        );
        println!("  geotrawl: {}", ours.line());
        bar("p50 < 10 ms", ours.at(0.5) < 10.0);
        bar("p99 < 50 ms", ours.at(0.99) < 50.0);
        bar("500 a second on one thread", ours.rate() >= 500.0);
        if options.no_sqlite {
            continue;
        }
        let file = scratch.path().join(format!("{by:?}.sqlite"));
        let start = Instant::now();
        let mut sqlite = Sqlite::build(&file, &catalogue, by)?;
        let took = start.elapsed().as_secs_f64();
        let asked = &questions[..options.sqlite_queries.min(questions.len())];
        sqlite.choose_plan(&asked[..20.min(asked.len())])?;
        let mut each = Vec::new();
        let mut hits = 0;
        for (words, bbox) in asked {
            let (total, took) = sqlite.search(words, bbox)?;
            hits += total;
            each.push(took);
        }
        let theirs = Times::of(each);
        println!(
            "  SQLite: {} (the first {} of them; built in {took:.0} s, {} MB; plan {:?}; {} hits each, as it \
             knows no synonyms)",
            theirs.line(),
            asked.len(),
            size(&file)? >> 20,
            sqlite.plan,
            hits / asked.len().max(1) as u64
        );
        let ratio = theirs.at(0.99) / ours.at(0.99).max(1e-9);
        println!("  {ratio:.1} times at p99, {:.1} times at p50", theirs.at(0.5) / ours.at(0.5).max(1e-9));
        bar(">= 10 times faster than SQLite at p99", ratio >= 10.0);
    }
    if options.strict && !unmet.is_empty() {
        bail!("not met: {}", unmet.join("; "));
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64> {
    if path.is_file() {
        return Ok(path.metadata()?.len());
    }
    let mut sum = 0;
    for entry in std::fs::read_dir(path)? {
        sum += size(&entry?.path())?;
    }
    Ok(sum)
}

/// The most memory this process had, files mapped into it included.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}

/// Processor time of all threads.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
