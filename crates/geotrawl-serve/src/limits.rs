//! How much one caller may ask: requests a minute. (Bytes of a body: [`crate::server`]; time: the gate.)

use crate::Problem;
use crate::auth::{Caller, peer};
use crate::settings::Settings;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use jiff::Timestamp;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Callers remembered at once; beyond that those that are long silent are forgotten, or else all.
const CALLERS: usize = 50_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Network(Option<IpAddr>),
    User(i64),
}

/// Told the time with every request, so that tests drive it; never goes back.
#[derive(Clone, Default)]
struct ToldClock(Arc<AtomicU64>);

impl Clock for ToldClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.load(Ordering::Relaxed).into()
    }
}

type Limiter = RateLimiter<Key, DefaultKeyedStateStore<Key>, ToldClock, NoOpMiddleware<Nanos>>;

/// Counts requests.
#[derive(Default)]
pub struct Limits {
    clock: ToldClock,
    guests: Rate,
    people: Rate,
}

/// A limiter for the rate in force.
#[derive(Default)]
struct Rate(Mutex<Option<(u32, Arc<Limiter>)>>);

impl Limits {
    /// Counts a request, or says when to come back.
    pub fn check(&self, caller: &Caller, settings: &Settings, now: Timestamp) -> Result<(), Problem> {
        let nanos = u64::try_from(now.as_nanosecond()).unwrap_or(0);
        self.clock.0.fetch_max(nanos, Ordering::Relaxed);
        let (rate, per_minute, key) = match &caller.user {
            Some(user) => (&self.people, settings.user_rate, Key::User(user.id)),
            None => (&self.guests, settings.guest_rate, Key::Network(caller.address.map(peer::network))),
        };
        let limiter = rate.limiter(per_minute, &self.clock);
        let Err(refused) = limiter.check_key(&key) else { return Ok(()) };
        let seconds = refused.wait_time_from(self.clock.now()).as_secs_f64().ceil() as u64;
        let hint = if caller.user.is_none() { " People who are logged in may ask more." } else { "" };
        Err(Problem::too_many(seconds, format!("At most {per_minute} requests a minute.{hint}")))
    }
}

impl Rate {
    fn limiter(&self, per_minute: u32, clock: &ToldClock) -> Arc<Limiter> {
        let fresh = || {
            let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
            Arc::new(Limiter::new(quota, DefaultKeyedStateStore::default(), clock.clone()))
        };
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((rate, limiter)) = &*current
            && *rate == per_minute
        {
            if limiter.len() >= CALLERS {
                limiter.retain_recent();
            }
            if limiter.len() < CALLERS {
                return Arc::clone(limiter);
            }
        }
        let limiter = fresh();
        *current = Some((per_minute, Arc::clone(&limiter)));
        limiter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServeConfig;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    fn guest(address: [u8; 4]) -> Caller {
        Caller { user: None, session: None, scopes: None, address: Some(IpAddr::from(address)) }
    }

    #[test]
    fn a_guest_has_a_rate_of_its_own_that_comes_back_with_time() {
        let (limits, mut settings) = (Limits::default(), Settings::of_config(&ServeConfig::default()));
        settings.guest_rate = 6;
        let ask = |last, second| limits.check(&guest([192, 0, 2, last]), &settings, at(second));
        assert_eq!((0..10).filter(|_| ask(1, 0).is_ok()).count(), 6);
        let refused = ask(1, 0).unwrap_err();
        assert_eq!((refused.status, refused.retry_after), (429, Some(10)));
        assert!(ask(2, 0).is_ok(), "others are not touched");
        assert!(ask(1, 10).is_ok());
        assert!(ask(1, 10).is_err());
        assert!(ask(1, 3).is_err(), "a clock that is set back gives nothing");
    }

    #[test]
    fn memory_is_bounded() {
        let (limits, settings) = (Limits::default(), Settings::of_config(&ServeConfig::default()));
        for n in 0..(CALLERS as u32 + 5_000) {
            limits.check(&guest(n.to_be_bytes()), &settings, at(0)).unwrap();
        }
        let current = limits.guests.0.lock().unwrap();
        assert!(current.as_ref().unwrap().1.len() <= CALLERS);
    }
}
