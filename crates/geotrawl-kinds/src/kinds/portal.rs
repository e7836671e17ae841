//! What the kinds of portals share: one cheap question, and what the answer proves.

use crate::connectors::page_value;
use crate::probe::{
    CrawlTarget, Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe,
};
use geotrawl_model::{Issue, Resource};
use serde_json::Value;
use url::Url;

/// The most of an answer that is read: portals describe themselves briefly.
pub const ANSWER_BYTES: u64 = 4 << 20;
/// What portals are asked for.
pub const ACCEPT: &str = "application/json, */*;q=0.5";

/// What an answer of a portal means.
pub struct PortalProof {
    pub resource: Resource,
    /// Why it is one.
    pub rule: String,
    pub targets: Vec<CrawlTarget>,
}

/// One question to a portal: where, and what the answer proves.
pub struct PortalProbe {
    /// The portal's address.
    pub at: Url,
    /// What the JSON of the answer proves, if anything.
    pub judge: fn(&Url, &Value) -> Option<PortalProof>,
    /// Another question, when the first answer proves nothing.
    pub otherwise: Option<Url>,
}

impl PortalProbe {
    /// Begins the dialogue.
    pub fn start(self, url: Url) -> (Box<dyn ServiceProbe>, ProbeRequest) {
        (Box::new(self), ProbeRequest::get(url, ACCEPT, ANSWER_BYTES))
    }
}

impl ServiceProbe for PortalProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let status = answer.head.status;
        let issue = match page_value(answer) {
            Ok(doc) => {
                if let Some(proof) = (self.judge)(&self.at, &doc) {
                    let found = Found::new(proof.resource, proof.rule);
                    return ProbeStep::Done(Box::new(Finding {
                        resources: vec![found],
                        targets: proof.targets,
                        verdict: ResponseClass::Resource,
                        ..Finding::default()
                    }));
                }
                Issue::new("not-a-portal", "the answer is not that of such a portal")
            }
            Err(issue) => issue,
        };
        if let Some(url) = self.otherwise.take() {
            return ProbeStep::Ask(Box::new(ProbeRequest::get(url, ACCEPT, ANSWER_BYTES)));
        }
        let verdict = if matches!(status, 401 | 407) { ResponseClass::Login } else { ResponseClass::Nothing };
        ProbeStep::Done(Box::new(Finding { verdict, issues: vec![issue], ..Finding::default() }))
    }
}

/// A resource of a kind at an address.
pub fn portal_resource(kind: &str, at: &Url) -> Resource {
    Resource { kind: kind.to_owned(), url: at.to_string(), ..Resource::default() }
}
