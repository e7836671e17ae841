//! Shared by the portal kinds: one cheap request, and what the response proves.

use crate::connectors::page_value;
use crate::probe::{
    CrawlTarget, Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe,
};
use geotrawl_model::{Issue, Resource};
use serde_json::Value;
use url::Url;

/// Maximum number of bytes read of a response: portals describe themselves briefly.
pub const ANSWER_BYTES: u64 = 4 << 20;
/// `Accept` header for portals.
pub const ACCEPT: &str = "application/json, */*;q=0.5";

/// What a response of a portal proves.
pub struct PortalProof {
    pub resource: Resource,
    /// Evidence for the resource.
    pub rule: String,
    pub targets: Vec<CrawlTarget>,
}

/// Probes a portal with one request, and a fallback if that proves nothing.
pub struct PortalProbe {
    /// URL of the portal.
    pub at: Url,
    /// Returns what the JSON of the response proves, if anything.
    pub judge: fn(&Url, &Value) -> Option<PortalProof>,
    /// Fallback URL if the first response proves nothing.
    pub otherwise: Option<Url>,
}

impl PortalProbe {
    /// Starts the probe with a request to `url`.
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
                Issue::new("not-a-portal", "the response does not come from such a portal")
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

/// Creates a resource of a kind at a URL.
pub fn portal_resource(kind: &str, at: &Url) -> Resource {
    Resource { kind: kind.to_owned(), url: at.to_string(), ..Resource::default() }
}
