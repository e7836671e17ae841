//! Builders for tests: links, outcomes, found services, and crawls that commit them.

mod crawl;
mod found;

pub use crawl::{
    TestCrawl, add_records, all_records, finished_item, matching_records, new_link, new_link_at, ok_outcome,
    task_spec,
};
pub use found::{FoundBuilder, dataset, found, service};

use jiff::Timestamp;

/// Returns a time, in seconds from a fixed start.
pub fn test_time(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).expect("a time within the calendar")
}
