//! Quality score from 0 to 100 according to a published rubric, with evidence for every point.
//!
//! Six components (availability, latency, capabilities, operation, metadata, standards) are
//! weighted by the kind of the resource. Each is a share from 0 to 1 composed of points. General
//! rules:
//!
//! - The score depends only on the check and the history stored with it: the same two give the same
//!   score.
//! - A point that cannot be determined (the kind does not support it, it was not requested, our own
//!   limits prevented it) is listed with `of` = 0 and the reason, and its weight goes to the other
//!   points of the component. A component without any determined point has no weight; its weight
//!   goes to the other components.
//! - If the description was not returned, the points that depend on it earn nothing.
//! - Resources that require a login or a key, that block us, or that never answered in fewer than
//!   three checks have no score.

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

/// Returns the score for a check and its history.
pub fn score_check(check: &Check, history: &CheckHistory) -> Score {
    static IN_FORCE: LazyLock<Rubric> = LazyLock::new(current_rubric);
    score_with_rubric(&IN_FORCE, check, history)
}

/// Returns the score according to another rubric, from the stored check alone.
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
    // Scale the weights to 100, so that components without determined points do not count.
    for component in &mut components {
        component.weight = if known > 0.0 { component.weight * 100.0 / known } else { 0.0 };
    }
    let cap = cap(rubric, &seen, history);
    let sum = weighted_total(&components);
    let limited = cap.as_ref().map_or(sum, |cap| sum.min(f64::from(cap.at)));
    Score { value: Some(limited.round().clamp(0.0, 100.0) as u8), cap, components, ..none }
}

/// Returns the sum of the components before cap and rounding.
pub fn weighted_total(components: &[Component]) -> f64 {
    components.iter().map(|component| component.weight * component.share).sum()
}

/// Returns the band of a value: `0-25`, `26-50`, `51-75` or `76-100`.
pub fn score_band(value: u8) -> &'static str {
    rubric::BANDS.iter().find(|(top, _)| value <= *top).map_or("76-100", |(_, name)| name)
}

/// A check as the components need it.
struct ObservedCheck<'a> {
    check: &'a Check,
    /// Index of the observation with the description, or of the last failed request for it.
    description: Option<usize>,
    /// Whether this check returned the description.
    given: bool,
    /// Whether the last check of the history returned it.
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

    /// Returns whether nothing can be said about quality.
    fn keeps_silent(&self, check: &Check, history: &CheckHistory) -> bool {
        let worked = self.given || history.available > 0 || history.latest.contains(&true);
        match check.verdict {
            Status::Restricted => true,
            // Blocked before the description was returned, which says something about us rather
            // than the resource.
            Status::Blocked if !self.given => true,
            _ => !worked && !is_down(history),
        }
    }

    fn of_purpose(&self, purpose: Purpose) -> impl Iterator<Item = (usize, &'a Observation)> {
        let all = self.check.observations.iter().enumerate();
        all.filter(move |(_, observation)| observation.purpose == purpose)
    }

    /// Returns the best observation of every dataset that was tested.
    fn samples(&self) -> Vec<(usize, &'a Observation)> {
        select_samples(&self.check.observations)
    }

    fn is_file(&self) -> bool {
        kinds::kind_profile(&self.check.kind).is_some_and(KindProfile::is_file)
    }
}

/// Returns whether an answer is of the requested type, even if it is empty.
fn answers(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Valid | Outcome::Blank)
}

/// Returns whether an outcome is caused by us or our rules rather than by the service.
fn is_ours(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Robots | Outcome::RateLimited | Outcome::TooLarge | Outcome::Refused)
}

fn is_down(history: &CheckHistory) -> bool {
    history.latest.len() >= 3 && history.latest.iter().take(3).all(|given| !given)
}

/// Returns the lowest cap that applies.
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
