//! Asking a resource whether it works: which requests, what each answer is, and the verdict on them all.
//!
//! A [`Session`] says which request it wants and takes the answers, like the probes of `geotrawl-kinds`:
//! first what the resource says about itself, then the scored operation on a few of its datasets, last a
//! question that must be refused. Nothing that changes anything on a server is ever asked.

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
mod walk;

use geotrawl_kinds::probe::{ProbeRequest, ProbeResponse};
use geotrawl_model::{Check, Phases, Purpose, Resource, Status};
use std::collections::BTreeMap;

pub use curl::format_curl;
pub use difference::list_differences;
pub use document::DocumentFacts;
pub use samples::select_samples;
pub use session::{CheckSession, MOST_REQUESTS};
pub use verdict::{derive_verdict, time_limit};

/// How a check is made.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// Datasets to try the scored operation on; more than 4 are not tried.
    pub sample: usize,
    /// Which datasets are sampled: another number gives others, the same number the same.
    pub seed: u64,
    /// Ask a question that must be refused properly, too.
    pub refusal: bool,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { sample: 3, seed: 0, refusal: true }
    }
}

/// A request that a check wants.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingRequest {
    pub purpose: Purpose,
    pub dataset: Option<String>,
    pub ask: ProbeRequest,
}

/// What came of it, as the client tells.
pub struct FetchedResponse<'a> {
    pub at: jiff::Timestamp,
    pub ip: Option<String>,
    pub phases: Phases,
    /// Redirects on the way: where and with which status.
    pub redirects: Vec<(u16, String)>,
    /// Headers that tell something, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The answer, or the class of the failure and a sentence.
    pub answer: Result<ProbeResponse<'a>, geotrawl_model::CheckFailure>,
    /// How many bytes were read and their hash: known when the body has been read.
    pub read: Box<dyn FnOnce() -> (u64, String) + 'a>,
}

/// What a check wants next.
pub enum SessionStep {
    Ask(Box<PendingRequest>),
    Done(Box<CheckOutcome>),
}

/// A check and what it read anew.
pub struct CheckOutcome {
    pub check: Check,
    /// The resource as it describes itself now; absent when its description was not read to the end, so that
    /// half of it is never taken for a change.
    pub resource: Option<Resource>,
}

/// A verdict and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckVerdict {
    pub status: Status,
    pub cause: &'static str,
    pub reason: String,
}
