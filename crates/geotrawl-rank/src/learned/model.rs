//! The weights: one per hashed feature, updated after every page.

use super::features::{FeatureKind, FeatureSink};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Number of weights for words, which share them on hash collisions.
const WORDS: usize = 1 << 17;
/// Number of weights for all other features. They are few and
/// important, so words do not share them.
const OTHERS: usize = 1 << 13;
const WEIGHTS: usize = WORDS + OTHERS;
/// Saved weights are multiples of this.
const STEP: f32 = 1.0 / 2048.0;
/// Smaller weights are not saved.
const LEAST: f32 = 0.012;

/// Learning rate parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct LearningRate {
    pub step: f32,
    /// Added to the sum of squares; limits the first steps.
    pub trust: f32,
}

pub(super) struct LinearModel {
    weights: Vec<AtomicU32>,
    squares: Vec<AtomicU32>,
}

/// Features of one link, as indices of their weights.
#[derive(Debug)]
pub(super) struct FeatureIndices {
    pub at: Vec<u32>,
}

impl Default for FeatureIndices {
    fn default() -> Self {
        // Most links have about fifty features.
        Self { at: Vec::with_capacity(64) }
    }
}

/// Returns the index of the weight of a feature.
#[inline]
pub(super) fn weight_index(sort: FeatureKind, hash: u64) -> u32 {
    let drawn = (hash >> 24) as u32;
    match sort {
        FeatureKind::HostWord | FeatureKind::PathWord | FeatureKind::Word | FeatureKind::Around => {
            OTHERS as u32 + drawn % WORDS as u32
        }
        _ => drawn % OTHERS as u32,
    }
}

impl FeatureSink for FeatureIndices {
    fn add_feature(&mut self, sort: FeatureKind, hash: u64, _: impl FnOnce() -> String) {
        self.at.push(weight_index(sort, hash));
    }
}

/// Sums weights without collecting the features.
pub(super) struct WeightSum<'m> {
    model: &'m LinearModel,
    pub sum: f32,
}

impl FeatureSink for WeightSum<'_> {
    #[inline]
    fn add_feature(&mut self, sort: FeatureKind, hash: u64, _: impl FnOnce() -> String) {
        self.sum += self.model.weight(weight_index(sort, hash));
    }
}

impl LinearModel {
    pub(super) fn new() -> Self {
        let zeros = || (0..WEIGHTS).map(|_| AtomicU32::new(0)).collect();
        Self { weights: zeros(), squares: zeros() }
    }

    pub(super) fn empty_sum(&self) -> WeightSum<'_> {
        WeightSum { model: self, sum: 0.0 }
    }

    /// Starts a sum with the weights of these features.
    pub(super) fn sum_of(&self, features: &[u32]) -> WeightSum<'_> {
        WeightSum { model: self, sum: features.iter().map(|at| self.weight(*at)).sum() }
    }

    pub(super) fn weight(&self, at: u32) -> f32 {
        self.weights.get(at as usize).map_or(0.0, |weight| f32::from_bits(weight.load(Relaxed)))
    }

    /// Moves the weights of the features towards the observed gain. Concurrent threads may
    /// overwrite each other's updates, which is harmless because they are many and small.
    pub(super) fn learn(&self, features: &FeatureIndices, gained: f32, rate: LearningRate) {
        let sum: f32 = features.at.iter().map(|at| self.weight(*at)).sum();
        let wrong = (gained - sum.clamp(-20.0, 3.0).exp()).clamp(-3.0, 6.0);
        for at in &features.at {
            let (Some(weight), Some(square)) =
                (self.weights.get(*at as usize), self.squares.get(*at as usize))
            else {
                continue;
            };
            let squares = f32::from_bits(square.load(Relaxed)) + wrong * wrong;
            square.store(squares.to_bits(), Relaxed);
            let moved =
                f32::from_bits(weight.load(Relaxed)) + rate.step * wrong / (rate.trust + squares).sqrt();
            weight.store(moved.to_bits(), Relaxed);
        }
    }

    /// Returns the significant weights as pairs of index and multiple of [`STEP`].
    pub(super) fn to_quantized_weights(&self) -> Vec<(u32, i16)> {
        let told = |at: u32| {
            let weight = self.weight(at);
            (weight.abs() >= LEAST).then(|| (at, (weight / STEP).clamp(-32_000.0, 32_000.0) as i16))
        };
        (0..WEIGHTS as u32).filter_map(told).collect()
    }

    /// Adds what another instance has changed since `base`. Something that both learned counts
    /// twice; later updates correct that.
    pub(super) fn merge_quantized_weights(&self, base: &[(u32, i16)], saved: &[(u32, i16)]) {
        for (sign, side) in [(-STEP, base), (STEP, saved)] {
            for (at, steps) in side {
                if let Some(weight) = self.weights.get(*at as usize) {
                    let moved = f32::from_bits(weight.load(Relaxed)) + sign * f32::from(*steps);
                    weight.store(moved.to_bits(), Relaxed);
                }
            }
        }
    }

    pub(super) fn from_quantized_weights(saved: &[(u32, i16)]) -> Self {
        let model = Self::new();
        for (at, steps) in saved {
            if let Some(weight) = model.weights.get(*at as usize) {
                weight.store((f32::from(*steps) * STEP).to_bits(), Relaxed);
            }
        }
        model
    }
}
