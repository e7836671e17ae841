//! What became of a request of a crawl.

use serde::{Deserialize, Serialize};

/// What became of a request, in words a person understands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageOutcome {
    /// Stable class for counting: `ok`, `redirect`, `http-404`, `dns`, `connect`, `tls`, `timeout`,
    /// `robots`, `too-large`, `blocked`, `trap`, `exception`, `login`, ...
    pub class: String,
    /// One sentence, e.g. "The server did not finish its answer within 60 s".
    pub reason: String,
    pub status: Option<u16>,
    pub ip: Option<String>,
    pub bytes: u64,
    pub millis: u32,
    pub requests: u32,
    pub title: Option<String>,
    pub language: Option<String>,
    pub simhash: Option<u64>,
    /// Canonical URL of the redirect's target. The item's URL becomes an alias of what is proven there;
    /// links with one hop more than the item count as its targets too.
    pub redirect_to: Option<String>,
    /// The failure may pass (5xx, reset): put the item back with `attempts + 1` instead of closing it.
    pub retry: bool,
}

impl PageOutcome {
    /// How it counts in [`Counters`].
    pub fn tally(&self) -> OutcomeTally {
        match self.class.as_str() {
            "ok" | "redirect" | "exception" | "login" => OutcomeTally::Answered,
            "robots" | "trap" | "scope" | "limit" | "filtered" | "skipped" => OutcomeTally::Skipped,
            _ => OutcomeTally::Failed,
        }
    }
}

/// How an outcome counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeTally {
    /// The server answered as a server should.
    Answered,
    /// It was requested in vain.
    Failed,
    /// It was not requested, by rule or by choice.
    Skipped,
}
