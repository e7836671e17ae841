//! Rate limits per caller. (Body size: [`crate::server`]; response time: the gate.)

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

/// Callers tracked at once. Beyond that, inactive callers are dropped; if that is not enough, all
/// are.
const CALLERS: usize = 50_000;

/// Reports about records that one caller may send per hour.
const REPORTS_PER_HOUR: u32 = 10;
/// Checks and test alerts that one user may request per hour: each sends requests to other servers.
const CHECKS_PER_HOUR: u32 = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum LimitKey {
    Network(Option<IpAddr>),
    User(i64),
}

/// A clock set from each request, so that tests can drive it. Never goes backwards.
#[derive(Clone, Default)]
struct CallerClock(Arc<AtomicU64>);

impl Clock for CallerClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.load(Ordering::Relaxed).into()
    }
}

type KeyedLimiter =
    RateLimiter<LimitKey, DefaultKeyedStateStore<LimitKey>, CallerClock, NoOpMiddleware<Nanos>>;

/// The rate limits of all callers.
#[derive(Default)]
pub struct CallerLimits {
    clock: CallerClock,
    guests: CurrentLimiter,
    people: CurrentLimiter,
    reports: CurrentLimiter,
    checks: CurrentLimiter,
}

/// The limiter for the current rate; replaced when an admin changes the rate.
#[derive(Default)]
struct CurrentLimiter(Mutex<Option<(u32, Arc<KeyedLimiter>)>>);

impl CallerLimits {
    /// Counts a request.
    ///
    /// # Errors
    /// When the limit is exceeded; the problem says when to retry.
    pub fn count_request(&self, caller: &Caller, settings: &Settings, now: Timestamp) -> Result<(), Problem> {
        self.advance_clock(now);
        let (rate, per_minute, key) = match &caller.user {
            Some(user) => (&self.people, settings.user_rate, LimitKey::User(user.id)),
            None => (
                &self.guests,
                settings.guest_rate,
                LimitKey::Network(caller.address.map(peer::client_network)),
            ),
        };
        let Err(seconds) = self.count(rate, Quota::per_minute, per_minute, key) else { return Ok(()) };
        let hint = if caller.user.is_none() { " Log in for a higher limit." } else { "" };
        Err(Problem::too_many_requests(
            seconds,
            format!("The limit is {per_minute} requests per minute.{hint}"),
        ))
    }

    /// Counts a check requested by a user.
    pub fn count_check(&self, caller: &Caller, now: Timestamp) -> Result<(), Problem> {
        self.advance_clock(now);
        let key = LimitKey::User(caller.require_user()?.id);
        self.count(&self.checks, Quota::per_hour, CHECKS_PER_HOUR, key).map_err(|seconds| {
            Problem::too_many_requests(
                seconds,
                format!("The limit is {CHECKS_PER_HOUR} checks and test alerts per hour."),
            )
        })
    }

    /// Counts a report about a record. The limit is low, because somebody has to read every report.
    pub fn count_report(&self, caller: &Caller, now: Timestamp) -> Result<(), Problem> {
        self.advance_clock(now);
        let key = match &caller.user {
            Some(user) => LimitKey::User(user.id),
            None => LimitKey::Network(caller.address.map(peer::client_network)),
        };
        self.count(&self.reports, Quota::per_hour, REPORTS_PER_HOUR, key).map_err(|seconds| {
            Problem::too_many_requests(seconds, format!("The limit is {REPORTS_PER_HOUR} reports per hour."))
        })
    }

    fn advance_clock(&self, now: Timestamp) {
        let nanos = u64::try_from(now.as_nanosecond()).unwrap_or(0);
        self.clock.0.fetch_max(nanos, Ordering::Relaxed);
    }

    /// Counts one event, or returns the seconds to wait.
    fn count(
        &self,
        rate: &CurrentLimiter,
        quota: fn(NonZeroU32) -> Quota,
        most: u32,
        key: LimitKey,
    ) -> Result<(), u64> {
        let refused = match rate.limiter(most, quota, &self.clock).check_key(&key) {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        };
        Err(refused.wait_time_from(self.clock.now()).as_secs_f64().ceil() as u64)
    }
}

impl CurrentLimiter {
    fn limiter(&self, most: u32, quota: fn(NonZeroU32) -> Quota, clock: &CallerClock) -> Arc<KeyedLimiter> {
        let fresh = || {
            let quota = quota(NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN));
            Arc::new(KeyedLimiter::new(quota, DefaultKeyedStateStore::default(), clock.clone()))
        };
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((rate, limiter)) = &*current
            && *rate == most
        {
            // Too many callers: drop the inactive ones. If that is not enough, start over with an
            // empty limiter below.
            if limiter.len() >= CALLERS {
                limiter.retain_recent();
            }
            if limiter.len() < CALLERS {
                return Arc::clone(limiter);
            }
        }
        let limiter = fresh();
        *current = Some((most, Arc::clone(&limiter)));
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
        let (limits, mut settings) =
            (CallerLimits::default(), Settings::from_config(&ServeConfig::default()));
        settings.guest_rate = 6;
        let ask = |last, second| limits.count_request(&guest([192, 0, 2, last]), &settings, at(second));
        assert_eq!((0..10).filter(|_| ask(1, 0).is_ok()).count(), 6);
        let refused = ask(1, 0).unwrap_err();
        assert_eq!((refused.status, refused.retry_after), (429, Some(10)));
        assert!(ask(2, 0).is_ok(), "others are not touched");
        assert!(ask(1, 10).is_ok());
        assert!(ask(1, 10).is_err());
        assert!(ask(1, 3).is_err(), "a clock that is set back gives nothing");
    }

    #[test]
    fn notes_are_few_and_counted_apart() {
        let limits = CallerLimits::default();
        let note = |last, second| limits.count_report(&guest([192, 0, 2, last]), at(second));
        assert_eq!((0..30).filter(|_| note(1, 0).is_ok()).count(), 10);
        assert_eq!(note(1, 0).unwrap_err().retry_after, Some(360));
        assert!(note(2, 0).is_ok());
        assert!(note(1, 360).is_ok() && note(1, 360).is_err());
    }

    #[test]
    fn memory_is_bounded() {
        let (limits, settings) = (CallerLimits::default(), Settings::from_config(&ServeConfig::default()));
        for n in 0..(CALLERS as u32 + 5_000) {
            limits.count_request(&guest(n.to_be_bytes()), &settings, at(0)).unwrap();
        }
        let current = limits.guests.0.lock().unwrap();
        assert!(current.as_ref().unwrap().1.len() <= CALLERS);
    }
}
