//! Short ways to say what a test is about: links, outcomes, found services, and crawls that commit them.

mod crawl;
mod found;

pub use crawl::{Crawl, add_records, done, filtered, link, link_at, ok, records, spec};
pub use found::{FoundBuilder, dataset, found, service};

use jiff::Timestamp;

/// Returns a moment, in seconds from a fixed one.
pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).expect("a time within the calendar")
}
