//! Asking a resource whether it works: which requests, what each answer is, and the verdict on them all.

use crate::model::{Asked, Check, Observation, Phases, Purpose};
use geotrawl_kinds::model::{Resource, Status};
use geotrawl_kinds::probe::{Answer, Ask};
use std::collections::BTreeMap;

/// How a check is made.
#[derive(Debug, Clone)]
pub struct Options {
    /// Datasets to try the scored operation on.
    pub sample: usize,
    /// Which datasets are sampled: another number gives others, the same number the same.
    pub seed: u64,
    /// Ask a question that must be refused properly, too.
    pub refusal: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { sample: 3, seed: 0, refusal: true }
    }
}

/// A request that a check wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub purpose: Purpose,
    pub dataset: Option<String>,
    pub ask: Ask,
}

/// What came of it, as the client tells.
pub struct Heard<'a> {
    pub at: jiff::Timestamp,
    pub ip: Option<String>,
    pub phases: Phases,
    /// Redirects on the way: where and with which status.
    pub redirects: Vec<(u16, String)>,
    /// Headers that tell something, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The answer, or the class of the failure and a sentence.
    pub answer: Result<Answer<'a>, crate::Failed>,
    /// How many bytes were read and their hash: known when the body has been read.
    pub read: Box<dyn FnOnce() -> (u64, String) + 'a>,
}

/// What a check wants next.
pub enum Next {
    Ask(Box<Wanted>),
    Done(Box<Checked>),
}

/// A check and what it read anew.
pub struct Checked {
    pub check: Check,
    /// The resource as it describes itself now.
    pub resource: Option<Resource>,
}

/// A verdict and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub status: Status,
    pub cause: &'static str,
    pub reason: String,
}

/// The request as a line for a shell.
pub fn curl(_asked: &Asked) -> String {
    String::new()
}

/// The verdict on what was seen.
pub fn verdict(_kind: &str, _observations: &[Observation]) -> Verdict {
    Verdict { status: Status::Unchecked, cause: "unchecked", reason: String::new() }
}

/// A check under way.
pub struct Session {}

impl Session {
    /// What to request first.
    pub fn start(known: &Resource, _options: &Options) -> (Self, Wanted) {
        let url = url::Url::parse(&known.url).unwrap_or_else(|_| unreachable!());
        (Self {}, Wanted { purpose: Purpose::Description, dataset: None, ask: Ask::get(url, "*/*", 1) })
    }

    /// Takes an answer.
    pub fn hear(&mut self, _heard: Heard<'_>) -> Next {
        unreachable!()
    }
}
