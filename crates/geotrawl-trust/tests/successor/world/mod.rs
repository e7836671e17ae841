//! A simulated world of services that move, disappear, and look alike. Deterministic for a seed.

pub mod chance;
mod look_alikes;
mod moves;
pub mod services;

use chance::SeededRandom;
use geotrawl_model::Resource;
use geotrawl_trust::successor::{Fingerprint, GoneService, SuccessorCandidate};
use jiff::{SignedDuration, Timestamp};
use services::TownCell;

/// The services of a run and the ground truth.
pub struct SimulatedWorld {
    pub gone: Vec<GoneCase>,
    pub candidates: Vec<SuccessorCandidate<usize>>,
    /// What each candidate is, by its id.
    pub labels: Vec<&'static str>,
}

/// A service that is gone, and its successor.
pub struct GoneCase {
    pub gone: GoneService,
    pub sort: &'static str,
    pub successor: Option<usize>,
    /// What happened to it, to explain misses.
    pub story: String,
}

/// A service before it becomes a fingerprint.
#[derive(Clone)]
pub struct ServiceDraft {
    pub sort: &'static str,
    pub town: Option<TownCell>,
    pub resource: Resource,
}

impl SimulatedWorld {
    /// Creates `moved` services that moved, `vanished` ones without successor, and at least `crowd`
    /// candidates.
    pub fn new(seed: u64, moved: usize, vanished: usize, crowd: usize) -> Self {
        let mut chance = SeededRandom::new(seed);
        let mut world = Self { gone: Vec::new(), candidates: Vec::new(), labels: Vec::new() };
        for number in 0..moved + vanished {
            let draft = services::draft_service(&mut chance, number);
            let last_ok = day(400 + chance.below(300) as i64);
            let mut case = GoneCase {
                gone: GoneService {
                    url: draft.resource.url.clone(),
                    fingerprint: Fingerprint::from_resource(&draft.resource),
                    last_ok: Some(last_ok),
                },
                sort: draft.sort,
                successor: None,
                story: String::new(),
            };
            if number < moved {
                let (resource, story) = moves::move_service(&mut chance, &draft, number);
                // From two months after the end to four months before it.
                let first_seen = last_ok - SignedDuration::from_hours(24 * (chance.below(180) as i64 - 60));
                case.successor = Some(world.add_candidate(resource, first_seen, true, "successor"));
                case.story = story;
            }
            look_alikes::add_look_alikes(&mut chance, &mut world, &draft, number, last_ok);
            world.gone.push(case);
        }
        look_alikes::add_crowd(&mut chance, &mut world, crowd);
        world
    }

    pub fn add_candidate(
        &mut self,
        resource: Resource,
        first_seen: Timestamp,
        alive: bool,
        label: &'static str,
    ) -> usize {
        let id = self.candidates.len();
        self.candidates.push(SuccessorCandidate {
            id,
            url: resource.url.clone(),
            fingerprint: Fingerprint::from_resource(&resource),
            first_seen,
            alive,
        });
        self.labels.push(label);
        id
    }
}

/// Returns a day of the simulation.
pub fn day(number: i64) -> Timestamp {
    let start: Timestamp = "2024-01-01T00:00:00Z".parse().unwrap();
    start + SignedDuration::from_hours(24 * number)
}
