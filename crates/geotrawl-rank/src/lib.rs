//! What to fetch next: the orderings of a crawl, what they learn from what it finds, and why they rank as they do.
//!
//! Pure: no clock, no I/O. The crawler asks for a place in the queue when a link is found ([`Ordering::weigh`]),
//! asks again when it takes links from the queue ([`Ordering::learns`]), tells how pages turned out
//! ([`Ordering::learn`]) and keeps what was learned ([`Ordering::save`]).

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

/// Places in the queue that pages may have; smaller is sooner. Probes, catalogues and sitemaps stand before.
pub const FIRST: u32 = 1_000;
/// The last place.
pub const LAST: u32 = FIRST + 1_000_000;

/// What is known of the page that shows links, told once per page.
#[derive(Debug, Clone, Copy, Default)]
pub struct RankedPage<'a> {
    pub url: &'a str,
    pub title: &'a str,
    /// ISO 639-1 code.
    pub language: Option<&'a str>,
    /// How often the words of the vocabulary stand in its text, by their number there.
    pub terms: &'a [(u16, u16)],
    /// Words of its text.
    pub words: u32,
    /// Services and files that it shows.
    pub shows: u32,
    /// Links away from its seed.
    pub depth: u32,
    /// Links since a page that showed something; 0 when this one does.
    pub distance: u32,
}

/// What an ordering wants kept with every link of a page; its own affair. It is stored with the link and given
/// back with it, also after a restart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PageContext(pub u32);

/// A link to a page.
#[derive(Debug, Clone, Copy)]
pub struct RankedLink<'a> {
    /// Canonical address.
    pub url: &'a str,
    /// What is written on the link and around it.
    pub words: &'a str,
    /// How it was found: `href`, `sitemap`, `seed`, ...
    pub way: &'a str,
    /// Links away from its seed.
    pub depth: u32,
    /// Which group of seeds it descends from, from 1.
    pub width: u32,
    /// What [`Ordering::origin`] said of the page that shows it.
    pub origin: PageContext,
}

impl<'a> From<&'a FrontierEntry> for RankedLink<'a> {
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

/// How a page turned out.
#[derive(Debug, Clone, Copy)]
pub struct PageFeedback<'a> {
    /// The link that led to it.
    pub link: RankedLink<'a>,
    /// What it was; absent when it could not be read.
    pub page: Option<RankedPage<'a>>,
    /// Services and files, not known to this run before, that were proven because of it.
    pub gained: u32,
}

/// One reason for a place in the queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankReason {
    /// A short name: `host`, `words:karten`, `depth`, ...
    pub name: String,
    /// What it adds to the expectation; its scale is that of the ordering.
    pub adds: f64,
    /// For people: "12 services on 40 pages of this host".
    pub text: String,
}

/// Why a link has its place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankExplanation {
    pub ordering: String,
    pub place: u32,
    /// New services expected of the request, where the ordering estimates that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<f64>,
    /// Strongest first.
    pub reasons: Vec<RankReason>,
}

/// A word that the ordering has learned to go by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnedTerm {
    pub term: String,
    /// Positive: leads to services; negative: leads away.
    pub weight: f64,
    /// Pages it was seen with.
    pub seen: u64,
}

/// An order of pages. Shared by the threads of a crawl; learning is cheap and may come from any of them.
pub trait FrontierRanking: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What to keep of a page for each of its links.
    fn page_context(&self, page: &RankedPage<'_>) -> PageContext {
        let _ = page;
        PageContext::default()
    }

    /// The link's place, from [`FIRST`] to [`LAST`]; those of one place go in the order of finding.
    fn rank_link(&self, link: &RankedLink<'_>) -> u32;

    /// What of a link is needed to weigh it again, for orderings that learn and have a quicker way than reading it anew.
    fn prepare_link(&self, link: &RankedLink<'_>) -> Option<PreparedLink> {
        let _ = link;
        None
    }

    /// The place now of a link that this ordering has sketched: the same as [`Ordering::weigh`] says of it.
    fn rank_prepared(&self, sketch: &PreparedLink) -> u32 {
        let _ = sketch;
        LAST
    }

    /// Whether places change with what is learned: then links are weighed again when they are taken from the queue.
    fn is_learning(&self) -> bool {
        false
    }

    /// Takes note of how a page turned out. Called once for each page, when all that it led to was proven or not.
    fn learn_from(&self, lesson: &PageFeedback<'_>) {
        let _ = lesson;
    }

    /// Takes note of the address of a service or file that was proven, new to this run. Not every ordering cares.
    fn record_service(&self, service: &str) {
        let _ = service;
    }

    /// Why a link would have its place now.
    fn explain_rank(&self, link: &RankedLink<'_>) -> RankExplanation;

    /// The words it goes by, strongest first, at most `most` of each sign.
    fn learned_terms(&self, most: usize) -> Vec<LearnedTerm> {
        let _ = most;
        Vec::new()
    }

    /// What it has learned, to be kept; empty when it keeps nothing.
    fn serialize_model(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes in what another has learned: `saved` is what that one kept, `base` what both began with (`None`: nothing).
    /// So tasks that run at the same time, and workers on one task, teach each other.
    fn merge_model(&self, base: Option<&[u8]>, saved: &[u8]) {
        let _ = (base, saved);
    }
}

/// An ordering that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RankingChoice {
    pub name: &'static str,
    /// For people, one line.
    pub about: &'static str,
    pub learns: bool,
}

/// All that can be chosen; the first is the default.
pub const ORDERINGS: &[RankingChoice] = &[
    RankingChoice {
        name: DEFAULT_ORDERING,
        about: "Pages from which most new services are expected first, as learned from what was found so far",
        learns: true,
    },
    RankingChoice {
        name: "hints",
        about: "Nearer pages first; within a level those whose words speak of maps and data",
        learns: false,
    },
    RankingChoice {
        name: "polarhub",
        about: "One group of seeds after the other, nearer pages first (PolarHub)",
        learns: false,
    },
    RankingChoice {
        name: "atf",
        about: "By the terms of the addresses of services found so far and the words of pages (Li 2010)",
        learns: true,
    },
    RankingChoice {
        name: "cosine",
        about: "By the likeness of page, link and address to the keywords (LCWMS)",
        learns: false,
    },
    RankingChoice { name: "fifo", about: "As found", learns: false },
];

/// What a task tells its ordering.
#[derive(Debug, Clone, Default)]
pub struct TaskTopic {
    /// Keywords of the task; empty: anything geospatial.
    pub keywords: Vec<String>,
}

/// No ordering has this name.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[error("'{0}' is not one of: {names}", names = names())]
pub struct UnknownRankingError(String);

fn names() -> String {
    ORDERINGS.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", ")
}

/// The ordering of this name. `saved` is what [`Ordering::save`] gave earlier; what cannot be read is left aside.
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
