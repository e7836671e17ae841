//! Choosing the successor among candidates: who is alive, came later, and stands out.

use super::likeness::{Rivals, weigh};
use super::{Fingerprint, Likeness, PROPOSE, compare};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// Both may run side by side for so long; what stood beside it for longer is a mirror or a sibling.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24 * 180);
/// On one server an old and a new name are seldom kept together.
const OVERLAP_OF_SIBLINGS: SignedDuration = SignedDuration::from_hours(24 * 7);
/// Confidence by which the best must stand out from the next that is something else.
const MARGIN: f64 = 0.08;

/// A service that is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Gone {
    pub url: String,
    pub fingerprint: Fingerprint,
    /// When it last worked.
    pub last_ok: Option<Timestamp>,
}

/// One that may have taken its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<Id> {
    pub id: Id,
    pub url: String,
    pub fingerprint: Fingerprint,
    /// When it was first found.
    pub first_seen: Timestamp,
    /// It works now.
    pub alive: bool,
}

/// A successor, proposed.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal<Id> {
    pub id: Id,
    pub likeness: Likeness,
}

/// The successors that can be proposed, best first: none, one, or several that are like each other (doors to
/// the same service). Pass every candidate that shares a band: what many of them share counts less.
pub fn propose<Id: Clone>(gone: &Gone, candidates: &[Candidate<Id>]) -> Vec<Proposal<Id>> {
    let rivals = Counted::of(candidates);
    let mut found: Vec<(usize, Likeness)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| may_follow(gone, candidate))
        .map(|(at, candidate)| (at, likeness(gone, candidate, &rivals)))
        .filter(|(_, likeness)| likeness.confidence >= PROPOSE - MARGIN)
        .collect();
    found.sort_by(|a, b| b.1.confidence.total_cmp(&a.1.confidence).then(a.0.cmp(&b.0)));
    let Some((best, first)) = found.first() else { return Vec::new() };
    let best = &candidates[*best];
    let rivalled = found.iter().skip(1).any(|(at, likeness)| {
        let other = &candidates[*at];
        first.confidence - likeness.confidence < MARGIN
            && compare(&best.fingerprint, &other.fingerprint).confidence < PROPOSE
    });
    if rivalled {
        return Vec::new();
    }
    let top = first.confidence;
    found
        .into_iter()
        .filter(|(_, likeness)| likeness.confidence >= PROPOSE && top - likeness.confidence < MARGIN)
        .map(|(at, likeness)| Proposal { id: candidates[at].id.clone(), likeness })
        .collect()
}

/// Whether a candidate can be a successor at all: alive, elsewhere, and not one that stood beside it.
fn may_follow<Id>(gone: &Gone, candidate: &Candidate<Id>) -> bool {
    if !candidate.alive || candidate.url == gone.url {
        return false;
    }
    let siblings = gone.fingerprint.host == candidate.fingerprint.host;
    let allowed = if siblings { OVERLAP_OF_SIBLINGS } else { OVERLAP };
    gone.last_ok.is_none_or(|last_ok| last_ok.duration_since(candidate.first_seen) <= allowed)
}

fn likeness<Id>(gone: &Gone, candidate: &Candidate<Id>, rivals: &Counted) -> Likeness {
    let mut weighed = weigh(&gone.fingerprint, &candidate.fingerprint, rivals);
    let beside = gone.last_ok.map(|last_ok| last_ok.duration_since(candidate.first_seen));
    match beside {
        Some(beside) if beside > SignedDuration::ZERO => {
            let days = beside.as_hours() / 24;
            weighed.note(-(days as f64) / 60.0, format!("both worked for {days} days"));
        }
        Some(_) => weighed.note(1.0, "it was found after the other had stopped".to_owned()),
        None => {}
    }
    weighed.likeness()
}

/// How many candidates share names and words.
#[derive(Default)]
struct Counted {
    keys: HashMap<u32, u32>,
    words: HashMap<u32, u32>,
}

impl Counted {
    fn of<Id>(candidates: &[Candidate<Id>]) -> Self {
        let mut counted = Self::default();
        for candidate in candidates {
            let print = &candidate.fingerprint;
            let mut keys: Vec<u32> = print.items.iter().flat_map(|item| [item.name, item.title]).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                *counted.keys.entry(key).or_default() += 1;
            }
            for word in &print.words {
                *counted.words.entry(*word).or_default() += 1;
            }
        }
        counted
    }
}

impl Rivals for Counted {
    fn with_key(&self, key: u32) -> u32 {
        self.keys.get(&key).copied().unwrap_or(1)
    }

    fn with_word(&self, word: u32) -> u32 {
        self.words.get(&word).copied().unwrap_or(1)
    }
}
