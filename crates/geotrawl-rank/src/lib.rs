//! What to fetch next: the rankings of a crawl, what they learn from its results, and why they rank
//! a link.
//!
//! Pure: no clock, no I/O. The crawler ranks a link when it is found
//! ([`FrontierRanking::rank_link`]), and again when it is taken from the queue if the ranking
//! learns ([`FrontierRanking::is_learning`]). It reports how pages turned out
//! ([`FrontierRanking::learn_from`]) and stores what was learned
//! ([`FrontierRanking::serialize_model`]).

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod atf;
mod cosine;
mod fifo;
mod hints;
mod learned;
mod polarhub;
mod words;

pub use geotrawl_kinds::extract::vocabulary;
pub use learned::{PreparedLink, Pretraining};

use geotrawl_model::FrontierEntry;
use geotrawl_model::task::DEFAULT_ORDERING;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Ranks of pages in the queue; smaller is sooner. Probes,
/// catalogues and sitemaps come before all pages.
pub const FIRST: u32 = 1_000;
/// The last rank.
pub const LAST: u32 = FIRST + 1_000_000;

/// What is known about a page that links are ranked from; computed once per page.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinkingPage<'a> {
    pub url: &'a str,
    pub title: &'a str,
    /// ISO 639-1 code.
    pub language: Option<&'a str>,
    /// Vocabulary words in its text, as pairs of word number and count.
    pub terms: &'a [(u16, u16)],
    /// Number of words in its text.
    pub words: u32,
    /// Number of services and files that it links to.
    pub shows: u32,
    /// Distance from its seed in links.
    pub depth: u32,
    /// Distance in links from a page that linked to a service or file; 0 if this page does.
    pub distance: u32,
}

/// Data that a ranking keeps with every link of a page, in a format of its own. Stored with the
/// link, so it survives restarts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PageContext(pub u32);

/// A link to be ranked.
#[derive(Debug, Clone, Copy)]
pub struct LinkToRank<'a> {
    /// Canonical URL.
    pub url: &'a str,
    /// The text of the link and around it.
    pub words: &'a str,
    /// Discovery method: `href`, `sitemap`, `seed`, ...
    pub way: &'a str,
    /// Distance from its seed in links.
    pub depth: u32,
    /// Number of its group of seeds, starting at 1.
    pub width: u32,
    /// What [`FrontierRanking::page_context`] returned for the linking page.
    pub origin: PageContext,
}

impl<'a> From<&'a FrontierEntry> for LinkToRank<'a> {
    fn from(item: &'a FrontierEntry) -> Self {
        Self {
            url: &item.url,
            words: &item.words,
            way: &item.way,
            depth: item.depth,
            width: item.bearing.width,
            origin: PageContext(item.bearing.origin),
        }
    }
}

/// What a visited page turned out to be.
#[derive(Debug, Clone, Copy)]
pub struct PageFeedback<'a> {
    /// The link to the page.
    pub link: LinkToRank<'a>,
    /// The page; `None` if it could not be read.
    pub page: Option<LinkingPage<'a>>,
    /// Number of services and files, new to this run, that were confirmed because of the page.
    pub gained: u32,
}

/// One reason for the rank of a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankReason {
    /// Short name: `host`, `words:karten`, `depth`, ...
    pub name: String,
    /// Contribution to the estimate, on the scale of the ranking.
    pub adds: f64,
    /// Description for the user: "12 services on 40 pages of this host".
    pub text: String,
}

/// Why a link has its rank.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankExplanation {
    pub ordering: String,
    pub place: u32,
    /// Expected number of new services from the request, if the ranking estimates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<f64>,
    /// Strongest first.
    pub reasons: Vec<RankReason>,
}

/// A word that the ranking has learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnedTerm {
    pub term: String,
    /// Positive if the word leads to services, negative if it leads away from them.
    pub weight: f64,
    /// Number of pages with the word.
    pub seen: u64,
}

/// Ranks the pages of a crawl. Shared by the threads of a crawl; any of them may call any method.
pub trait FrontierRanking: Send + Sync {
    /// Returns the name on the command line.
    fn name(&self) -> &'static str;

    /// Returns the data to keep with each link of a page.
    fn page_context(&self, page: &LinkingPage<'_>) -> PageContext {
        let _ = page;
        PageContext::default()
    }

    /// Returns the rank of a link, from [`FIRST`] to [`LAST`].
    /// Links with the same rank keep their order.
    fn rank_link(&self, link: &LinkToRank<'_>) -> u32;

    /// Prepares a link for quick re-ranking; `None` if the ranking does not support it.
    fn prepare_link(&self, link: &LinkToRank<'_>) -> Option<PreparedLink> {
        let _ = link;
        None
    }

    /// Returns the current rank of a prepared link, the same as [`FrontierRanking::rank_link`].
    fn rank_prepared(&self, sketch: &PreparedLink) -> u32 {
        let _ = sketch;
        LAST
    }

    /// Whether ranks change by learning, so that links must be
    /// re-ranked when they are taken from the queue.
    fn is_learning(&self) -> bool {
        false
    }

    /// Learns from a page. Called once per page, when everything that
    /// it led to has been confirmed or rejected.
    fn learn_from(&self, lesson: &PageFeedback<'_>) {
        let _ = lesson;
    }

    /// Learns from the address of a confirmed service or file that is new to this run.
    fn record_service(&self, service: &str) {
        let _ = service;
    }

    /// Explains the current rank of a link.
    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation;

    /// Returns the learned words, strongest first, at most
    /// `most` positive and `most` negative ones.
    fn learned_terms(&self, most: usize) -> Vec<LearnedTerm> {
        let _ = most;
        Vec::new()
    }

    /// Serialises what was learned; empty if nothing is kept.
    fn serialize_model(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Merges what another instance has learned: `saved` is its model, `base` the model that both
    /// started from (`None` for none). Concurrent tasks and workers on one task share their
    /// experience this way.
    fn merge_model(&self, base: Option<&[u8]>, saved: &[u8]) {
        let _ = (base, saved);
    }
}

/// A ranking that the user can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RankingChoice {
    pub name: &'static str,
    /// One-line description for the user.
    pub about: &'static str,
    pub learns: bool,
}

/// All rankings; the first is the default.
pub const ORDERINGS: &[RankingChoice] = &[
    RankingChoice {
        name: DEFAULT_ORDERING,
        about: "Pages with the most expected new services first, as learned from the results so far",
        learns: true,
    },
    RankingChoice {
        name: "hints",
        about: "Pages closer to their seed first; within a level, those that mention maps and data",
        learns: false,
    },
    RankingChoice {
        name: "polarhub",
        about: "One group of seeds after the other, pages closer to their seed first (PolarHub)",
        learns: false,
    },
    RankingChoice {
        name: "atf",
        about: "By the terms in the URLs of services found so far and the words of pages (Li 2010)",
        learns: true,
    },
    RankingChoice {
        name: "cosine",
        about: "By the similarity of page, link and URL to the keywords (LCWMS)",
        learns: false,
    },
    RankingChoice { name: "fifo", about: "In order of discovery", learns: false },
];

/// The parts of a task that a ranking uses.
#[derive(Debug, Clone, Default)]
pub struct TaskTopic {
    /// Keywords of the task; empty for anything geospatial.
    pub keywords: Vec<String>,
}

/// The name of a ranking is unknown.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[error("'{0}' is not one of: {names}", names = names())]
pub struct UnknownRankingError(String);

fn names() -> String {
    ORDERINGS.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", ")
}

/// Creates a ranking by name. `saved` is an earlier result of [`FrontierRanking::serialize_model`];
/// ignored if unreadable.
pub fn create_ranking(
    name: &str,
    topic: &TaskTopic,
    saved: Option<&[u8]>,
) -> Result<Arc<dyn FrontierRanking>, UnknownRankingError> {
    match name {
        "learned" => Ok(Arc::new(learned::LearnedRanking::new(topic, saved))),
        "polarhub" => Ok(Arc::new(polarhub::PolarHubRanking)),
        "atf" => Ok(Arc::new(atf::AtfRanking::new(saved))),
        "cosine" => Ok(Arc::new(cosine::CosineRanking::new(topic))),
        "fifo" => Ok(Arc::new(fifo::FifoRanking)),
        "hints" => Ok(Arc::new(hints::HintsRanking)),
        _ => Err(UnknownRankingError(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_can_be_had_and_others_are_named() {
        for choice in ORDERINGS {
            let ordering = create_ranking(choice.name, &TaskTopic::default(), None).unwrap();
            assert_eq!((ordering.name(), ordering.is_learning()), (choice.name, choice.learns));
        }
        let unknown = create_ranking("best", &TaskTopic::default(), None).err().unwrap();
        assert!(unknown.to_string().contains("learned, hints, "), "{unknown}");
    }
}
