//! A batch as committed by the crawler: pages with known and new links, some of which found a
//! service.

use super::WorkPass;
use anyhow::{Context, Result, ensure};
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{
    Bbox, CrawlBatch, Dataset, Evidence, FinishedItem, FoundResource, FrontierEntry, NewLink, PageOutcome,
    Resource, Status, TaskSpec,
};
use geotrawl_store::EmbeddedStore;
use std::path::Path;

const HOSTS: u64 = 8;
const KNOWN: u64 = 8_000;
const PAGES: usize = 24;
const LINKS: u64 = 40;

fn spec() -> TaskSpec {
    TaskSpec { name: "counted".into(), seeds: Vec::new(), options: serde_json::json!({}) }
}

fn link(number: u64) -> NewLink {
    let host = format!("https://www.site-{}.example.org", number % HOSTS);
    let url = format!("{host}/section/{}/article-about-things-{number:08}", number % 50);
    NewLink {
        key: format!("page {url}"),
        url,
        host,
        priority: 1_000 + (number % 7) as u32,
        depth: 2,
        way: "href".into(),
        words: "what is written on the link".into(),
        ..NewLink::default()
    }
}

pub fn prepare(folder: &Path) -> Result<()> {
    let store = EmbeddedStore::open(&folder.join("store"))?;
    let run = store.open_task(&spec(), jiff::Timestamp::UNIX_EPOCH)?.run;
    let links: Vec<NewLink> = (0..KNOWN).map(link).collect();
    ensure!(store.add_links(run, &links)?.new == KNOWN, "not all links were new");
    Ok(())
}

fn service(number: usize, round: u64) -> FoundResource {
    let url = format!("https://maps-{number}.example.org/ows{round}");
    let datasets: Vec<Dataset> = (0..12)
        .map(|layer| Dataset {
            name: format!("layer_{layer}"),
            title: Some(format!("Layer {layer} of service {number}")),
            bbox: Some(Bbox { west: -10.0, south: 35.5, east: 4.25, north: 44.0 }),
            ..Dataset::default()
        })
        .collect();
    FoundResource {
        resource: Resource {
            kind: "wms".into(),
            title: Some(format!("Service {number}")),
            dataset_count: datasets.len() as u64,
            datasets,
            url: url.clone(),
            ..Resource::default()
        },
        status: Status::Alive,
        reason: String::new(),
        evidence: Evidence {
            request: format!("{url}?SERVICE=WMS&REQUEST=GetCapabilities"),
            status: 200,
            bytes: 5_000,
            hash: "00".into(),
            rule: "root element".into(),
            ..Evidence::default()
        },
        ip: Some("192.0.2.1".into()),
        themes: Vec::new(),
    }
}

pub fn begin_commit(folder: &Path) -> Result<Box<WorkPass>> {
    let store = EmbeddedStore::open(&folder.join("store"))?;
    let run = store.open_task(&spec(), jiff::Timestamp::UNIX_EPOCH)?.run;
    let mut items: Vec<FrontierEntry> = Vec::new();
    for host in store.hosts_with_work(run, HOSTS as usize, &|_| false)? {
        items.extend(store.pending_entries(run, host.host, 2 * PAGES / HOSTS as usize, &|_| false)?);
    }
    let outcome = PageOutcome {
        class: "ok".into(),
        status: Some(200),
        requests: 1,
        bytes: 9_000,
        ..PageOutcome::default()
    };
    let mut batches: Vec<CrawlBatch> = Vec::new();
    for (items, round) in items.chunks_exact(PAGES).zip(0_u64..) {
        let done = items.iter().zip(0_u64..).map(|(item, place)| FinishedItem {
            item: item.clone(),
            outcome: outcome.clone(),
            // Every second link is new.
            links: (0..LINKS)
                .map(|nth| {
                    let number = (place * LINKS + nth) * 3;
                    link(if nth % 2 == 0 { KNOWN * (2 + round) + number } else { number % KNOWN })
                })
                .collect(),
            found: if place % 8 == 0 { vec![service(place as usize, round)] } else { Vec::new() },
            harvest: None,
        });
        let now = jiff::Timestamp::from_second(1_790_000_000 + round as i64)?;
        batches.push(CrawlBatch { run, done: done.collect(), robots: Vec::new(), now });
    }
    batches.reverse();
    Ok(Box::new(move || {
        let batch = batches.pop().context("no batch left")?;
        let committed = store.commit(&batch)?;
        ensure!(committed.ignored == 0, "pages were ignored");
        Ok(committed.added.new + committed.resources.len() as u64)
    }))
}
