//! The weights: one for each of many hashed features, changed by every lesson.

use super::features::{FeatureKind, FeatureSink};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Weights of words, which share them by chance.
const WORDS: usize = 1 << 17;
/// Weights of all other features: these are few and matter most, so that no word may share with them.
const OTHERS: usize = 1 << 13;
const WEIGHTS: usize = WORDS + OTHERS;
/// Saved weights are whole numbers of this.
const STEP: f32 = 1.0 / 2048.0;
/// Smaller ones say nothing.
const LEAST: f32 = 0.012;

/// How much is learned from a lesson.
#[derive(Debug, Clone, Copy)]
pub(super) struct LearningRate {
    pub step: f32,
    /// What stands under every step from the beginning: the trust in what is known.
    pub trust: f32,
}

pub(super) struct LinearModel {
    weights: Vec<AtomicU32>,
    squares: Vec<AtomicU32>,
}

/// Features of one link: where their weights stand.
#[derive(Debug)]
pub(super) struct FeatureIndices {
    pub at: Vec<u32>,
}

impl Default for FeatureIndices {
    fn default() -> Self {
        // Most links have some fifty.
        Self { at: Vec::with_capacity(64) }
    }
}

/// Where the weight of a feature stands.
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

/// Sums weights without keeping the features.
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

    /// Begins with the sum of these.
    pub(super) fn sum_of(&self, features: &[u32]) -> WeightSum<'_> {
        WeightSum { model: self, sum: features.iter().map(|at| self.weight(*at)).sum() }
    }

    pub(super) fn weight(&self, at: u32) -> f32 {
        self.weights.get(at as usize).map_or(0.0, |weight| f32::from_bits(weight.load(Relaxed)))
    }

    /// Moves the weights of the features towards what was gained. Threads may lose each other's steps; they are
    /// small and many.
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

    /// Weights that say something: place and value, in steps.
    pub(super) fn to_steps(&self) -> Vec<(u32, i16)> {
        let told = |at: u32| {
            let weight = self.weight(at);
            (weight.abs() >= LEAST).then(|| (at, (weight / STEP).clamp(-32_000.0, 32_000.0) as i16))
        };
        (0..WEIGHTS as u32).filter_map(told).collect()
    }

    /// Adds what another has moved since `base`. Where both have learned the same thing it counts twice; the next lessons
    /// put that right.
    pub(super) fn merge_steps(&self, base: &[(u32, i16)], saved: &[(u32, i16)]) {
        for (sign, side) in [(-STEP, base), (STEP, saved)] {
            for (at, steps) in side {
                if let Some(weight) = self.weights.get(*at as usize) {
                    let moved = f32::from_bits(weight.load(Relaxed)) + sign * f32::from(*steps);
                    weight.store(moved.to_bits(), Relaxed);
                }
            }
        }
    }

    pub(super) fn from_steps(saved: &[(u32, i16)]) -> Self {
        let model = Self::new();
        for (at, steps) in saved {
            if let Some(weight) = model.weights.get(*at as usize) {
                weight.store((f32::from(*steps) * STEP).to_bits(), Relaxed);
            }
        }
        model
    }
}
