//! Probes with a single request, whose response must be a document of a known kind.

use crate::probe::content::PeekedBody;
use crate::probe::{Finding, ProbeResponse, ProbeStep, ResponseClass, ServiceProbe, read_document};
use crate::sniff::sniff_type;
use url::Url;

/// Sends one request and reads the response like any document, but ignores ordinary pages.
pub struct SingleDocumentProbe {
    kind: &'static str,
    at: Url,
}

impl SingleDocumentProbe {
    /// Creates a probe that tests whether `at` is of a kind.
    pub fn for_kind(kind: &'static str, at: &Url) -> Self {
        Self { kind, at: at.clone() }
    }
}

impl ServiceProbe for SingleDocumentProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let url = answer.head.url.clone().unwrap_or_else(|| self.at.clone());
        let content = PeekedBody::peek(answer.body);
        let sniffed = sniff_type(content.prefix(), answer.head.content_type.as_deref());
        let finding = read_document(&url, answer.head, &sniffed, content, answer.truncated);
        // An ordinary page was requested only as a guess, so its links are not followed.
        let proven = finding.resources.iter().any(|found| found.resource.kind == self.kind);
        let finding = if proven || !finding.resources.is_empty() {
            finding
        } else {
            let verdict = match finding.verdict {
                ResponseClass::Page | ResponseClass::Resource => ResponseClass::Nothing,
                other => other,
            };
            Finding { verdict, issues: finding.issues, document: finding.document, ..Finding::default() }
        };
        ProbeStep::Done(Box::new(finding))
    }
}
