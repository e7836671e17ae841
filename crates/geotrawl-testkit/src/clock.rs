use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that tests advance. Clones share the time.
#[derive(Debug, Clone)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// Creates a clock at this second of Unix time.
    pub fn starting_at(second: i64) -> Self {
        Self(Arc::new(AtomicI64::new(second)))
    }

    /// Returns the current time of the clock.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::Relaxed)).expect("a time within the calendar")
    }

    /// Advances the clock by whole seconds.
    pub fn advance(&self, time: SignedDuration) {
        self.0.fetch_add(time.as_secs(), Ordering::Relaxed);
    }

    /// Returns the clock as the function that the code under test takes.
    pub fn as_function(&self) -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}
