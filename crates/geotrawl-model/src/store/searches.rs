//! What search engines were asked and answered: kept answers, quotas, pauses, failures.

use super::Result;
use crate::search_engine::{EngineBackoff, EngineQuota, EngineUsage, SearchPermit};
use jiff::Timestamp;

/// What search engines were asked and answered. One contract suite runs over every backend.
pub trait SearchEngineStore: Send + Sync {
    /// What an engine answered to a request at or after `since`.
    fn find_cached_response(&self, engine: &str, request: &str, since: Timestamp) -> Result<Option<String>>;

    /// Keeps an answer, in place of an earlier one to the same request, and forgets those from before
    /// `forget_before` and beyond [`crate::search_engine::MOST_ANSWERS`].
    fn cache_response(
        &self,
        engine: &str,
        request: &str,
        body: &str,
        now: Timestamp,
        forget_before: Timestamp,
    ) -> Result<()>;

    /// Asks for permission to send one request, and counts it when it is given. Durable when it returns.
    fn request_permit(&self, engine: &str, allowance: &EngineQuota, now: Timestamp) -> Result<SearchPermit>;

    /// A request was answered: failures are forgotten.
    fn record_engine_success(&self, engine: &str) -> Result<()>;

    /// A request failed.
    fn record_engine_failure(
        &self,
        engine: &str,
        class: &str,
        message: &str,
        rest: EngineBackoff,
        now: Timestamp,
    ) -> Result<()>;

    /// Where an engine stands; all zero when it was never asked.
    fn engine_usage(&self, engine: &str, now: Timestamp) -> Result<EngineUsage>;
}
