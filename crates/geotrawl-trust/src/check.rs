//! Checks whether a resource works: which requests to send, what each answer means, and the
//! verdict.
//!
//! A [`CheckSession`] returns the requests to send and receives the answers, like the probes of
//! `geotrawl-kinds`: first the description of the resource, then the scored operation on a few of
//! its datasets, last a request that must be rejected. It never requests anything that changes data
//! on a server.

mod body;
mod curl;
mod describe;
mod difference;
mod document;
mod facts;
mod judge;
mod operations;
mod plan;
mod samples;
mod session;
mod verdict;
mod xml_walk;

use geotrawl_kinds::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{Check, Phases, Purpose, Resource, Status};
use std::collections::BTreeMap;

pub use curl::format_curl;
pub use difference::list_differences;
pub use document::DocumentFacts;
pub use samples::select_samples;
pub use session::{CheckSession, MOST_REQUESTS};
pub use verdict::{derive_verdict, time_limit};

/// Options of a check.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// Number of datasets on which to test the scored operation; at most 4.
    pub sample: usize,
    /// Seed for choosing the datasets; the same seed chooses the same datasets.
    pub seed: u64,
    /// Whether to send a request that must be rejected.
    pub refusal: bool,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { sample: 3, seed: 0, refusal: true }
    }
}

/// A request to be sent for a check.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingRequest {
    pub purpose: Purpose,
    pub dataset: Option<String>,
    pub ask: ProbeRequest,
}

/// The result of a request, as reported by the client.
pub struct FetchedResponse<'a> {
    pub at: jiff::Timestamp,
    pub ip: Option<String>,
    pub phases: Phases,
    /// Redirects that were followed: status and target.
    pub redirects: Vec<(u16, String)>,
    /// Relevant headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The answer, or the class and message of the failure.
    pub answer: Result<ProbeResponse<'a>, geotrawl_model::CheckFailure>,
    /// Returns the number of bytes read and their hash. Call it after reading the body.
    pub read: Box<dyn FnOnce() -> (u64, String) + 'a>,
}

/// The next step of a check.
pub enum SessionStep {
    Ask(Box<PendingRequest>),
    Done(Box<CheckOutcome>),
}

/// A check and the description that it read.
pub struct CheckOutcome {
    pub check: Check,
    /// The resource as it describes itself now. `None` unless the description was read completely,
    /// so that half of it is never mistaken for a change.
    pub resource: Option<Resource>,
}

/// A verdict and its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckVerdict {
    pub status: Status,
    pub cause: &'static str,
    pub reason: String,
}
