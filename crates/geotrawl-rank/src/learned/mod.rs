//! Our own ranking: estimates the number of new services from a request, and learns during the
//! crawl.
//!
//! The estimate is a Poisson rate whose logarithm is a sum of weights, one per feature of the link
//! ([`features`]): words of its URL and text, properties of the linking page, and the yield so far
//! of its host, domain, folder and URL shape ([`yields`]). Initial weights were learned on
//! simulated webs, and every page updates them. Hosts with few visited pages get a bonus, so that
//! new hosts are explored.

mod features;
mod model;
mod stems;
mod stored_model;
mod yields;

use crate::words::{AddressParts, text_words};
use crate::{
    FIRST, FrontierRanking, LAST, LearnedTerm, LinkToRank, LinkingPage, PageContext, PageFeedback,
    RankExplanation, RankReason, TaskTopic, vocabulary,
};
use features::{
    FeatureKind, FeatureSink, FixedFeatures, PageSignals, emit_all_features, emit_fixed_features,
    emit_yield_features, for_each_word, hash_word, host_key, split_link_text,
};
use model::{FeatureIndices, LearningRate, LinearModel, weight_index};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::{LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard};
use stored_model::{StoredModel, TermPageCount};
use yields::{PrehashedHasher, SectionYield, YieldTable};

/// Range of the logarithm of estimates; values outside are clamped.
const BEST: f32 = 2.5;
const WORST: f32 = -9.5;
/// Most services counted per page: one page that lists a hundred services is an exception.
const MOST_GAINED: u32 = 6;
/// Learning rate during a crawl, and during pretraining.
const CRAWLING: LearningRate = LearningRate { step: 0.02, trust: 2.0 };
const TRAINING: LearningRate = LearningRate { step: 0.06, trust: 1.0 };
/// Bonus of a host without visited pages.
const CREDIT: f32 = 0.5;
/// Bonus per keyword of the task in a link, and per keyword on the linking page.
const KEYWORD: f32 = 1.2;
const PAGE_KEYWORD: f32 = 0.4;
/// Penalty, in tasks with keywords, for hosts with several visited pages but no services. Such a
/// task should stay on topic, while a task without keywords continues to explore.
const OFF_TOPIC: f32 = 1.0;
const OFF_TOPIC_PAGES: u32 = 3;
/// Most words remembered with their counts.
const MOST_TERMS: usize = 20_000;

/// Weights learned on simulated webs: `cargo measure quickness --train`.
static PRETRAINED: &[u8] = include_bytes!("pretrained.bin");

/// Marks the words of the vocabulary that come before the themes and the general words.
static GEOSPATIAL: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let words = vocabulary();
    let end = words.iter().position(|word| *word == "land").unwrap_or(words.len());
    (0..words.len()).map(|number| number < end).collect()
});

/// Words with the number of pages they were seen with, by their
/// feature hash, since each page has a dozen.
#[derive(Default)]
struct SeenTerms(HashMap<u64, TermPageCount, BuildHasherDefault<PrehashedHasher>>);

impl SeenTerms {
    fn restored(saved: Vec<TermPageCount>) -> Self {
        Self(
            saved
                .into_iter()
                .map(|term| (hash_word(FeatureKind::Word, term.term.as_bytes()), term))
                .collect(),
        )
    }

    /// Adds what another instance has counted since `base`.
    fn take_in(&mut self, base: Vec<TermPageCount>, saved: Vec<TermPageCount>) {
        let base = Self::restored(base);
        for (key, term) in Self::restored(saved).0 {
            let more = term.seen.saturating_sub(base.0.get(&key).map_or(0, |known| known.seen));
            if let Some(known) = self.0.get_mut(&key) {
                known.seen += more;
            } else if more > 0 && self.0.len() < MOST_TERMS {
                self.0.insert(key, TermPageCount { seen: more, ..term });
            }
        }
    }

    /// Counts a word. New words are remembered only if their page led to a service.
    fn note(&mut self, word: &str, paid: bool) {
        let key = hash_word(FeatureKind::Word, word.as_bytes());
        if let Some(known) = self.0.get_mut(&key) {
            known.seen += 1;
        } else if paid && self.0.len() < MOST_TERMS {
            self.0.insert(key, TermPageCount { term: word.to_lowercase(), seen: 1 });
        }
    }
}

pub(crate) struct LearnedRanking {
    model: LinearModel,
    yields: RwLock<YieldTable>,
    terms: Mutex<SeenTerms>,
    keywords: HashSet<String>,
    rate: LearningRate,
}

impl LearnedRanking {
    /// Restores a saved model; starts from the pretrained one if there is none.
    pub(crate) fn new(topic: &TaskTopic, saved: Option<&[u8]>) -> Self {
        let saved = saved
            .and_then(StoredModel::decode)
            .or_else(|| StoredModel::decode(PRETRAINED))
            .unwrap_or_default();
        Self::of(saved, topic, CRAWLING)
    }

    fn of(saved: StoredModel, topic: &TaskTopic, rate: LearningRate) -> Self {
        let keywords = topic.keywords.iter().flat_map(|keyword| text_words(keyword)).map(Cow::into_owned);
        Self {
            model: LinearModel::from_quantized_weights(&saved.weights),
            yields: RwLock::new(YieldTable::from_saved(saved.yields)),
            terms: Mutex::new(SeenTerms::restored(saved.terms)),
            keywords: keywords.collect(),
            rate,
        }
    }

    fn keywords_in(&self, text: &str) -> u32 {
        if self.keywords.is_empty() {
            return 0;
        }
        text_words(text).filter(|word| self.keywords.contains(&**word)).count().min(3) as u32
    }

    /// Counts the keywords of the task in a link and on the linking page.
    fn keywords_of(&self, link: &LinkToRank<'_>) -> KeywordCounts {
        let link_has = self.keywords_in(link.words).max(self.keywords_in(AddressParts::split(link.url).path));
        KeywordCounts { link: link_has, page: PageSignals::unpack(link.origin).topic }
    }

    /// Returns the adjustments for an unexplored host, for keywords, and for being off topic.
    fn extra(&self, host: SectionYield, keywords: KeywordCounts) -> [f32; 3] {
        let credit = CREDIT / (1.0 + host.pages as f32);
        if self.keywords.is_empty() {
            return [credit, 0.0, 0.0];
        }
        let told = KEYWORD * keywords.link as f32 + PAGE_KEYWORD * keywords.page as f32;
        let off = keywords.link == 0 && host.pages >= OFF_TOPIC_PAGES && host.paid == 0;
        [credit, told, if off { -OFF_TOPIC } else { 0.0 }]
    }

    fn estimate(&self, link: &LinkToRank<'_>) -> f32 {
        let mut sum = self.model.empty_sum();
        let fixed = emit_fixed_features(link, &mut sum);
        let host = emit_yield_features(&fixed, &self.yields(), &mut sum);
        sum.sum + self.extra(host, self.keywords_of(link)).iter().sum::<f32>()
    }

    fn yields(&self) -> RwLockReadGuard<'_, YieldTable> {
        self.yields.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_terms(&self, lesson: &PageFeedback<'_>) {
        let mut terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let (own, _) = split_link_text(lesson.link.words);
        for text in [own, AddressParts::split(lesson.link.url).path] {
            for_each_word(text, 10, |word| terms.note(word, lesson.gained > 0));
        }
    }

    fn term_weight(&self, word: &str) -> f64 {
        let of = |sort| f64::from(self.model.weight(weight_index(sort, hash_word(sort, word.as_bytes()))));
        of(FeatureKind::Word) + of(FeatureKind::PathWord)
    }

    fn named_terms(&self) -> Vec<LearnedTerm> {
        let terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<LearnedTerm> = terms
            .0
            .values()
            .map(|TermPageCount { term, seen }| LearnedTerm {
                term: term.clone(),
                weight: self.term_weight(term),
                seen: *seen,
            })
            .collect();
        drop(terms);
        all.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.term.cmp(&b.term)));
        all
    }

    fn as_saved(&self) -> StoredModel {
        const MOST_NAMED: usize = 1_500;
        let mut terms = self.named_terms();
        // Sorted by weight, so this keeps the strongest words of both signs.
        if terms.len() > 2 * MOST_NAMED {
            terms.drain(MOST_NAMED..terms.len() - MOST_NAMED);
        }
        StoredModel {
            weights: self.model.to_quantized_weights(),
            yields: self.yields().to_saved(),
            terms: terms.into_iter().map(|term| TermPageCount { term: term.term, seen: term.seen }).collect(),
        }
    }
}

fn place_of(estimate: f32) -> u32 {
    let share = (BEST - estimate.clamp(WORST, BEST)) / (BEST - WORST);
    FIRST + (f64::from(share) * f64::from(LAST - FIRST)) as u32
}

/// Number of keywords of the task.
#[derive(Debug, Clone, Copy)]
struct KeywordCounts {
    link: u32,
    page: u32,
}

/// A link prepared for re-ranking. Extracting its features again was the main cost of the ranking.
#[derive(Debug)]
pub struct PreparedLink {
    features: Box<[u32]>,
    fixed: FixedFeatures,
    keywords: KeywordCounts,
}

/// Collects features with their labels.
struct ReasonCollector<'m> {
    model: &'m LinearModel,
    reasons: Vec<RankReason>,
}

impl FeatureSink for ReasonCollector<'_> {
    fn add_feature(&mut self, sort: FeatureKind, hash: u64, label: impl FnOnce() -> String) {
        let adds = f64::from(self.model.weight(weight_index(sort, hash)));
        if adds.abs() >= 0.005 {
            self.reasons.push(RankReason { name: format!("{sort:?}").to_lowercase(), adds, text: label() });
        }
    }
}

impl FrontierRanking for LearnedRanking {
    fn name(&self) -> &'static str {
        "learned"
    }

    fn page_context(&self, page: &LinkingPage<'_>) -> PageContext {
        let host = self.yields().get(host_key(AddressParts::split(page.url).host));
        let mut topic = self.keywords_in(page.title);
        if !self.keywords.is_empty() {
            let named = page.terms.iter().filter_map(|(number, _)| vocabulary().get(usize::from(*number)));
            topic += named.filter(|word| self.keywords.contains(**word)).count() as u32;
        }
        PageSignals::from_page(page, &GEOSPATIAL, topic, host).pack()
    }

    fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
        place_of(self.estimate(link))
    }

    fn prepare_link(&self, link: &LinkToRank<'_>) -> Option<PreparedLink> {
        let mut features = FeatureIndices::default();
        let fixed = emit_fixed_features(link, &mut features);
        Some(PreparedLink { features: features.at.into(), fixed, keywords: self.keywords_of(link) })
    }

    fn rank_prepared(&self, sketch: &PreparedLink) -> u32 {
        let mut sum = self.model.sum_of(&sketch.features);
        let host = emit_yield_features(&sketch.fixed, &self.yields(), &mut sum);
        place_of(sum.sum + self.extra(host, sketch.keywords).iter().sum::<f32>())
    }

    fn is_learning(&self) -> bool {
        true
    }

    fn learn_from(&self, lesson: &PageFeedback<'_>) {
        let mut indices = FeatureIndices::default();
        let fixed = emit_fixed_features(&lesson.link, &mut indices);
        let mut yields = self.yields.write().unwrap_or_else(PoisonError::into_inner);
        // Read the yields before this page changes them, as when the link was ranked.
        emit_yield_features(&fixed, &yields, &mut indices);
        for place in fixed.places.as_array() {
            yields.record_page(place, lesson.gained);
        }
        drop(yields);
        self.model.learn(&indices, lesson.gained.min(MOST_GAINED) as f32, self.rate);
        self.note_terms(lesson);
    }

    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation {
        let mut found = ReasonCollector { model: &self.model, reasons: Vec::new() };
        let host = emit_all_features(link, &self.yields(), &mut found);
        let [credit, keywords, off_topic] = self.extra(host, self.keywords_of(link)).map(f64::from);
        let mut reasons = found.reasons;
        if credit >= 0.005 {
            let text =
                format!("only {} pages of this host were visited, so it is worth exploring", host.pages);
            reasons.push(RankReason { name: "unknown".into(), adds: credit, text });
        }
        if keywords > 0.0 {
            let text = "the link or the linking page contains keywords of the task".into();
            reasons.push(RankReason { name: "keywords".into(), adds: keywords, text });
        }
        if off_topic < 0.0 {
            let text = format!("none of the {} visited pages of this host led to a service", host.pages);
            reasons.push(RankReason { name: "off-topic".into(), adds: off_topic, text });
        }
        reasons.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
        let estimate = self.estimate(link);
        // The adjustments change the rank, but not the expected number of services.
        let expects = Some((f64::from(estimate) - credit - keywords - off_topic).exp());
        RankExplanation { ordering: self.name().into(), place: place_of(estimate), expects, reasons }
    }

    fn learned_terms(&self, most: usize) -> Vec<LearnedTerm> {
        let mut all = self.named_terms();
        let turn = all.partition_point(|term| term.weight > 0.0);
        let mut negative: Vec<LearnedTerm> =
            all.drain(turn..).filter(|term| term.weight < 0.0).rev().take(most).collect();
        all.truncate(most);
        all.append(&mut negative);
        all
    }

    fn serialize_model(&self) -> Vec<u8> {
        self.as_saved().encode()
    }

    fn merge_model(&self, base: Option<&[u8]>, saved: &[u8]) {
        let Some(saved) = StoredModel::decode(saved) else { return };
        let base = StoredModel::decode(base.unwrap_or(PRETRAINED)).unwrap_or_default();
        self.model.merge_quantized_weights(&base.weights, &saved.weights);
        self.yields.write().unwrap_or_else(PoisonError::into_inner).merge_saved(&base.yields, &saved.yields);
        self.terms.lock().unwrap_or_else(PoisonError::into_inner).take_in(base.terms, saved.terms);
    }
}

/// Learns the initial weights from one web after the other; yields
/// are reset between webs, weights are kept.
#[derive(Default)]
pub struct Pretraining {
    saved: StoredModel,
    /// Number of webs so far; the learning rate decreases with it.
    webs: u32,
}

impl Pretraining {
    /// Lets `crawl` read a web with the current ranking, and learns from it.
    pub fn train_on_web(&mut self, crawl: impl FnOnce(&dyn FrontierRanking)) {
        let step = TRAINING.step / (1.0 + 0.15 * self.webs as f32);
        let rate = LearningRate { step, ..TRAINING };
        let learned = LearnedRanking::of(std::mem::take(&mut self.saved), &TaskTopic::default(), rate);
        self.webs += 1;
        crawl(&learned);
        self.saved = StoredModel { yields: Vec::new(), ..learned.as_saved() };
    }

    /// Returns the model with the initial weights.
    pub fn finish(self) -> Vec<u8> {
        self.saved.encode()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link<'a>(url: &'a str, words: &'a str) -> LinkToRank<'a> {
        LinkToRank { url, words, way: "href", depth: 2, width: 1, origin: PageContext::default() }
    }

    fn place(ordering: &LearnedRanking, url: &str, words: &str) -> u32 {
        ordering.rank_link(&link(url, words))
    }

    #[test]
    fn it_starts_useful() {
        let fresh = LearnedRanking::new(&TaskTopic::default(), None);
        let maps = place(&fresh, "http://geo.a.example/karten/", "Karten und Daten");
        let news = place(&fresh, "http://blog.b.example/aktuelles/2012/03/artikel-9.html", "Verein feiert");
        assert!(maps < news, "{maps} {news}");
        assert!((FIRST..=LAST).contains(&maps) && (FIRST..=LAST).contains(&news));
    }

    #[test]
    fn a_host_that_pays_rises_and_one_that_does_not_falls() {
        let ordering = LearnedRanking::new(&TaskTopic::default(), None);
        let before = place(&ordering, "http://x.example/list/99", "weiter");
        for number in 0..12 {
            let url = format!("http://x.example/list/{number}");
            ordering.learn_from(&PageFeedback { link: link(&url, "weiter"), page: None, gained: 2 });
            let url = format!("http://y.example/list/{number}");
            ordering.learn_from(&PageFeedback { link: link(&url, "weiter"), page: None, gained: 0 });
        }
        let (paying, barren) = (
            place(&ordering, "http://x.example/list/99", "weiter"),
            place(&ordering, "http://y.example/list/99", "weiter"),
        );
        assert!(paying < before && paying < barren, "{paying} {before} {barren}");
        let why = ordering.explain_rank(&link("http://x.example/list/99", "weiter"));
        assert_eq!(why.place, paying);
        assert!(why.expects.is_some_and(|expects| expects > 0.0));
        // The exploration bonus moves a link forward, but does not increase its estimate.
        let new = ordering.explain_rank(&link("http://new.example/list/1", "weiter"));
        let (unknown, expects) = (&new.reasons.iter().find(|reason| reason.name == "unknown"), new.expects);
        let tried = unknown.zip(expects).map(|(unknown, expects)| (expects.ln() + unknown.adds) as f32);
        assert!(tried.is_some_and(|tried| place_of(tried).abs_diff(new.place) <= 1), "{new:?}");
        let host = why.reasons.iter().find(|reason| reason.name == "host");
        assert_eq!(
            host.map(|host| host.text.as_str()),
            Some("24 services on 12 pages of this host"),
            "{why:?}"
        );
    }

    #[test]
    fn a_sketch_is_weighed_as_the_link_is_whatever_was_learned() {
        let topic = TaskTopic { keywords: vec!["flood".into()] };
        let ordering = LearnedRanking::new(&topic, None);
        let links = [
            link("http://x.example/list/99", "weiter · Karten und Daten der Stadt"),
            link("http://geo.y.example/floods/wms?layers=a", "flood maps"),
            link("http://z.example/", ""),
        ];
        let sketches = links.each_ref().map(|link| ordering.prepare_link(link).unwrap());
        for round in 0..20 {
            for (link, sketch) in links.iter().zip(&sketches) {
                assert_eq!(
                    ordering.rank_prepared(sketch),
                    ordering.rank_link(link),
                    "{} after {round}",
                    link.url
                );
            }
            ordering.learn_from(&PageFeedback {
                link: links[round % 3],
                page: None,
                gained: round as u32 % 2,
            });
        }
    }

    #[test]
    fn what_earlier_tasks_found_is_kept() {
        let ordering = LearnedRanking::new(&TaskTopic::default(), None);
        for number in 0..40 {
            let url = format!("http://x.example/list/{number}");
            ordering.learn_from(&PageFeedback { link: link(&url, "quux"), page: None, gained: 1 });
        }
        let again = LearnedRanking::new(&TaskTopic::default(), Some(&ordering.serialize_model()));
        let fresh = LearnedRanking::new(&TaskTopic::default(), None);
        let of = |ordering| place(ordering, "http://x.example/list/99", "quux");
        assert!(of(&again) < of(&fresh));
        assert!(again.learned_terms(500).iter().any(|term| term.term == "quux" && term.weight > 0.0));
        let damaged = LearnedRanking::new(&TaskTopic::default(), Some(b"geolrn\0\x01\xFF"));
        assert_eq!(of(&damaged), of(&fresh));
    }

    #[test]
    fn two_that_learn_at_the_same_time_teach_each_other() {
        let begin = |base: Option<&[u8]>| LearnedRanking::new(&TaskTopic::default(), base);
        let read = |ordering: &LearnedRanking, host: &str, gained| {
            for number in 0..40 {
                let url = format!("http://{host}.example/list/{number}");
                ordering.learn_from(&PageFeedback { link: link(&url, host), page: None, gained });
            }
        };
        for base in [
            None,
            Some({
                let earlier = begin(None);
                read(&earlier, "earlier", 1);
                earlier.serialize_model()
            }),
        ] {
            let (one, other) = (begin(base.as_deref()), begin(base.as_deref()));
            read(&one, "quux", 1);
            read(&other, "xyzzy", 1);
            read(&other, "earlier", 1);
            let of = |ordering: &LearnedRanking, host: &str| {
                place(ordering, &format!("http://{host}.example/list/99"), host)
            };
            let (before, own) = (of(&one, "xyzzy"), of(&one, "quux"));
            one.merge_model(base.as_deref(), &other.serialize_model());
            assert!(of(&one, "xyzzy") < before, "{} {before}", of(&one, "xyzzy"));
            assert!(of(&one, "quux") <= own, "its own is kept");
            let known = |host: &str| one.yields().get(host_key(&format!("{host}.example")));
            assert_eq!((known("xyzzy").pages, known("xyzzy").paid, known("quux").pages), (40, 40, 40));
            // What both knew from before has faded, so only part of the other's counts is new.
            assert!(known("earlier").pages >= 20, "{:?}", known("earlier"));
            let (once, pages) = (one.serialize_model(), known("xyzzy").pages);
            one.merge_model(Some(&once), &once);
            assert_eq!(known("xyzzy").pages, pages, "nothing new is nothing new");
            one.merge_model(base.as_deref(), b"geolrn\0\x01\xFF");
        }
    }

    #[test]
    fn keywords_of_the_task_come_first() {
        let ordering = LearnedRanking::new(&TaskTopic { keywords: vec!["flood zones".into()] }, None);
        let of = |words| place(&ordering, "http://x.example/a/5", words);
        assert!(of("Flood zones") < of("Noise levels"));
        let page = LinkingPage { url: "http://x.example/", title: "Flood zones", ..LinkingPage::default() };
        assert_eq!(PageSignals::unpack(ordering.page_context(&page)).topic, 2);
    }

    #[test]
    fn the_first_weights_are_small_and_readable() {
        assert!(
            PRETRAINED.len() < 300_000 && StoredModel::decode(PRETRAINED).is_some(),
            "{}",
            PRETRAINED.len()
        );
    }

    proptest::proptest! {
        #[test]
        fn any_link_has_a_place(url in "\\PC{0,80}", words in "\\PC{0,80}", origin: u32, depth: u32) {
            let ordering = LearnedRanking::new(&TaskTopic::default(), None);
            let link = LinkToRank { url: &url, words: &words, way: "href", depth, width: 1, origin: PageContext(origin) };
            ordering.learn_from(&PageFeedback { link, page: None, gained: u32::MAX });
            proptest::prop_assert!((FIRST..=LAST).contains(&ordering.rank_link(&link)));
            let _ = ordering.explain_rank(&link);
        }
    }
}
