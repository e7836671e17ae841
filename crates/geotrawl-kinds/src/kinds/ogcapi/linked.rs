//! Interfaces of the family that have no shape of their own in collections: conformance classes prove them, and links
//! of the landing page name what they offer.

use super::{Survey, dialogue, landing_url, survey};
use crate::formats::json::Doc;
use crate::kinds::{Claim, Kind, KindProfile, Reading};
use crate::probe::{Ask, Dialogue};
use crate::urls;
use url::Url;

/// A kind that a conformance class proves.
pub struct LinkedApi {
    pub profile: &'static KindProfile,
    /// A part of its conformance classes, up to the number of the part: `/ogcapi-joins-`.
    pub class: &'static str,
    /// Relations of links to its resources, which are also the last segments of their addresses.
    pub rels: &'static [&'static str],
    /// Pieces of addresses that belong to it alone.
    pub marks: &'static [&'static str],
}

impl Kind for LinkedApi {
    fn profile(&self) -> &'static KindProfile {
        self.profile
    }

    fn linked_api(&self) -> Option<&LinkedApi> {
        Some(self)
    }

    fn claims_json(&self, doc: &Doc, _at: &Url) -> Option<Claim> {
        let is_other = survey::is_description(doc) || survey::is_record(doc);
        let survey = Survey::outline(doc).filter(|_| !is_other)?;
        survey.has_class(self.class).then(Claim::default)
    }

    fn read_json(&self, doc: &Doc, _claim: Claim, at: &Url) -> Reading {
        let Some(mut survey) = Survey::of(doc) else { return Reading::default() };
        let document = Some(survey.document);
        let resource = survey.linked_resource(self, &landing_url(at), doc.complete);
        Reading { resources: vec![resource], document, ..Reading::default() }
    }

    fn marks(&self) -> &'static [&'static str] {
        self.marks
    }

    fn hint(&self, url: &Url) -> Option<Url> {
        let mut landing = urls::endpoint(url);
        let segments: Vec<&str> = url.path().split('/').collect();
        // SensorThings writes `Datastreams`.
        let below = segments.iter().position(|segment| self.rels.contains(segment))?;
        landing.set_path(&segments[..below].join("/"));
        super::strip_below(&mut landing);
        Some(landing)
    }

    fn approach(&self, at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        Some(dialogue::start(landing_url(at)))
    }
}
