//! Ranking factors. Each lies between its floor and 1, so that a good text match can be moved down
//! but not lost.

use crate::query::RankingSignal;
use crate::rows::RankingFacts;
use geotrawl_model::Status;

/// Lowest factor for the overlap of boxes.
const OVERLAP_FLOOR: f32 = 0.12;
/// Lowest factor for quality.
const QUALITY_FLOOR: f32 = 0.85;
/// Quality assumed for records without a score: slightly below the middle.
const UNSCORED: f32 = 0.45;
/// Exponent of the coverage, which sets the penalty for missing words.
const COVERAGE: f32 = 2.0;
/// Lowest factor for freshness.
const FRESHNESS_FLOOR: f32 = 0.6;
/// Days after which half of the freshness is lost.
const HALF_LIFE: f32 = 240.0;

/// Returns the text factor of a BM25 score. BM25 differs by a factor of ten between a title and a
/// page that links to it; the exponent keeps that order but lets the other signals decide between
/// similar texts.
pub fn text_factor(bm25: f32) -> f32 {
    bm25.max(0.0).powf(0.7)
}

/// Returns the factor for the share of words that match.
pub fn coverage_factor(matching: f32, wanted: f32) -> f32 {
    if matching >= wanted { 1.0 } else { (matching / wanted).powf(COVERAGE) }
}

/// Factors of a record that do not depend on the query.
#[derive(Debug, Clone, Copy)]
pub struct RecordFactors {
    pub quality: f32,
    pub liveness: f32,
    pub freshness: f32,
}

impl RecordFactors {
    /// Computes the factors of a record; signals in `without` have no effect.
    pub fn from_facts(row: &RankingFacts, latest: i64, without: &[RankingSignal]) -> Self {
        let with = |signal: RankingSignal, factor: f32| if without.contains(&signal) { 1.0 } else { factor };
        Self {
            quality: with(RankingSignal::Quality, quality(row.score)),
            liveness: with(RankingSignal::Liveness, liveness(row.status)),
            freshness: with(RankingSignal::Freshness, freshness(latest - row.good)),
        }
    }

    /// Returns the product of all factors.
    pub fn product(self) -> f32 {
        self.quality * self.liveness * self.freshness
    }
}

fn quality(score: Option<u8>) -> f32 {
    let share = score.map_or(UNSCORED, |score| f32::from(score.min(100)) / 100.0);
    QUALITY_FLOOR + (1.0 - QUALITY_FLOOR) * share
}

fn liveness(status: Status) -> f32 {
    match status {
        Status::Alive => 1.0,
        Status::Degraded => 0.8,
        Status::Unchecked => 0.75,
        Status::Restricted => 0.6,
        Status::Blocked => 0.45,
        Status::Inconclusive => 0.3,
        Status::Dead => 0.2,
    }
}

/// Returns the factor for the time since a record last worked, relative to the freshest record of
/// the catalogue.
fn freshness(seconds: i64) -> f32 {
    let days = seconds.max(0) as f32 / 86_400.0;
    FRESHNESS_FLOOR + (1.0 - FRESHNESS_FLOOR) * (-days / HALF_LIFE * std::f32::consts::LN_2).exp()
}

/// Returns the factor for the overlap of two boxes. The exponent keeps a country in sight when the
/// query asks for a city, and the globe well behind both.
pub fn overlap_factor(ratio: f32) -> f32 {
    OVERLAP_FLOOR + (1.0 - OVERLAP_FLOOR) * ratio.clamp(0.0, 1.0).powf(0.35)
}
