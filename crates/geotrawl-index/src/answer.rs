//! From a question to the order of its answers: all words, then fewer of them, then the best layers.

use crate::Index;
use crate::boxes::{Area, Asked};
use crate::collect::{Candidate, Found, Wanted, collect, order};
use crate::compile::Compiled;
use crate::engine::Snapshot;
use crate::ingest::StoredLayer;
use crate::parse::{Node, parse};
use crate::query::{By, Query, Signal, Sort};
use crate::search::{Words, half};
use crate::show::Marks;
use std::collections::HashMap;
use tantivy::Searcher;

/// Fewer hits than these may not be what was meant.
pub const FEW: u64 = 10;
/// So many of the best services are put in order anew by their best layers.
const WEIGHED_BY_LAYERS: usize = 50;
/// What the best layer of a service counts for it.
const LAYER: f32 = 0.9;
/// Layers shown with a service.
const MOST_LAYERS: usize = 5;

/// How much of the words has to match.
#[derive(Debug, Clone, Copy, Default)]
pub struct Leniency {
    /// How many of the words side by side; `None`: all.
    pub minimum: Option<usize>,
    /// Kinds that are asked for need not.
    pub any_kind: bool,
}

/// What a question came to.
pub struct Answer {
    pub words: Words,
    pub leniency: Leniency,
    /// How many have all words, where that was not enough.
    pub complete: Option<u64>,
    /// Another spelling, where nothing has a word as it was written.
    pub spelled: Option<(String, Node)>,
    pub found: Found,
    /// Of the best services, where they were looked at.
    pub layers: Layers,
}

/// What a number of words came to.
struct Tried {
    words: Words,
    leniency: Leniency,
    with_all: u64,
    found: Found,
}

/// Layers of services that match, the best of each, and how many there are.
#[derive(Default)]
pub struct Layers {
    pub of: HashMap<u64, (Vec<Candidate>, u64)>,
    pub marks: Marks,
}

impl Index {
    /// All words, or where hardly anything has all of them, all but one, or as many as can be had: large services have
    /// everything somewhere, and what was meant may say it in other words. What lacks a word comes behind what has it.
    pub(crate) fn best_effort(
        &self,
        snapshot: &Snapshot,
        node: Option<&Node>,
        query: &Query,
        wanted: &Wanted,
    ) -> tantivy::Result<Answer> {
        let half = half(snapshot, query.by);
        let keep = wanted.keep;
        let weighed = query.by == By::Services
            && wanted.scored
            && keep > 0
            && wanted.skip < WEIGHED_BY_LAYERS
            && !query.without.contains(&Signal::Layers);
        let mut wanted = wanted.clone();
        if weighed {
            // The same ones for every page that has some of them.
            (wanted.skip, wanted.keep) = (0, keep.max(WEIGHED_BY_LAYERS));
        }
        let mut words = self.words(snapshot, node, query, Leniency::default())?;
        let mut spelled = None;
        // Programs are not told of it, and so are given what they wrote.
        if !query.exact
            && matches!(&words.asked, Compiled::Plan(plan) if plan.unknown())
            && let Some(spelling) = self.other_spelling(snapshot, node, query)?.filter(|other| other.sure)
            && let Ok(Some(node)) = parse(&spelling.words)
        {
            words = self.words(snapshot, Some(&node), query, Leniency::default())?;
            spelled = Some((spelling.words, node));
        }
        let node = spelled.as_ref().map(|(_, node)| node).or(node);
        let strict = matches!(&words.asked, Compiled::Plan(plan) if plan.strict());
        let mut tried = self.with_fewer_words(snapshot, node, query, &mut wanted, words, false)?;
        let with_all = tried.with_all;
        if strict && tried.found.total == 0 {
            let words = self.words(snapshot, node, query, Leniency { any_kind: true, minimum: None })?;
            tried = self.with_fewer_words(snapshot, node, query, &mut wanted, words, true)?;
        }
        let Tried { words, leniency, mut found, .. } = tried;
        let mut layers = Layers::default();
        if weighed {
            let end = found.best.len().min(WEIGHED_BY_LAYERS);
            layers = self.layers_of_services(snapshot, node, query, leniency, &found.best[..end])?;
            weigh_by_layers(&mut found.best[..end], &layers, &wanted);
            found.best.truncate(keep);
        }
        if wanted.by_layer_title() {
            self.by_whole_title(&half.searcher, &mut found.best)?;
            found.best.truncate(keep);
        }
        let complete = Some(with_all).filter(|all| *all < found.total);
        Ok(Answer { words, leniency, complete, spelled, found, layers })
    }

    /// What has all words; where that is not enough, what has fewer of them, as many as give enough.
    fn with_fewer_words(
        &self,
        snapshot: &Snapshot,
        node: Option<&Node>,
        query: &Query,
        wanted: &mut Wanted,
        mut words: Words,
        any_kind: bool,
    ) -> tantivy::Result<Tried> {
        let half = half(snapshot, query.by);
        // Who writes operators and phrases means them.
        let enough = if matches!(words.asked, Compiled::Plan(_)) && !query.exact { FEW } else { 1 };
        let mut leniency = Leniency { minimum: None, any_kind };
        wanted.minimum = None;
        let mut found = collect(half, &words.asked, wanted)?;
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
            if let Compiled::Query(_) = words.asked {
                words = self.words(snapshot, node, query, leniency)?;
            }
            found = collect(half, &words.asked, wanted)?;
        }
        Ok(Tried { words, leniency, with_all, found })
    }

    /// Puts layers whose titles begin alike in the order of their whole titles; the columns hold the beginnings.
    fn by_whole_title(&self, searcher: &Searcher, best: &mut [Candidate]) -> tantivy::Result<()> {
        for alike in best.chunk_by_mut(|a, b| a.key == b.key).filter(|alike| alike.len() > 1) {
            let mut titled = Vec::with_capacity(alike.len());
            for candidate in alike.iter() {
                let stored: StoredLayer = self.stored(searcher, candidate.at)?;
                titled.push((crate::ingest::sorted_by(&stored.title, &stored.name), *candidate));
            }
            // Stable: what is called the same stays in the order that it has.
            titled.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (to, (_, candidate)) in alike.iter_mut().zip(titled) {
                *to = candidate;
            }
        }
        Ok(())
    }

    /// The best layers of each of these services, in one pass.
    pub(crate) fn layers_of_services(
        &self,
        snapshot: &Snapshot,
        node: Option<&Node>,
        query: &Query,
        leniency: Leniency,
        services: &[Candidate],
    ) -> tantivy::Result<Layers> {
        let mut layers = Layers::default();
        if services.is_empty() || (node.is_none() && query.bbox.is_none()) {
            return Ok(layers);
        }
        let by_layers = Query { by: By::Layers, sort: Sort::Best, ..query.clone() };
        let words = self.words(snapshot, node, &by_layers, leniency)?;
        let slots: Vec<u64> = services.iter().map(|candidate| candidate.slot).collect();
        let wanted = Wanted {
            rows: &snapshot.rows,
            by: By::Layers,
            sort: Sort::Best,
            area: query.bbox.as_ref().and_then(Area::of).map(|area| (Asked::of(area), query.relation)),
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
        let found = collect(&snapshot.layers, &self.within(&slots, words.asked), &wanted)?;
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

/// Puts services in order by their best layers too: words that stand together in one layer say more than words that are
/// scattered over hundreds, and its box more than one around everything.
fn weigh_by_layers(services: &mut [Candidate], layers: &Layers, wanted: &Wanted) {
    for service in services.iter_mut() {
        let Some(layer) = layers.of.get(&service.slot).and_then(|(best, _)| best.first()) else { continue };
        let score = LAYER * layer.score;
        if score > service.score {
            (service.score, service.text, service.overlap) = (score, LAYER * layer.text, layer.overlap);
            service.key = u128::from(score.max(0.0).to_bits());
        }
    }
    services.sort_unstable_by(|a, b| order(a, b, wanted));
}
