//! The seed stage. Opens seeds in groups (PolarHub's width): ten at a time, best first, each group
//! when the one before is exhausted.

use super::{CrawlError, CrawlRun};
use crate::leased::RetryingStore;
use crate::{scope, seeds};
use geotrawl_kinds::connectors::{self, ConnectorSet};
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_kinds::urls;
use geotrawl_model::{Intent, NewLink, RunId};
use geotrawl_rank::FrontierRanking;
use jiff::Timestamp;
use std::cell::Cell;
use url::Url;

/// Number of seeds per group.
const SEEDS: usize = 10;
/// Number of links to add per transaction.
const AT_ONCE: usize = 10_000;

/// The seeds of a crawl, in groups or all at once.
pub(crate) struct SeedStage<'a> {
    store: &'a RetryingStore,
    run: RunId,
    ordering: &'a dyn FrontierRanking,
    /// Targets of the seeds that people named.
    named: &'a [Vec<CrawlTarget>],
    /// Targets of the seeds that search engines ranked.
    ranked: Vec<Vec<CrawlTarget>>,
    /// Stored seed lists, which come last.
    lists: &'a [String],
    /// Maximum number of groups to open; `None`: all seeds form one group.
    most: Option<u32>,
    /// The open group.
    open: u32,
}

impl<'a> SeedStage<'a> {
    /// Opens the first group, or the groups that a continued run had opened. Their seeds are added
    /// again, because a crash may have interrupted that; known ones are ignored.
    pub fn open(crawl: &'a CrawlRun, store: &'a RetryingStore) -> Result<Self, CrawlError> {
        let run = crawl.task.run;
        if !crawl.ranked_seeds.is_empty() {
            store.retry(|store| store.save_ranked_seeds(run, &crawl.ranked_seeds))?;
        }
        let ranked = store.retry(|store| store.ranked_seeds(run))?;
        let connectors = crawl.resources.registry.connectors();
        // Search results are not trusted: entries that are not valid URLs are skipped.
        let ranked = ranked
            .iter()
            .filter_map(|seed| {
                seed_targets(connectors, &seed.url, seed.title.as_deref().unwrap_or_default()).ok()
            })
            .collect();
        let mut stage = Self {
            store,
            run,
            ordering: &*crawl.ordering,
            named: &crawl.named,
            ranked,
            lists: &crawl.spec.lists,
            most: crawl.spec.options.width,
            open: 1,
        };
        let opened = store.retry(|store| store.list_seed_groups(run))?.last().map_or(1, |last| last.width);
        for width in 1..=opened {
            stage.open_group(width)?;
        }
        Ok(stage)
    }

    /// Ends the open group and opens the next one; returns `false` if there is none.
    pub fn open_next_group(&mut self, why: &str) -> Result<bool, CrawlError> {
        self.end_group(why)?;
        if self.most.is_none_or(|most| self.open >= most) {
            return Ok(false);
        }
        self.open_group(self.open + 1)
    }

    /// Records why the open group ended.
    pub fn end_group(&self, why: &str) -> Result<(), CrawlError> {
        let now = Timestamp::now();
        Ok(self.store.retry(|store| store.end_seed_group(self.run, self.open, why, false, now))?)
    }

    /// Records that a group is opened, then adds its seeds; returns `false` if it has none.
    fn open_group(&mut self, width: u32) -> Result<bool, CrawlError> {
        let (from, to) = match self.most {
            Some(_) => (SEEDS * (width as usize - 1), SEEDS * width as usize),
            None => (0, usize::MAX),
        };
        let mut links: Vec<NewLink> = Vec::new();
        let mut count = 0_u64;
        let mut add = |targets: &[CrawlTarget]| {
            count += 1;
            links.extend(targets.iter().map(|target| scope::seed_link(self.ordering, target, width)));
        };
        let first = self.named.iter().chain(&self.ranked);
        first.take(to).skip(from).for_each(|targets| add(targets));
        let mut place = self.named.len() + self.ranked.len();
        for list in self.lists {
            if place >= to {
                break;
            }
            // Once seeds were passed on, a retry would add them twice.
            let begun = Cell::new(false);
            let mut take = |seed| {
                begun.set(true);
                if place >= from {
                    let mut targets = Vec::new();
                    seeds::seed_targets(&seed, &mut targets);
                    add(&targets);
                }
                place += 1;
                place < to
            };
            self.store.retry_while(|| !begun.get(), |store| store.visit_seeds(list, &mut take))?;
        }
        if count == 0 && width > 1 {
            return Ok(false);
        }
        let now = Timestamp::now();
        self.store.retry(|store| store.open_seed_group(self.run, width, count, now))?;
        self.open = width;
        for piece in links.chunks(AT_ONCE) {
            self.store.retry(|store| store.add_links(self.run, piece))?;
        }
        Ok(true)
    }
}

/// Returns the targets of a seed with this link text.
pub(crate) fn seed_targets(
    connectors: &ConnectorSet,
    seed: &str,
    words: &str,
) -> Result<Vec<CrawlTarget>, CrawlError> {
    let with_scheme = if seed.contains("://") { seed.to_owned() } else { format!("http://{seed}") };
    let url = Url::parse(&with_scheme)
        .map_err(|error| CrawlError::Seed { seed: seed.to_owned(), cause: error.to_string() })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        let cause = "only http and https addresses can be crawled".to_owned();
        return Err(CrawlError::Seed { seed: seed.to_owned(), cause });
    }
    // A catalogue with an operator's connector is read with that connector.
    if let Some(own) = connectors.declared_for(&url) {
        return Ok(vec![connectors::first_page_target(own.id(), url)]);
    }
    let mut targets = Vec::new();
    urls::append_targets(url.clone(), "seed".into(), words, &mut targets);
    // Seeds are read even if a link to them would be skipped.
    if targets.is_empty() {
        targets.push(CrawlTarget::new(urls::canonical_url(&url), Intent::Page, "seed"));
    }
    Ok(targets)
}
