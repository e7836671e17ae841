//! Groups of seeds (PolarHub's width): ten seeds at a time, the best first; a group is exhausted before the next one
//! is opened.

use crate::pipeline::{Crawl, CrawlError};
use crate::{scope, seeds};
use geotrawl_kinds::connectors;
use geotrawl_kinds::probe::{Intent, Target};
use geotrawl_kinds::urls;
use geotrawl_rank::Ordering;
use geotrawl_store::focus::RankedSeed;
use geotrawl_store::{NewLink, RunId, Store};
use jiff::Timestamp;
use url::Url;

/// Seeds of a group.
pub const SEEDS: usize = 10;
/// Links added in one transaction.
const AT_ONCE: usize = 10_000;

/// The seeds of a crawl, in groups or all at once.
pub struct Groups<'a> {
    store: &'a dyn Store,
    run: RunId,
    ordering: &'a dyn Ordering,
    /// What people named and what engines rank, as targets.
    first: Vec<Vec<Target>>,
    /// Stored lists, which follow.
    lists: &'a [String],
    /// Groups opened at most; `None`: all seeds are one.
    most: Option<u32>,
    /// The group that is open.
    open: u32,
}

impl<'a> Groups<'a> {
    /// The groups of a crawl. `named` is what [`targets_of`] made of the seeds that people named.
    pub fn new(
        crawl: &'a Crawl,
        store: &'a dyn Store,
        run: RunId,
        ordering: &'a dyn Ordering,
        named: Vec<Vec<Target>>,
        ranked: &[RankedSeed],
    ) -> Result<Self, CrawlError> {
        if !ranked.is_empty() {
            store.keep_ranked_seeds(run, ranked)?;
        }
        let mut first = named;
        // What engines say is strangers' word: what is no address is passed over.
        first.extend(
            store
                .ranked_seeds(run)?
                .iter()
                .filter_map(|seed| targets_of(&seed.url, seed.title.as_deref().unwrap_or_default()).ok()),
        );
        Ok(Self { store, run, ordering, first, lists: &crawl.lists, most: crawl.options.width, open: 1 })
    }

    /// Opens the first group; of a run that goes on, the one it was in. Seeds are added again: a crash may have come
    /// between, and known ones are ignored.
    pub fn begin(&mut self) -> Result<(), CrawlError> {
        let opened = self.store.widths(self.run)?.last().map_or(1, |last| last.width);
        for width in 1..=opened {
            self.open_group(width)?;
        }
        Ok(())
    }

    /// Ends the group that is open and opens the next; `false` when there is none.
    pub fn next(&mut self, why: &str) -> Result<bool, CrawlError> {
        self.end(why)?;
        if self.most.is_none_or(|most| self.open >= most) {
            return Ok(false);
        }
        self.open_group(self.open + 1)
    }

    /// Notes why the open group ended.
    pub fn end(&self, why: &str) -> Result<(), CrawlError> {
        Ok(self.store.end_width(self.run, self.open, why, false, Timestamp::now())?)
    }

    /// Notes that a group is opened, then adds its seeds; `false` when it has none.
    fn open_group(&mut self, width: u32) -> Result<bool, CrawlError> {
        let (from, to) = match self.most {
            Some(_) => (SEEDS * (width as usize - 1), SEEDS * width as usize),
            None => (0, usize::MAX),
        };
        let mut links: Vec<NewLink> = Vec::new();
        let mut count = 0_u64;
        let mut add = |targets: &[Target]| {
            count += 1;
            links.extend(targets.iter().map(|target| scope::seed(self.ordering, target, width)));
        };
        self.first.iter().take(to).skip(from).for_each(|targets| add(targets));
        let mut place = self.first.len();
        for list in self.lists {
            if place >= to {
                break;
            }
            self.store.seeds(list, &mut |seed| {
                if place >= from {
                    let mut targets = Vec::new();
                    seeds::targets(&seed, &mut targets);
                    add(&targets);
                }
                place += 1;
                place < to
            })?;
        }
        if count == 0 && width > 1 {
            return Ok(false);
        }
        self.store.open_width(self.run, width, count, Timestamp::now())?;
        self.open = width;
        for piece in links.chunks(AT_ONCE) {
            self.store.add_links(self.run, piece)?;
        }
        Ok(true)
    }
}

/// What to ask for when somebody names this seed with these words.
pub fn targets_of(seed: &str, words: &str) -> Result<Vec<Target>, CrawlError> {
    let with_scheme = if seed.contains("://") { seed.to_owned() } else { format!("http://{seed}") };
    let url = Url::parse(&with_scheme)
        .map_err(|error| CrawlError::Seed { seed: seed.to_owned(), cause: error.to_string() })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        let cause = "only http and https addresses can be crawled".to_owned();
        return Err(CrawlError::Seed { seed: seed.to_owned(), cause });
    }
    // A catalogue that the operator described is read as described.
    if let Some(own) = connectors::declared_for(&url) {
        return Ok(vec![connectors::first_page(own.id(), url)]);
    }
    let mut targets = Vec::new();
    urls::targets(url.clone(), "seed".into(), words, &mut targets);
    // What a person names is read, also where a link to it would be passed over.
    if targets.is_empty() {
        targets.push(Target::new(urls::canonical(&url), Intent::Page, "seed"));
    }
    Ok(targets)
}
