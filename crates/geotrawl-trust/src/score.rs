//! Quality from 0 to 100 by a published rubric: every point with its evidence.
//!
//! Six components (availability, latency, capabilities, operation, metadata, standards) are weighed by the kind
//! of the resource; each is a share from 0 to 1 made of points. Rules that hold throughout:
//!
//! - Nothing counts but the check and the history that is stored with it: the same two give the same score.
//! - A point that cannot be known (the kind has no place for it, it was not asked, our own limits forbade it)
//!   is listed with `of` = 0 and why, and the other points of its component count for it. A component without
//!   any known point weighs nothing, and the other components count for it.
//! - When the description was not given, nothing is known about it: what it would have shown earns nothing.
//! - There is no score for what wants a login or a key, for what keeps us away, and for what never answered
//!   in fewer than three checks.

mod described;
mod leave_out;
mod measured;
mod points;
mod rubric;

pub use rubric::{CapRule, Rubric, Weights, current_rubric};

use crate::check::select_samples;
use geotrawl_kinds::kinds::{self, KindProfile};
use geotrawl_model::{Cap, Check, CheckHistory, Component, Observation, Outcome, Purpose, Score, Status};
use std::sync::LazyLock;

/// Version of the rubric.
pub const RUBRIC: &str = "2026-1";

/// The score that follows from a check and what went before. Nothing else counts.
pub fn score_check(check: &Check, history: &CheckHistory) -> Score {
    static IN_FORCE: LazyLock<Rubric> = LazyLock::new(current_rubric);
    score_with_rubric(&IN_FORCE, check, history)
}

/// The score by another rubric: stored checks are weighed anew without asking anyone again.
pub fn score_with_rubric(rubric: &Rubric, check: &Check, history: &CheckHistory) -> Score {
    let provisional = history.checks < rubric.provisional_below;
    let none =
        Score { rubric: rubric.rubric.clone(), value: None, provisional, cap: None, components: Vec::new() };
    let Some(row) = rubric.row(&check.kind) else { return none };
    let seen = ObservedCheck::of(check, history);
    if seen.keeps_silent(check, history) {
        return none;
    }
    let mut components = vec![
        measured::score_availability(&seen, history, rubric.provisional_below).weigh(row.availability),
        measured::score_latency(&seen, history, row).weigh(row.latency),
        described::score_capabilities(&seen).weigh(row.capabilities),
        measured::score_operation(&seen).weigh(row.operation),
        described::score_metadata(&seen).weigh(row.metadata),
        described::score_standards(&seen).weigh(row.standards),
    ];
    let known: f64 = components.iter().map(|component| component.weight).sum();
    for component in &mut components {
        component.weight = if known > 0.0 { component.weight * 100.0 / known } else { 0.0 };
    }
    let cap = cap(rubric, &seen, history);
    let sum = weighted_total(&components);
    let limited = cap.as_ref().map_or(sum, |cap| sum.min(f64::from(cap.at)));
    Score { value: Some(limited.round().clamp(0.0, 100.0) as u8), cap, components, ..none }
}

/// What the components add up to, before any cap and rounding.
pub fn weighted_total(components: &[Component]) -> f64 {
    components.iter().map(|component| component.weight * component.share).sum()
}

/// The band of a value: `0-25`, `26-50`, `51-75` or `76-100`.
pub fn score_band(value: u8) -> &'static str {
    rubric::BANDS.iter().find(|(top, _)| value <= *top).map_or("76-100", |(_, name)| name)
}

/// A check, looked at the way the components need it.
struct ObservedCheck<'a> {
    check: &'a Check,
    /// Place of the observation that gave the description, or of the last that did not.
    description: Option<usize>,
    /// The description was given in this check.
    given: bool,
    /// The last check gave it, as far as the history goes.
    last: bool,
}

impl<'a> ObservedCheck<'a> {
    fn of(check: &'a Check, history: &CheckHistory) -> Self {
        let descriptions = || {
            check
                .observations
                .iter()
                .enumerate()
                .filter(|(_, observation)| observation.purpose == Purpose::Description)
        };
        let good = descriptions().find(|(_, observation)| answers(observation.outcome));
        let given = good.is_some();
        let last = given && history.latest.first().copied().unwrap_or(true);
        Self { check, description: good.or(descriptions().next_back()).map(|(at, _)| at), given, last }
    }

    /// Whether nothing can be said about quality at all.
    fn keeps_silent(&self, check: &Check, history: &CheckHistory) -> bool {
        let worked = self.given || history.available > 0 || history.latest.contains(&true);
        match check.verdict {
            Status::Restricted => true,
            // Kept away before anything was seen: that says something about us, not about it.
            Status::Blocked if !self.given => true,
            _ => !worked && !is_down(history),
        }
    }

    fn of_purpose(&self, purpose: Purpose) -> impl Iterator<Item = (usize, &'a Observation)> {
        let all = self.check.observations.iter().enumerate();
        all.filter(move |(_, observation)| observation.purpose == purpose)
    }

    /// The best that was seen of every dataset that was tried.
    fn samples(&self) -> Vec<(usize, &'a Observation)> {
        select_samples(&self.check.observations)
    }

    fn is_file(&self) -> bool {
        kinds::kind_profile(&self.check.kind).is_some_and(KindProfile::is_file)
    }
}

/// Whether an answer is the one that was asked for, even if there is nothing in it.
fn answers(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Valid | Outcome::Blank)
}

/// Whether an outcome says something about us or our rules, and nothing about the service.
fn is_ours(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Robots | Outcome::RateLimited | Outcome::TooLarge | Outcome::Refused)
}

fn is_down(history: &CheckHistory) -> bool {
    history.latest.len() >= 3 && history.latest.iter().take(3).all(|given| !given)
}

/// The lowest cap that applies.
fn cap(rubric: &Rubric, seen: &ObservedCheck<'_>, history: &CheckHistory) -> Option<Cap> {
    let operations: Vec<Outcome> =
        seen.samples().into_iter().map(|(_, o)| o.outcome).filter(|&o| !is_ours(o)).collect();
    let nothing_works =
        !operations.is_empty() && operations.iter().all(|&o| measured::outcome_worth(o) <= 0.0);
    let empty = seen.check.facts.as_ref().is_some_and(|facts| facts.datasets == 0);
    let untrusted = seen.check.observations.iter().any(|o| o.outcome == Outcome::Tls);
    let applying = [
        ("down", is_down(history)),
        ("failed", !seen.last),
        ("empty", empty && !described::lists_no_datasets(&seen.check.kind)),
        ("operation", seen.given && nothing_works),
        ("tls", seen.given && untrusted),
    ];
    let caps = applying.into_iter().filter(|(_, applies)| *applies).filter_map(|(id, _)| rubric.cap(id));
    caps.min_by_key(|cap| cap.at)
}
