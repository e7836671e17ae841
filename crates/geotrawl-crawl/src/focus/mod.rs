//! Where a crawl looks, and when it stops looking: groups of seeds, what pages turned out to be worth, weighing anew,
//! and stop rules.

pub(crate) mod feedback;
pub(crate) mod progress;
pub(crate) mod queue;
pub mod stops;
pub mod terms;

use crate::options::CrawlOptions;
use crate::pipeline::CrawlError;
use geotrawl_kinds::probe::{Finding, PageFacts};
use geotrawl_model::focus::SavedModel;
use geotrawl_model::store::CrawlStore;
use geotrawl_model::{CrawlContext, FrontierEntry};
use geotrawl_rank::{FrontierRanking, RankedPage, TaskTopic};
use std::sync::Arc;

/// Makes an ordering from what a task is about and what was learned before.
pub type RankingFactory = dyn Fn(&TaskTopic, Option<&[u8]>) -> Arc<dyn FrontierRanking> + Send + Sync;

/// The ordering of a task, with what it has learned in earlier ones; that is told, too.
pub fn load_ranking(
    store: &dyn CrawlStore,
    options: &CrawlOptions,
    own: Option<&RankingFactory>,
) -> Result<(Arc<dyn FrontierRanking>, Option<SavedModel>), CrawlError> {
    let topic = TaskTopic { keywords: options.keywords.clone() };
    let model = store.load_model(&options.ordering)?;
    let saved = model.as_ref().map(|model| model.bytes.as_slice());
    let ordering = match own {
        Some(make) => make(&topic, saved),
        None => geotrawl_rank::create_ranking(&options.ordering, &topic, saved)
            .map_err(|error| CrawlError::Start(format!("the ordering {error}")))?,
    };
    Ok((ordering, model))
}

/// What is kept of a page that was read until it is a lesson.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageNote {
    /// How often the words of the vocabulary stand in its text.
    pub terms: Vec<(u16, u16)>,
    /// Words of its text.
    pub words: u32,
    /// Services and files that it shows.
    pub shows: u32,
    /// Links since a page that showed something.
    pub distance: u32,
}

impl PageNote {
    /// Of a page that was read.
    pub fn from_finding(item: &FrontierEntry, finding: &Finding) -> Self {
        let probes = finding.targets.iter().filter(|target| target.intent.is_probe()).count();
        let shows = (probes + finding.resources.len()) as u32;
        let distance = if shows > 0 { 0 } else { item.bearing.distance.saturating_add(1) };
        let (words, terms) =
            finding.page.as_ref().map(|page| (page.words, page.terms.clone())).unwrap_or_default();
        Self { terms, words, shows, distance }
    }

    /// The page as orderings see it.
    pub fn to_ranked_page<'a>(
        &'a self,
        item: &'a FrontierEntry,
        title: Option<&'a str>,
        tag: Option<&'a str>,
    ) -> RankedPage<'a> {
        RankedPage {
            url: &item.url,
            title: title.unwrap_or_default(),
            language: tag.map(primary_language),
            terms: &self.terms,
            words: self.words,
            shows: self.shows,
            depth: item.depth,
            distance: self.distance,
        }
    }

    /// What its links are told of it.
    pub fn link_context(
        &self,
        ordering: &dyn FrontierRanking,
        item: &FrontierEntry,
        facts: Option<&PageFacts>,
    ) -> CrawlContext {
        let title = facts.and_then(|facts| facts.title.as_deref());
        let tag = facts.and_then(|facts| facts.language.as_deref());
        let origin = ordering.page_context(&self.to_ranked_page(item, title, tag));
        CrawlContext { width: item.bearing.width, origin: origin.0, distance: self.distance }
    }
}

/// The language of a tag such as `de-AT`.
pub fn primary_language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}
