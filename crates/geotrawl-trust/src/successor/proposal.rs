//! Chooses the successor among candidates: one that is alive, appeared later, and stands out.

use super::likeness::{CandidateFrequency, WeighedEvidence, weigh_evidence};
use super::{Fingerprint, PROPOSE, boxes, compare_fingerprints};
use geotrawl_model::successor::ServiceLikeness;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// Maximum time that both may exist at once; a service that existed longer is a mirror or a
/// sibling.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24 * 180);
/// The same on one server, where an old and a new name rarely exist at once.
const OVERLAP_OF_SIBLINGS: SignedDuration = SignedDuration::from_hours(24 * 7);
/// Minimum lead of the best candidate over the next different one, in bits.
const MARGIN: f64 = 3.0;

/// A service that no longer exists.
#[derive(Debug, Clone, PartialEq)]
pub struct GoneService {
    pub url: String,
    pub fingerprint: Fingerprint,
    /// When it last worked.
    pub last_ok: Option<Timestamp>,
}

/// A service that may have replaced it.
#[derive(Debug, Clone, PartialEq)]
pub struct SuccessorCandidate<Id> {
    pub id: Id,
    pub url: String,
    pub fingerprint: Fingerprint,
    /// When it was first found.
    pub first_seen: Timestamp,
    /// Whether it works now.
    pub alive: bool,
}

/// A proposed successor.
#[derive(Debug, Clone, PartialEq)]
pub struct SuccessorProposal<Id> {
    pub id: Id,
    pub likeness: ServiceLikeness,
}

/// Returns the successors to propose, best first: none, one, or several similar ones (aliases of
/// the same service). Pass every candidate that shares a band: what many of them have in common
/// counts less.
pub fn propose_successors<Id: Clone>(
    gone: &GoneService,
    candidates: &[SuccessorCandidate<Id>],
) -> Vec<SuccessorProposal<Id>> {
    let rivals = CandidateCounts::of(&gone.fingerprint, candidates);
    let mut found: Vec<(usize, WeighedEvidence)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| may_follow(gone, candidate))
        .map(|(at, candidate)| (at, weighed(gone, candidate, &rivals)))
        .collect();
    found.sort_by(|a, b| b.1.bits.total_cmp(&a.1.bits).then(a.0.cmp(&b.0)));
    let Some((best, top)) = found.first().map(|(at, weighed)| (*at, weighed.bits)) else { return Vec::new() };
    found.retain(|(_, weighed)| top - weighed.bits < MARGIN);
    let best = &candidates[best].fingerprint;
    let is_other = |at: usize| compare_fingerprints(best, &candidates[at].fingerprint).confidence < PROPOSE;
    if found.iter().skip(1).any(|(at, _)| is_other(*at)) {
        return Vec::new();
    }
    found
        .into_iter()
        .map(|(at, weighed)| SuccessorProposal {
            id: candidates[at].id.clone(),
            likeness: weighed.into_likeness(),
        })
        .filter(|proposal| proposal.likeness.confidence >= PROPOSE)
        .collect()
}

/// Returns whether a candidate can be a successor: alive, at another address, and not one that
/// existed before for long.
fn may_follow<Id>(gone: &GoneService, candidate: &SuccessorCandidate<Id>) -> bool {
    if !candidate.alive || candidate.url == gone.url {
        return false;
    }
    let siblings = gone.fingerprint.host == candidate.fingerprint.host;
    let allowed = if siblings { OVERLAP_OF_SIBLINGS } else { OVERLAP };
    gone.last_ok.is_none_or(|last_ok| last_ok.duration_since(candidate.first_seen) <= allowed)
}

fn weighed<Id>(
    gone: &GoneService,
    candidate: &SuccessorCandidate<Id>,
    rivals: &CandidateCounts,
) -> WeighedEvidence {
    let mut weighed = weigh_evidence(&gone.fingerprint, &candidate.fingerprint, rivals);
    let beside = gone.last_ok.map(|last_ok| last_ok.duration_since(candidate.first_seen));
    match beside {
        Some(beside) if beside > SignedDuration::ZERO => {
            let days = beside.as_hours() / 24;
            weighed
                .add_evidence(-(days as f64) / 90.0, format!("both worked at the same time for {days} days"));
        }
        Some(_) => weighed.add_evidence(1.0, "it was found after the old service had stopped".to_owned()),
        None => {}
    }
    weighed
}

/// Number of candidates that share names and words.
#[derive(Default)]
struct CandidateCounts {
    keys: HashMap<u32, KeyCount>,
    words: HashMap<u32, u32>,
    organisations: HashMap<u32, u32>,
}

#[derive(Default, Clone, Copy)]
struct KeyCount {
    all: u32,
    /// Candidates in the same or an unknown area; those elsewhere are distinguished by their boxes.
    near: u32,
}

impl CandidateCounts {
    fn of<Id>(gone: &Fingerprint, candidates: &[SuccessorCandidate<Id>]) -> Self {
        let mut counted = Self::default();
        for candidate in candidates {
            let print = &candidate.fingerprint;
            let far = gone.area.zip(print.area).is_some_and(|(a, b)| boxes::overlap_ratio(a, b) < 0.3);
            let mut keys: Vec<u32> = print.items.iter().flat_map(|item| [item.name, item.title]).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                let count = counted.keys.entry(key).or_default();
                count.all += 1;
                count.near += u32::from(!far);
            }
            *counted.organisations.entry(print.organisation).or_default() += 1;
            for word in &print.words {
                *counted.words.entry(*word).or_default() += 1;
            }
        }
        counted
    }
}

impl CandidateFrequency for CandidateCounts {
    fn count_with_key(&self, key: u32, placed: bool) -> u32 {
        let count = self.keys.get(&key).copied().unwrap_or_default();
        if placed { count.near } else { count.all }.max(1)
    }

    fn count_with_word(&self, word: u32) -> u32 {
        self.words.get(&word).copied().unwrap_or(1)
    }

    fn count_with_organisation(&self, organisation: u32) -> u32 {
        self.organisations.get(&organisation).copied().unwrap_or(1)
    }
}
