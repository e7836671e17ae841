//! Outcome of a request of a crawl.

use serde::{Deserialize, Serialize};

/// Outcome of a request, with a reason in plain words.
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
    /// Canonical URL of the redirect target. The requested URL becomes an alias of what is proven
    /// there; so do links with one hop more than the entry.
    pub redirect_to: Option<String>,
    /// The failure may be temporary (5xx, reset): the entry goes back with `attempts + 1`.
    pub retry: bool,
}

impl PageOutcome {
    /// Returns how the outcome counts in [`RunCounters`](crate::RunCounters).
    pub fn tally(&self) -> OutcomeTally {
        match self.class.as_str() {
            "ok" | "redirect" | "exception" | "login" => OutcomeTally::Answered,
            "robots" | "trap" | "scope" | "limit" | "filtered" | "skipped" => OutcomeTally::Skipped,
            _ => OutcomeTally::Failed,
        }
    }
}

/// How an outcome is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeTally {
    /// The server answered properly.
    Answered,
    /// The request failed.
    Failed,
    /// No request was sent, because of a rule or a setting.
    Skipped,
}
