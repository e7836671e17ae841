//! APIs of the family whose collections have no special form: they are proven by conformance
//! classes, and links of the landing page list their resources.

use super::{ApiSurvey, api_probe, landing_url, survey};
use crate::formats::json::JsonDocument;
use crate::kinds::{DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::probe::{ProbeRequest, ServiceProbe};
use crate::urls;
use url::Url;

/// A kind proven by a conformance class.
pub struct LinkedApi {
    pub profile: &'static KindProfile,
    /// Part of its conformance classes, up to the number of the part: `/ogcapi-joins-`.
    pub class: &'static str,
    /// Relations of links to its resources, which are also the last segments of their URLs.
    pub rels: &'static [&'static str],
    /// Substrings of URLs that belong to it alone.
    pub marks: &'static [&'static str],
}

impl Kind for LinkedApi {
    fn profile(&self) -> &'static KindProfile {
        self.profile
    }

    fn linked_api(&self) -> Option<&LinkedApi> {
        Some(self)
    }

    fn claim_json(&self, doc: &JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        let is_other = survey::is_description(doc) || survey::is_record(doc);
        let survey = ApiSurvey::from_document_outline(doc).filter(|_| !is_other)?;
        survey.has_class(self.class).then(DocumentClaim::default)
    }

    fn read_json(&self, doc: &JsonDocument, _claim: DocumentClaim, at: &Url) -> DocumentReading {
        let Some(mut survey) = ApiSurvey::from_document(doc) else { return DocumentReading::default() };
        let document = Some(survey.document);
        let resource = survey.build_linked_resource(self, &landing_url(at), doc.complete);
        DocumentReading { resources: vec![resource], document, ..DocumentReading::default() }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        self.marks
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let mut landing = urls::endpoint_url(url);
        let segments: Vec<&str> = url.path().split('/').collect();
        // SensorThings writes `Datastreams`.
        let below = segments.iter().position(|segment| self.rels.contains(segment))?;
        landing.set_path(&segments[..below].join("/"));
        super::strip_below(&mut landing);
        Some(landing)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        Some(api_probe::start(landing_url(at)))
    }
}
