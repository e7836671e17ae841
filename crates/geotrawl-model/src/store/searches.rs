//! What search engines were asked and answered: kept answers, quotas, pauses, failures.

use super::Result;
use crate::search_engine::{Allowance, EngineUse, Rest, Turn};
use jiff::Timestamp;

/// What search engines were asked and answered. One contract suite runs over every backend.
pub trait Searches: Send + Sync {
    /// What an engine answered to a request at or after `since`.
    fn kept_answer(&self, engine: &str, request: &str, since: Timestamp) -> Result<Option<String>>;

    /// Keeps an answer, in place of an earlier one to the same request, and forgets those from before
    /// `forget_before` and beyond [`crate::search_engine::MOST_ANSWERS`].
    fn keep_answer(
        &self,
        engine: &str,
        request: &str,
        body: &str,
        now: Timestamp,
        forget_before: Timestamp,
    ) -> Result<()>;

    /// Asks for permission to send one request, and counts it when it is given. Durable when it returns.
    fn take_turn(&self, engine: &str, allowance: &Allowance, now: Timestamp) -> Result<Turn>;

    /// A request was answered: failures are forgotten.
    fn engine_answered(&self, engine: &str) -> Result<()>;

    /// A request failed.
    fn engine_failed(
        &self,
        engine: &str,
        class: &str,
        message: &str,
        rest: Rest,
        now: Timestamp,
    ) -> Result<()>;

    /// Where an engine stands; all zero when it was never asked.
    fn engine_use(&self, engine: &str, now: Timestamp) -> Result<EngineUse>;
}
