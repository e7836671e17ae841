//! `quickness`: how soon each ranking finds the services.

mod graph;
mod replay;

use anyhow::Result;
use geotrawl_rank::{ORDERINGS, Pretraining, TaskTopic};
use geotrawl_simweb::{SimWeb, SimWebConfig};
use graph::WebGraph;
use replay::ReplayOutcome;
use std::path::Path;
use std::time::Instant;

/// Replay rankings over simulated webs in memory and report how soon they find the services.
#[derive(Debug, clap::Args)]
pub struct QuicknessOptions {
    /// Seeds of the webs.
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5")]
    seeds: Vec<u64>,
    /// Number of hosts per web, with about 60 pages per host.
    #[arg(long, default_value_t = 300)]
    hosts: usize,
    /// Only these rankings.
    #[arg(long, value_delimiter = ',')]
    orderings: Vec<String>,
    /// Keywords of a task for one theme, which stops after a quarter of the pages.
    #[arg(long, value_delimiter = ',')]
    keywords: Vec<String>,
    /// Retrain the initial weights of `learned`, from webs that are never measured.
    #[arg(long)]
    train: bool,
}

/// Seeds of the webs on which the initial weights are trained.
const TRAINING: [u64; 16] = [101, 102, 103, 104, 105, 106, 107, 108, 121, 122, 123, 124, 125, 126, 127, 128];
/// Number of passes over each of them.
const ROUNDS: usize = 3;
/// File of the initial weights.
const PRETRAINED: &str = "crates/geotrawl-rank/src/learned/pretrained.bin";

pub fn run(root: &Path, args: &QuicknessOptions) -> Result<()> {
    if args.train {
        return train(root, args.hosts);
    }
    for &seed in &args.seeds {
        let started = Instant::now();
        let graph = web(seed, args.hosts);
        let geo = graph.nodes.iter().filter(|node| graph.hosts[node.host as usize].geospatial).count();
        let paying = graph.nodes.iter().filter(|node| !node.proves.is_empty()).count();
        println!(
            "web {seed}: {} pages ({geo} on geospatial hosts, {paying} link to services), {} services, read in {:.1} s",
            graph.nodes.len(),
            graph.services,
            started.elapsed().as_secs_f64()
        );
        for choice in ORDERINGS {
            if !args.orderings.is_empty() && !args.orderings.iter().any(|name| name == choice.name) {
                continue;
            }
            let topic = TaskTopic { keywords: args.keywords.clone() };
            let ordering = geotrawl_rank::create_ranking(choice.name, &topic, None)?;
            let started = Instant::now();
            let most = if args.keywords.is_empty() { usize::MAX } else { graph.nodes.len() / 4 };
            let replay = replay::replay_ranking(&graph, &*ordering, most);
            tell(choice.name, &replay, started.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

/// Trains the initial weights; the result is always the same.
fn train(root: &Path, hosts: usize) -> Result<()> {
    let webs = webs(&TRAINING, hosts);
    let mut training = Pretraining::default();
    for round in 0..ROUNDS {
        for (seed, graph) in TRAINING.iter().zip(&webs) {
            training.train_on_web(|ordering| {
                tell(&format!("{seed}/{round}"), &replay::replay_ranking(graph, ordering, usize::MAX), 0.0);
            });
        }
    }
    let bytes = training.finish();
    println!("{} bytes in {PRETRAINED}", bytes.len());
    std::fs::write(root.join(PRETRAINED), bytes)?;
    Ok(())
}

/// Builds the graphs of webs, two at a time.
fn webs(seeds: &[u64], hosts: usize) -> Vec<WebGraph> {
    let pairs = seeds.chunks(2).flat_map(|pair| {
        std::thread::scope(|scope| {
            let readers: Vec<_> = pair.iter().map(|&seed| scope.spawn(move || web(seed, hosts))).collect();
            readers.into_iter().filter_map(|reader| reader.join().ok()).collect::<Vec<_>>()
        })
    });
    pairs.collect()
}

fn web(seed: u64, hosts: usize) -> WebGraph {
    graph::read_web(&SimWeb::generate(SimWebConfig { seed, hosts, ..SimWebConfig::default() }))
}

fn tell(name: &str, replay: &ReplayOutcome, seconds: f64) {
    println!(
        "  {name:<11} area {:.3}  50% at {:4.1}%  90% at {:4.1}%  | at 10% {:4.1}%  25% {:4.1}%  50% {:4.1}% | geo in first half {:4.1}% | {} pages, {} found, {} ranked, {seconds:.2} s",
        replay.mean_share(),
        100.0 * replay.pages_for(0.5),
        100.0 * replay.pages_for(0.9),
        100.0 * replay.share_found_at(0.1),
        100.0 * replay.share_found_at(0.25),
        100.0 * replay.share_found_at(0.5),
        100.0 * replay.geospatial_until(0.5),
        replay.found.len(),
        replay.found.last().copied().unwrap_or(0),
        replay.weighed,
    );
}
