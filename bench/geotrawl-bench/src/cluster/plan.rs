//! The schedule of a chaos run, derived from a seed so that it can be repeated.

use super::chaos::ChaosOptions;
use std::fmt;

/// Small random generator (splitmix64).
pub struct ChaosRng(u64);

impl ChaosRng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `many`.
    pub fn below(&mut self, many: usize) -> usize {
        (self.next() % many.max(1) as u64) as usize
    }

    /// Returns a number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Events of a chaos run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChaosEvent {
    /// A worker is killed with `kill -9`.
    Kill,
    /// Another worker is started.
    Start,
    /// The database stops without shutdown, as after a power failure.
    Fall,
    Rise,
    /// No data passes between workers and database; with `web`, nor between workers and web.
    Cut {
        web: bool,
    },
    /// Data passes again; with `lossy`, existing connections to the database are lost.
    Mend {
        lossy: bool,
    },
}

impl fmt::Display for ChaosEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kill => "a worker is killed",
            Self::Start => "a worker is started",
            Self::Fall => "the database is stopped",
            Self::Rise => "the database is restarted",
            Self::Cut { web: false } => "the connection to the database is cut",
            Self::Cut { web: true } => "the connections to database and web are cut",
            Self::Mend { lossy: false } => "the connections are restored",
            Self::Mend { lossy: true } => "the connections are restored, those to the database are reset",
        })
    }
}

/// All events with their times in seconds.
pub struct ChaosPlan {
    pub events: Vec<(f64, ChaosEvent)>,
}

/// Minimum and maximum time in seconds that the database is unavailable.
const AWAY: (f64, f64) = (2.0, 12.0);
/// Minimum and maximum time in seconds until a killed worker is replaced.
const REPLACED: (f64, f64) = (2.0, 30.0);

impl ChaosPlan {
    /// Draws the events. Database failures and cuts get separate time windows, so that none hides
    /// another; kills happen any time.
    pub fn draw_events(options: &ChaosOptions, rng: &mut ChaosRng) -> Self {
        let length = options.seconds as f64;
        let mut windows: Vec<Option<usize>> = (0..options.cuts).map(Some).collect();
        windows.extend(vec![None; options.falls]);
        for last in (1..windows.len()).rev() {
            windows.swap(last, rng.below(last + 1));
        }
        let window = length / windows.len().max(1) as f64;
        let mut events = Vec::new();
        for (nth, what) in windows.iter().enumerate() {
            let takes = what.map_or_else(|| rng.between(AWAY.0, AWAY.1.min(window / 2.0)), |_| options.cut);
            let at = window * nth as f64 + rng.between(0.0, (window - takes - 2.0).max(0.1));
            let (begin, end) = match what {
                None => (ChaosEvent::Fall, ChaosEvent::Rise),
                Some(cut) => {
                    (ChaosEvent::Cut { web: cut % 2 == 1 }, ChaosEvent::Mend { lossy: cut % 2 == 0 })
                }
            };
            events.extend([(at, begin), (at + takes, end)]);
        }
        let mut at = 0.0;
        loop {
            at += rng.between(options.kill_every * 0.3, options.kill_every * 1.7);
            if at >= length {
                break;
            }
            let replaced = at + rng.between(REPLACED.0, REPLACED.1.min(options.kill_every));
            events.extend([(at, ChaosEvent::Kill), (replaced, ChaosEvent::Start)]);
        }
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { events }
    }
}
