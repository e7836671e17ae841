//! Slows down password guessing without locking out the real user.
//!
//! Attempts are counted three ways: per name and address (strict), per address (loose), and per
//! name from anywhere (looser, with short waits, and not for addresses from which the name has
//! logged in before). An attempt counts when it starts, so parallel attempts gain nothing.

use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of counters; the least recently used are dropped.
const COUNTERS: usize = 20_000;
/// Remembered pairs of name and address with a successful login.
const FAMILIAR: usize = 20_000;
/// Counters unused for this long are dropped.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// Attempts without a wait, then first and longest wait in seconds.
struct WaitPolicy {
    free: u32,
    first: u64,
    longest: u64,
}

const NAME_AT_ADDRESS: WaitPolicy = WaitPolicy { free: 5, first: 5, longest: 900 };
const ADDRESS: WaitPolicy = WaitPolicy { free: 30, first: 5, longest: 900 };
const NAME: WaitPolicy = WaitPolicy { free: 50, first: 1, longest: 10 };

#[derive(Clone, Copy)]
struct AttemptCounter {
    count: u32,
    last: Timestamp,
}

impl WaitPolicy {
    /// Returns the seconds between the last attempt and the next one allowed.
    fn wait(&self, count: u32) -> u64 {
        match count.checked_sub(self.free) {
            None => 0,
            Some(over) => self.first.saturating_mul(1 << over.min(20)).min(self.longest),
        }
    }

    fn remaining(&self, tries: AttemptCounter, now: Timestamp) -> u64 {
        let passed = now.duration_since(tries.last).as_secs().max(0) as u64;
        self.wait(tries.count).saturating_sub(passed)
    }
}

/// Throttles login attempts.
#[derive(Default)]
pub struct LoginThrottle {
    hasher: RandomState,
    state: Mutex<ThrottleState>,
}

#[derive(Default)]
struct ThrottleState {
    tries: HashMap<u64, AttemptCounter>,
    familiar: HashMap<u64, Timestamp>,
}

/// An attempt that was let through.
#[derive(Debug, Clone, Copy)]
pub struct LoginAttempt {
    pair: u64,
    address: u64,
    name: u64,
}

impl LoginThrottle {
    /// Counts an attempt.
    ///
    /// # Errors
    /// The number of seconds to wait.
    pub fn begin_attempt(
        &self,
        name: &str,
        address: Option<IpAddr>,
        now: Timestamp,
    ) -> Result<LoginAttempt, u64> {
        let (name, address) = (name.trim().to_lowercase(), address.map(super::peer::client_network));
        // Keyed hashes: attackers cannot construct collisions, and the tables contain neither names
        // nor addresses.
        let attempt = LoginAttempt {
            pair: self.hasher.hash_one((0, &name, address)),
            address: self.hasher.hash_one((1, address)),
            name: self.hasher.hash_one((2, &name)),
        };
        let mut state = self.state();
        let familiar = state.familiar.contains_key(&attempt.pair);
        let wait = attempt
            .counters(familiar)
            .filter_map(|(key, patience)| Some(patience.remaining(*state.tries.get(&key)?, now)))
            .max()
            .unwrap_or(0);
        if wait > 0 {
            return Err(wait);
        }
        make_room(&mut state.tries, COUNTERS, |tries| tries.last, now);
        // The name counter is also increased for familiar addresses; only its wait does not apply
        // to them.
        for (key, _) in attempt.counters(false) {
            let tries = state.tries.entry(key).or_insert(AttemptCounter { count: 0, last: now });
            tries.count = tries.count.saturating_add(1);
            tries.last = now;
        }
        Ok(attempt)
    }

    /// Records that the attempt succeeded, so that it does not count.
    pub fn record_success(&self, attempt: LoginAttempt, now: Timestamp) {
        let mut state = self.state();
        state.tries.remove(&attempt.pair);
        // Only this attempt is undone: other addresses may be guessing the same name.
        for key in [attempt.address, attempt.name] {
            if let Some(tries) = state.tries.get_mut(&key) {
                tries.count = tries.count.saturating_sub(1);
            }
        }
        make_room(&mut state.familiar, FAMILIAR, |at| *at, Timestamp::MIN);
        state.familiar.insert(attempt.pair, now);
    }

    fn state(&self) -> MutexGuard<'_, ThrottleState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoginAttempt {
    fn counters(self, familiar: bool) -> impl Iterator<Item = (u64, &'static WaitPolicy)> {
        let name = (!familiar).then_some((self.name, &NAME));
        [(self.pair, &NAME_AT_ADDRESS), (self.address, &ADDRESS)].into_iter().chain(name)
    }
}

/// Shrinks a full table: first drops old entries, then the older half.
fn make_room<T>(table: &mut HashMap<u64, T>, limit: usize, at: impl Fn(&T) -> Timestamp, now: Timestamp) {
    if table.len() + 3 <= limit {
        return;
    }
    table.retain(|_, entry| now.duration_since(at(entry)) < FORGOTTEN_AFTER);
    if table.len() + 3 > limit {
        let mut moments: Vec<Timestamp> = table.values().map(&at).collect();
        let middle = moments.len() / 2;
        let (_, middle, _) = moments.select_nth_unstable(middle);
        let middle = *middle;
        table.retain(|_, entry| at(entry) > middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    #[expect(clippy::unnecessary_wraps, reason = "as the throttle takes it")]
    fn from(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([192, 0, 2, last]))
    }

    #[test]
    fn five_tries_are_free_and_waits_grow_to_a_bound() {
        let throttle = LoginThrottle::default();
        for _ in 0..5 {
            throttle.begin_attempt("anna", from(1), at(0)).unwrap();
        }
        assert_eq!(throttle.begin_attempt("ANNA ", from(1), at(0)).unwrap_err(), 5);
        assert_eq!(throttle.begin_attempt("anna", from(1), at(4)).unwrap_err(), 1);
        throttle.begin_attempt("anna", from(1), at(5)).unwrap();
        assert_eq!(throttle.begin_attempt("anna", from(1), at(5)).unwrap_err(), 10);
        let mut now = 15;
        for _ in 0..20 {
            throttle.begin_attempt("anna", from(1), at(now)).unwrap();
            now += 900;
        }
        assert!(throttle.begin_attempt("anna", from(1), at(now - 1)).unwrap_err() <= 900);
    }

    #[test]
    fn others_are_not_shut_out() {
        let throttle = LoginThrottle::default();
        let home = throttle.begin_attempt("anna", from(200), at(0)).unwrap();
        throttle.record_success(home, at(0));
        for address in 0..60 {
            let _ = throttle.begin_attempt("anna", from(address), at(0));
        }
        let stranger = throttle.begin_attempt("anna", from(100), at(0)).unwrap_err();
        assert!((1..=10).contains(&stranger), "short: {stranger}");
        assert!(throttle.begin_attempt("anna", from(200), at(0)).is_ok(), "where she has logged in before");
        assert!(throttle.begin_attempt("berta", from(1), at(0)).is_ok());
    }

    #[test]
    fn one_address_cannot_go_through_the_names() {
        let throttle = LoginThrottle::default();
        let heard =
            (0..100).filter(|n| throttle.begin_attempt(&format!("user{n}"), from(1), at(0)).is_ok()).count();
        assert_eq!(heard, 30);
    }

    #[test]
    fn success_resets_the_name_at_the_address() {
        let throttle = LoginThrottle::default();
        for _ in 0..4 {
            throttle.begin_attempt("anna", from(1), at(0)).unwrap();
        }
        let right = throttle.begin_attempt("anna", from(1), at(0)).unwrap();
        throttle.record_success(right, at(0));
        for _ in 0..5 {
            throttle.begin_attempt("anna", from(1), at(0)).unwrap();
        }
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = LoginThrottle::default();
        for n in 0..30_000_u32 {
            let address = Some(IpAddr::from(n.to_be_bytes()));
            let _ = throttle.begin_attempt(&format!("name {n}"), address, at(i64::from(n)));
        }
        assert!(throttle.state().tries.len() <= COUNTERS);
    }
}
