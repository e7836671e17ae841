//! Executes a parsed query: first with all words, then with fewer, then reordered by the best
//! layers.

use crate::CatalogueIndex;
use crate::boxes::{FixedPointBox, QueryBox};
use crate::collect::{CollectedHits, ScoredHit, SearchCriteria, collect_hits, compare_hits};
use crate::compile::CompiledQuery;
use crate::engine::IndexSnapshot;
use crate::highlight::HighlightTerms;
use crate::ingest::StoredLayer;
use crate::parse::{QueryNode, parse_query};
use crate::query::{RankingSignal, SearchQuery, SearchTarget, SortOrder};
use crate::search::{CompiledWords, select_index};
use std::collections::HashMap;
use tantivy::Searcher;

/// With fewer hits than this, the query is relaxed or respelled.
pub const FEW: u64 = 10;
/// Number of top services that are reordered by their best layers.
const WEIGHED_BY_LAYERS: usize = 50;
/// Weight of the best layer's score in the score of its service.
const LAYER: f32 = 0.9;
/// Maximum number of layers shown with a service.
const MOST_LAYERS: usize = 5;

/// How many words and kinds of a query must match.
#[derive(Debug, Clone, Copy, Default)]
pub struct MatchRequirements {
    /// Minimum number of plain words that must match; `None` requires all.
    pub minimum: Option<usize>,
    /// Whether the kinds named in the query are optional.
    pub any_kind: bool,
}

/// Result of executing a query.
pub struct MatchedHits {
    pub words: CompiledWords,
    pub leniency: MatchRequirements,
    /// Number of hits with all words, if the query had to be relaxed.
    pub complete: Option<u64>,
    /// Corrected query, if the original spelling matches nothing.
    pub spelled: Option<(String, QueryNode)>,
    pub found: CollectedHits,
    /// Matching layers of the best services, if they were looked up.
    pub layers: MatchingLayers,
}

/// Result of matching with a given number of words.
struct RelaxedMatches {
    words: CompiledWords,
    leniency: MatchRequirements,
    with_all: u64,
    found: CollectedHits,
}

/// Layers that match, by service: the best of each, and how many there are.
#[derive(Default)]
pub struct MatchingLayers {
    pub of: HashMap<u64, (Vec<ScoredHit>, u64)>,
    pub marks: HighlightTerms,
}

impl CatalogueIndex {
    /// Searches for all words. If hardly anything has all of them, requires all but one, then half,
    /// then one: large services mention everything somewhere, and the service that was meant may
    /// use other words. Hits that lack a word rank behind hits that have it.
    pub(crate) fn search_with_relaxation(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
        wanted: &SearchCriteria,
    ) -> tantivy::Result<MatchedHits> {
        let half = select_index(snapshot, query.by);
        let keep = wanted.keep;
        let weighed = query.by == SearchTarget::Services
            && wanted.scored
            && keep > 0
            && wanted.skip < WEIGHED_BY_LAYERS
            && !query.without.contains(&RankingSignal::Layers);
        let mut wanted = wanted.clone();
        if weighed {
            // Every page that includes some of these services must reorder the same set.
            (wanted.skip, wanted.keep) = (0, keep.max(WEIGHED_BY_LAYERS));
        }
        let mut words = self.compile_words(snapshot, node, query, MatchRequirements::default())?;
        let mut spelled = None;
        // With `exact`, callers are programs that cannot show a correction to anyone.
        if !query.exact
            && matches!(&words.asked, CompiledQuery::Plan(plan) if plan.has_unknown_words())
            && let Some(spelling) = self.correct_spelling(snapshot, node, query)?.filter(|other| other.sure)
            && let Ok(Some(node)) = parse_query(&spelling.words)
        {
            words = self.compile_words(snapshot, Some(&node), query, MatchRequirements::default())?;
            spelled = Some((spelling.words, node));
        }
        let node = spelled.as_ref().map(|(_, node)| node).or(node);
        let strict = matches!(&words.asked, CompiledQuery::Plan(plan) if plan.has_required());
        let mut tried = self.with_fewer_words(snapshot, node, query, &mut wanted, words, false)?;
        let with_all = tried.with_all;
        if strict && tried.found.total == 0 {
            let words = self.compile_words(
                snapshot,
                node,
                query,
                MatchRequirements { any_kind: true, minimum: None },
            )?;
            tried = self.with_fewer_words(snapshot, node, query, &mut wanted, words, true)?;
        }
        let RelaxedMatches { words, leniency, mut found, .. } = tried;
        let mut layers = MatchingLayers::default();
        if weighed {
            let end = found.best.len().min(WEIGHED_BY_LAYERS);
            layers = self.layers_of_services(snapshot, node, query, leniency, &found.best[..end])?;
            weigh_by_layers(&mut found.best[..end], &layers, &wanted);
            found.best.truncate(keep);
        }
        if wanted.sorts_by_layer_title() {
            self.by_whole_title(&half.searcher, &mut found.best)?;
            found.best.truncate(keep);
        }
        let complete = Some(with_all).filter(|all| *all < found.total);
        Ok(MatchedHits { words, leniency, complete, spelled, found, layers })
    }

    /// Matches all words; if there are too few hits, requires fewer words until there are enough.
    fn with_fewer_words(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
        wanted: &mut SearchCriteria,
        mut words: CompiledWords,
        any_kind: bool,
    ) -> tantivy::Result<RelaxedMatches> {
        let half = select_index(snapshot, query.by);
        // Operators and phrases are taken literally.
        let enough = if matches!(words.asked, CompiledQuery::Plan(_)) && !query.exact { FEW } else { 1 };
        let mut leniency = MatchRequirements { minimum: None, any_kind };
        wanted.minimum = None;
        let mut found = collect_hits(half, &words.asked, wanted)?;
        let with_all = found.total;
        let mut fewer = match words.counted {
            0 | 1 => Vec::new(),
            counted => vec![counted - 1, counted.div_ceil(2), 1],
        };
        fewer.dedup();
        for minimum in fewer {
            if found.total >= enough {
                break;
            }
            leniency.minimum = Some(minimum);
            wanted.minimum = leniency.minimum;
            if let CompiledQuery::Query(_) = words.asked {
                words = self.compile_words(snapshot, node, query, leniency)?;
            }
            found = collect_hits(half, &words.asked, wanted)?;
        }
        Ok(RelaxedMatches { words, leniency, with_all, found })
    }

    /// Orders layers by their whole titles where the title columns, which hold only the first
    /// bytes, are equal.
    fn by_whole_title(&self, searcher: &Searcher, best: &mut [ScoredHit]) -> tantivy::Result<()> {
        for alike in best.chunk_by_mut(|a, b| a.key == b.key).filter(|alike| alike.len() > 1) {
            let mut titled = Vec::with_capacity(alike.len());
            for candidate in alike.iter() {
                let stored: StoredLayer = self.load_stored(searcher, candidate.at)?;
                titled.push((crate::ingest::title_sort_key(&stored.title, &stored.name), *candidate));
            }
            // The sort is stable, so layers with equal titles keep their order.
            titled.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (to, (_, candidate)) in alike.iter_mut().zip(titled) {
                *to = candidate;
            }
        }
        Ok(())
    }

    /// Returns the best layers of each of these services, in one pass.
    pub(crate) fn layers_of_services(
        &self,
        snapshot: &IndexSnapshot,
        node: Option<&QueryNode>,
        query: &SearchQuery,
        leniency: MatchRequirements,
        services: &[ScoredHit],
    ) -> tantivy::Result<MatchingLayers> {
        let mut layers = MatchingLayers::default();
        if services.is_empty() || (node.is_none() && query.bbox.is_none()) {
            return Ok(layers);
        }
        let by_layers = SearchQuery { by: SearchTarget::Layers, sort: SortOrder::Best, ..query.clone() };
        let words = self.compile_words(snapshot, node, &by_layers, leniency)?;
        let slots: Vec<u64> = services.iter().map(|candidate| candidate.slot).collect();
        let wanted = SearchCriteria {
            rows: &snapshot.rows,
            by: SearchTarget::Layers,
            sort: SortOrder::Best,
            area: query
                .bbox
                .as_ref()
                .and_then(FixedPointBox::from_bbox)
                .map(|area| (QueryBox::from_box(area), query.relation)),
            time: None,
            filters: Default::default(),
            without: &query.without,
            scored: node.is_some(),
            count_facets: false,
            keep_records: true,
            keep: 0,
            skip: 0,
            passing: None,
            only: Some(&slots),
            minimum: leniency.minimum,
            keep_each: Some(MOST_LAYERS),
        };
        // Every service gets an entry, even without matching layers, so that the caller does not
        // look it up again.
        let found = collect_hits(&snapshot.layers, &self.restrict_to_slots(&slots, words.asked), &wanted)?;
        layers.of = slots.iter().map(|slot| (*slot, Default::default())).collect();
        for (slot, hits) in found.records {
            layers.of.entry(slot).or_default().1 += hits;
        }
        for candidate in found.best {
            layers.of.entry(candidate.slot).or_default().0.push(candidate);
        }
        layers.marks = words.marks;
        Ok(layers)
    }
}

/// Reorders services by their best layers: words that occur together in one layer say more than
/// words scattered over hundreds of layers, and the box of that layer says more than a box around
/// everything.
fn weigh_by_layers(services: &mut [ScoredHit], layers: &MatchingLayers, wanted: &SearchCriteria) {
    for service in services.iter_mut() {
        let Some(layer) = layers.of.get(&service.slot).and_then(|(best, _)| best.first()) else { continue };
        let score = LAYER * layer.score;
        if score > service.score {
            (service.score, service.text, service.overlap) = (score, LAYER * layer.text, layer.overlap);
            service.key = u128::from(score.max(0.0).to_bits());
        }
    }
    services.sort_unstable_by(|a, b| compare_hits(a, b, wanted));
}
