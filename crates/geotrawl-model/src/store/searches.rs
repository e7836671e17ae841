//! Search engine responses, quotas, pauses and failures.

use super::Result;
use crate::search_engine::{EngineBackoff, EngineQuota, EngineUsage, SearchPermit};
use jiff::Timestamp;

/// Cached responses and usage of search engines. One contract suite runs against every backend.
pub trait SearchEngineStore: Send + Sync {
    /// Returns the cached response of an engine to a request, if it is not older than `since`.
    fn find_cached_response(&self, engine: &str, request: &str, since: Timestamp) -> Result<Option<String>>;

    /// Caches a response, replacing an earlier one to the same request. Removes responses from
    /// before `forget_before` and the oldest beyond [`crate::search_engine::MOST_ANSWERS`].
    fn cache_response(
        &self,
        engine: &str,
        request: &str,
        body: &str,
        now: Timestamp,
        forget_before: Timestamp,
    ) -> Result<()>;

    /// Requests permission to send one request, and counts it if granted. Durable once it returns.
    fn request_permit(&self, engine: &str, allowance: &EngineQuota, now: Timestamp) -> Result<SearchPermit>;

    /// Records that a request was answered, which clears earlier failures.
    fn record_engine_success(&self, engine: &str) -> Result<()>;

    /// Records that a request failed.
    fn record_engine_failure(
        &self,
        engine: &str,
        class: &str,
        message: &str,
        rest: EngineBackoff,
        now: Timestamp,
    ) -> Result<()>;

    /// Returns the usage of an engine; all zero if it was never queried.
    fn engine_usage(&self, engine: &str, now: Timestamp) -> Result<EngineUsage>;
}
