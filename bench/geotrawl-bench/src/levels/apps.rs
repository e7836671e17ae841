//! The map applications of the simulated web, built with real bundlers, each read as by `extract`.

use super::level_combinations;
use anyhow::{Context, Result};
use geotrawl_crawl::apps::{AppReader, PieceSource, ScriptAnalyzer};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_crawl::inspect;
use geotrawl_crawl::render::{PageRenderer, RenderConfig};
use geotrawl_js::AnalysisLevels;
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_simweb::{AppService, AppSite, AppTruth, listen};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use url::Url;

/// What one level found.
#[derive(Default)]
struct LevelTally {
    services: BTreeMap<u8, usize>,
    found: BTreeMap<u8, usize>,
    candidates: usize,
    scripts: u32,
    wasted: usize,
}

/// Measures the applications in `target/apps` (`make apps` builds them).
pub fn run(root: &Path, misses: bool) -> Result<()> {
    let folder = std::env::var_os("GEOTRAWL_APPS").map_or_else(|| root.join("target/apps"), Into::into);
    let site = AppSite::load(&folder).context("no applications found: run `make apps` first")?;
    let program = root.join("target/release/geotrawl");
    program.metadata().with_context(|| format!("{} not found: run `make build` first", program.display()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let server = site.serve(listen(([127, 0, 0, 1], 0).into())?, None)?;
        let mut fetch = FetchConfig {
            resolve: vec![format!("*={}", server.address()).parse()?],
            ..FetchConfig::default()
        };
        fetch.politeness.delay = Duration::ZERO;
        let client = GuardedClient::new(fetch)?;
        let truth = site.truth();
        println!(
            "{} applications, {} of them without a service",
            truth.apps.len(),
            truth.apps.iter().filter(|app| app.level.is_none()).count()
        );
        println!(
            "{:<24} {:>14} {:>14} {:>14} {:>10} {:>11} {:>8} {:>6}",
            "level", "needing 2", "needing 3", "needing 4", "candidates", "per service", "fetched", "wasted"
        );
        let renderer = PageRenderer::new(RenderConfig::default(), &client);
        if let Err(failure) = &renderer {
            println!("without a browser: {failure}");
        }
        let all = renderer.as_ref().ok().map(|renderer| ("2, 3 and 4, as crawled", None, Some(renderer)));
        for (name, levels, renderer) in
            level_combinations().map(|(name, levels)| (name, levels, None)).into_iter().chain(all)
        {
            let tally = measure(&client, truth, &program, levels, renderer, misses).await;
            let share = |level: u8| {
                format!(
                    "{}/{}",
                    tally.found.get(&level).unwrap_or(&0),
                    tally.services.get(&level).unwrap_or(&0)
                )
            };
            let found: usize = tally.found.values().sum();
            let each = tally.candidates as f64 / found.max(1) as f64;
            println!(
                "{name:<24} {:>14} {:>14} {:>14} {:>10} {each:>11.2} {:>8} {:>6}",
                share(2),
                share(3),
                share(4),
                tally.candidates,
                tally.scripts,
                tally.wasted
            );
        }
        server.stop().await;
        Ok(())
    })
}

async fn measure(
    client: &GuardedClient,
    truth: &AppTruth,
    program: &Path,
    levels: Option<AnalysisLevels>,
    renderer: Option<&PageRenderer>,
    misses: bool,
) -> LevelTally {
    let mut tally = LevelTally::default();
    for app in &truth.apps {
        // A new reader for each, so that scripts are counted as if every application were the
        // first.
        let mut reader = AppReader::without_robots(ScriptAnalyzer::with_processes(program.to_owned()));
        if let Some(levels) = levels {
            reader = reader.with_levels(levels);
        }
        reader = reader.with_renderer(renderer.cloned());
        let Ok(page) = Url::parse(&app.page) else { continue };
        let mut seen = inspect::inspect_targets(client, vec![inspect::page_target(&page)]).await;
        let facts = inspect::read_apps(&mut seen.findings, &reader, PieceSource::Web(client)).await;
        tally.scripts += facts.iter().map(|facts| facts.fetched).sum::<u32>();
        let targets: Vec<CrawlTarget> = seen
            .findings
            .into_iter()
            .flat_map(|finding| finding.targets)
            .filter(|target| target.intent.is_probe())
            .collect();
        let urls: BTreeSet<&Url> = targets.iter().map(|target| &target.url).collect();
        tally.candidates += urls.len();
        for service in truth.services.iter().filter(|service| service.app == app.id && !service.optional) {
            *tally.services.entry(service.level).or_default() += 1;
            if urls.iter().any(|url| is_of(url, service)) {
                *tally.found.entry(service.level).or_default() += 1;
            } else if misses {
                println!(
                    "  miss {} (needs {}) {} {} {:?}",
                    app.id, service.level, service.kind, service.url, service.tags
                );
                for fact in &facts {
                    println!(
                        "       fetched {} makes maps {} undecided {} {:?}",
                        fact.fetched, fact.makes_maps, fact.undecided, fact.issues
                    );
                }
            }
        }
        for wrong in truth.must_not_find.iter().filter(|wrong| wrong.app == app.id) {
            if urls.iter().any(|url| plain(url.as_str()) == plain(&wrong.url)) {
                tally.wasted += 1;
                if misses {
                    println!("  wasted {} {} ({})", app.id, wrong.url, wrong.reason);
                }
            }
        }
        if misses && app.level.is_none() && !targets.is_empty() {
            println!(
                "  {} has no service, but: {:?}",
                app.id,
                targets.iter().map(|t| (t.url.as_str(), &t.way)).collect::<Vec<_>>()
            );
        }
    }
    tally
}

fn is_of(url: &Url, service: &AppService) -> bool {
    std::iter::once(&service.url).chain(&service.aliases).any(|address| plain(address) == plain(url.as_str()))
}

/// Removes irrelevant parts of an address.
fn plain(address: &str) -> String {
    let text = address.replace("%7B", "{").replace("%7D", "}").replace("%7b", "{").replace("%7d", "}");
    text.trim_end_matches(['?', '&', '/']).to_owned()
}
