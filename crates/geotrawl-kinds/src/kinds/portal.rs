//! What the kinds of portals share: one cheap question, and what the answer proves.

use crate::connectors::page_value;
use crate::probe::{Answer, Ask, Dialogue, Finding, Found, Step, Target, Verdict};
use geotrawl_model::{Issue, Resource};
use serde_json::Value;
use url::Url;

/// The most of an answer that is read: portals describe themselves briefly.
pub const ANSWER_BYTES: u64 = 4 << 20;
/// What portals are asked for.
pub const ACCEPT: &str = "application/json, */*;q=0.5";

/// What an answer of a portal means.
pub struct Proof {
    pub resource: Resource,
    /// Why it is one.
    pub rule: String,
    pub targets: Vec<Target>,
}

/// One question to a portal: where, and what the answer proves.
pub struct Question {
    /// The portal's address.
    pub at: Url,
    /// What the JSON of the answer proves, if anything.
    pub judge: fn(&Url, &Value) -> Option<Proof>,
    /// Another question, when the first answer proves nothing.
    pub otherwise: Option<Url>,
}

impl Question {
    /// Begins the dialogue.
    pub fn ask(self, url: Url) -> (Box<dyn Dialogue>, Ask) {
        (Box::new(self), Ask::get(url, ACCEPT, ANSWER_BYTES))
    }
}

impl Dialogue for Question {
    fn answer(&mut self, answer: Answer<'_>) -> Step {
        let status = answer.head.status;
        let issue = match page_value(answer) {
            Ok(doc) => {
                if let Some(proof) = (self.judge)(&self.at, &doc) {
                    let found = Found::new(proof.resource, proof.rule);
                    return Step::Done(Box::new(Finding {
                        resources: vec![found],
                        targets: proof.targets,
                        verdict: Verdict::Resource,
                        ..Finding::default()
                    }));
                }
                Issue::new("not-a-portal", "the answer is not that of such a portal")
            }
            Err(issue) => issue,
        };
        if let Some(url) = self.otherwise.take() {
            return Step::Ask(Box::new(Ask::get(url, ACCEPT, ANSWER_BYTES)));
        }
        let verdict = if matches!(status, 401 | 407) { Verdict::Login } else { Verdict::Nothing };
        Step::Done(Box::new(Finding { verdict, issues: vec![issue], ..Finding::default() }))
    }
}

/// A resource of a kind at an address.
pub fn resource(kind: &str, at: &Url) -> Resource {
    Resource { kind: kind.to_owned(), url: at.to_string(), ..Resource::default() }
}
