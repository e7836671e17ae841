//! Open Archives Initiative Protocol for Metadata Harvesting.

use super::{CorpusLabel, DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::formats::tree::XmlTreeNode;
use crate::formats::xml::{XmlReader, tidy_text};
use crate::probe::{ProbeRequest, ServiceProbe};
use crate::sniff::XmlRoot;
use crate::urls;
use geotrawl_model::{Contact, Resource};
use url::Url;

/// OAI-PMH 2.0.
pub struct OaiPmhKind;

static PROFILE: KindProfile = KindProfile {
    id: "oai-pmh",
    name: "OAI-PMH repository",
    what: "Publishes metadata records, all or those changed since a date, in Dublin Core and other formats. \
           Used by libraries and data repositories, including geoportals.",
    specification: "https://www.openarchives.org/OAI/openarchivesprotocol.html",
    evidence: "A root element OAI-PMH in http://www.openarchives.org/OAI/2.0/, whatever the verb: protocol errors \
               count, too.",
    false_positives: "Single records from such a response, the schema of the protocol, pages of repositories that only \
                describe their OAI-PMH interface.",
    lists_datasets: false,
    corpus_labels: &[CorpusLabel::plain("oai-pmh-response")],
    ..KindProfile::XML_CATALOGUE
};

const NAMESPACE: &str = "http://www.openarchives.org/OAI/2.0";
const VERBS: &[&str] =
    &["getrecord", "identify", "listidentifiers", "listmetadataformats", "listrecords", "listsets"];
/// Last path segments that identify OAI-PMH.
const PATHS: &[&str] = &[
    "oai",
    "oai-pmh",
    "oai.php",
    "oai2",
    "oai2.php",
    "oai2d",
    "oaicat",
    "oaihandler",
    "oaipmh",
    "oaiprovider",
];

impl Kind for OaiPmhKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        if root.local != "OAI-PMH" {
            return None;
        }
        match root.namespace.as_deref() {
            Some(ns) if ns.trim_end_matches('/') == NAMESPACE => Some(DocumentClaim::default()),
            None => Some(DocumentClaim::without_namespace(root)),
            _ => None,
        }
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let answer = XmlTreeNode::read_element(reader);
        let mut resource = Resource {
            kind: PROFILE.id.to_owned(),
            url: endpoint.to_owned(),
            versions: vec!["2.0".to_owned()],
            ..Resource::default()
        };
        if let Some(identify) = answer.child("Identify") {
            resource.title = identify.child_text("repositoryName").and_then(|t| tidy_text(t, 1024));
            let email = identify
                .child_text("adminEmail")
                .and_then(|t| tidy_text(t.trim_start_matches("mailto:"), 256));
            resource.contact = Contact { email, ..Contact::default() };
            if let Some(version) = identify.child_text("protocolVersion").and_then(|t| tidy_text(t, 16)) {
                resource.versions = vec![version];
            }
        }
        resource.issues.extend(claim.oddity.map(|(code, text)| geotrawl_model::Issue::new(code, text)));
        DocumentReading {
            resources: vec![resource],
            document: Some("oai-pmh-response"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["oai", "verb="]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let verb = url.query_pairs().any(|(key, value)| {
            key.eq_ignore_ascii_case("verb") && VERBS.contains(&value.to_ascii_lowercase().as_str())
        });
        let path = url.path().trim_end_matches('/').to_ascii_lowercase();
        let last = path.rsplit('/').next().unwrap_or_default();
        let named = PATHS.contains(&last) || path.ends_with("/oai/request") || last == "oai_server";
        (verb || named).then(|| urls::endpoint_url(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let url = urls::with_params(&urls::endpoint_url(at), &[("verb", "Identify")]);
        let ask = ProbeRequest::get(url, "text/xml, application/xml, */*;q=0.5", 1 << 20);
        Some((Box::new(super::single_document::SingleDocumentProbe::for_kind(PROFILE.id, at)), ask))
    }
}
