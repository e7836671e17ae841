//! Dialogues of one question: the answer is a document that some kind knows, or nothing.

use crate::probe::content::Content;
use crate::probe::{Answer, Dialogue, Finding, Step, Verdict, read_document};
use crate::sniff::sniff;
use url::Url;

/// Asks once and reads the answer as any document; a page that is none is left alone.
pub struct OneDocument {
    kind: &'static str,
    at: Url,
}

impl OneDocument {
    /// A question whether `at` is of a kind.
    pub fn of(kind: &'static str, at: &Url) -> Self {
        Self { kind, at: at.clone() }
    }
}

impl Dialogue for OneDocument {
    fn answer(&mut self, answer: Answer<'_>) -> Step {
        let url = answer.head.url.clone().unwrap_or_else(|| self.at.clone());
        let content = Content::open(answer.body);
        let sniffed = sniff(content.prefix(), answer.head.content_type.as_deref());
        let finding = read_document(&url, answer.head, &sniffed, content, answer.truncated);
        // A page that is not what was hoped for was not asked to be read: its links are not followed.
        let proven = finding.resources.iter().any(|found| found.resource.kind == self.kind);
        let finding = if proven || !finding.resources.is_empty() {
            finding
        } else {
            let verdict = match finding.verdict {
                Verdict::Page | Verdict::Resource => Verdict::Nothing,
                other => other,
            };
            Finding { verdict, issues: finding.issues, document: finding.document, ..Finding::default() }
        };
        Step::Done(Box::new(finding))
    }
}
