//! `demo`: the product on a simulated web.

use crate::cli::{DemoArgs, Global};
use crate::config::Config;
use crate::exit::Exit;
use crate::output;
use crate::progress::{Progress, Show};
use anyhow::Result;
use geotrawl_crawl::fetch::Pin;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::Crawl;
use geotrawl_simweb::{SimWeb, SimWebConfig, report};
use geotrawl_store::{EmbeddedStore, RecordFilter, Store};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

/// Crawls a simulated web, shows the crawl, and compares what was found with the truth.
pub fn run(global: &Global, args: &DemoArgs) -> Result<Exit> {
    let config = SimWebConfig { seed: args.seed, hosts: args.hosts as usize, ..SimWebConfig::default() };
    let web = SimWeb::generate(config);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let at = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let served = runtime.block_on(async { web.serve(listener, None) })?;
    let truth = web.truth();
    if !global.quiet {
        output::remark(&format!(
            "A simulated web of {} and about {} answers on {at}; crawling it now.",
            output::count(truth.hosts as u64, "host", "hosts"),
            output::count(truth.pages as u64, "page", "pages"),
        ));
    }
    let mut fetch = Config::load(global)?.fetch;
    fetch.resolve = vec![format!("*={at}").parse::<Pin>()?];
    fetch.set_delay(Duration::from_millis(global.delay.unwrap_or(20)));
    // Nothing on this machine is honestly slow: what stalls here does so on purpose.
    fetch.timeouts.first_byte = Duration::from_secs(8);
    fetch.timeouts.idle = Duration::from_secs(4);
    fetch.timeouts.total = Duration::from_secs(global.timeout.unwrap_or(12));
    let show = if global.json { Show::Json } else { Show::Text };
    let progress = Arc::new(Progress::new(show, global.quiet));
    let data = global.data.join("demo");
    let store = EmbeddedStore::open(&data)?;
    let name = format!("demo-{}-{}", args.seed, args.hosts);
    let crawl = Crawl {
        name: name.clone(),
        seeds: web.seeds(),
        lists: Vec::new(),
        options: CrawlOptions { depth: 30, ..CrawlOptions::default() },
        fetch,
        observer: progress.clone(),
        cpu_threads: 0,
        students: super::students(),
    };
    let outcome = crawl.run(&store, |stopper| super::crawl::stop_on_signal(&stopper));
    progress.finish();
    let summary = outcome?;
    // A simulated web has dead seeds too: its failures are part of the show.
    super::crawl::conclude(global, &progress, &summary, &name);
    runtime.block_on(served.stop());
    if summary.interrupted {
        return Ok(Exit::Interrupted);
    }
    let mut found = Vec::new();
    let filter = RecordFilter { task: Some(name), ..RecordFilter::default() };
    store.records(&filter, &mut |record| {
        found.push((record.resource.kind, record.resource.url));
        true
    })?;
    if !global.quiet {
        let score = report::recall_precision(
            truth,
            found.iter().map(|(k, u)| (k.as_str(), u.as_str())),
            report::Which::AllSurface,
        );
        output::remark(&format!(
            "The web's own truth: {:.1}% of what its pages show was found, {:.1}% of what was found is true.",
            100.0 * score.recall(),
            100.0 * score.precision(),
        ));
        let data = data.display();
        output::remark("Where to look next:");
        output::remark(&format!("  geotrawl --data {data} export --format geojson -o found.geojson"));
        if let Some((_, url)) = found.first() {
            output::remark(&format!("  geotrawl --data {data} explain '{url}'"));
        }
        output::remark("  geotrawl crawl https://your.site --scope domain");
    }
    Ok(Exit::Done)
}
