//! Focused crawling: seed groups, feedback from pages to the ranking, reranking and stop rules.

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
use geotrawl_rank::{FrontierRanking, LinkingPage, TaskTopic};
use std::sync::Arc;

/// Creates a ranking from the topic of a task and a saved model.
pub type RankingFactory = dyn Fn(&TaskTopic, Option<&[u8]>) -> Arc<dyn FrontierRanking> + Send + Sync;

/// Loads the ranking of a task, and returns it with its saved model.
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

/// What is kept of a page until it becomes a training example.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageNote {
    /// Number of occurrences of each vocabulary word in its text.
    pub terms: Vec<(u16, u16)>,
    /// Number of words in its text.
    pub words: u32,
    /// Number of services and files that it shows.
    pub shows: u32,
    /// Links since the last page that showed something.
    pub distance: u32,
}

impl PageNote {
    /// Creates the note of a page that was read.
    pub fn from_finding(item: &FrontierEntry, finding: &Finding) -> Self {
        let probes = finding.targets.iter().filter(|target| target.intent.is_probe()).count();
        let shows = (probes + finding.resources.len()) as u32;
        let distance = if shows > 0 { 0 } else { item.bearing.distance.saturating_add(1) };
        let (words, terms) =
            finding.page.as_ref().map(|page| (page.words, page.terms.clone())).unwrap_or_default();
        Self { terms, words, shows, distance }
    }

    /// Returns the page in the form that rankings use.
    pub fn to_ranked_page<'a>(
        &'a self,
        item: &'a FrontierEntry,
        title: Option<&'a str>,
        tag: Option<&'a str>,
    ) -> LinkingPage<'a> {
        LinkingPage {
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

    /// Returns the crawl context for the links of the page.
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

/// Returns the language of a tag such as `de-AT`.
pub fn primary_language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}
