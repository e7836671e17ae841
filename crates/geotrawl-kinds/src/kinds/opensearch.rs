//! OpenSearch with the Geo and Time extensions.

use super::{CorpusLabel, DescriptionRequest, DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::formats::opensearch::OpenSearchDescription;
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;
use geotrawl_model::{Contact, Resource};

/// OpenSearch with the Geo, Time and Earth Observation extensions.
pub struct OpenSearchKind;

static PROFILE: KindProfile = KindProfile {
    id: "opensearch",
    name: "OpenSearch (Geo)",
    what: "Describes searches by place and time as URL templates; the results are feeds or GeoJSON. \
           Used by Earth observation archives.",
    specification: "https://www.ogc.org/standard/opensearchgeo/",
    evidence: "A root element OpenSearchDescription with a template that takes a place or a time ({geo:box}, \
               {time:start} ...).",
    false_positives: "Descriptions of ordinary site searches for browsers, which many web sites have.",
    request: DescriptionRequest::Page,
    kept_bytes: 1 << 20,
    lists_datasets: false,
    corpus_labels: &[CorpusLabel::plain("opensearch-description")],
    ..KindProfile::XML_CATALOGUE
};

impl Kind for OpenSearchKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        (root.local == "OpenSearchDescription").then(DocumentClaim::default)
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        _claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let description = OpenSearchDescription::from_xml(reader);
        let mut reading =
            DocumentReading { document: Some("opensearch-description"), ..DocumentReading::default() };
        if !description.is_geospatial() {
            return reading;
        }
        let formats = description.templates.iter().filter(|t| t.geospatial && !t.media_type.is_empty());
        let mut resource = Resource {
            kind: PROFILE.id.to_owned(),
            url: endpoint.to_owned(),
            versions: vec!["1.1".to_owned()],
            title: description.title,
            abstract_: description.description,
            keywords: description.tags,
            licence: description.attribution,
            languages: description.language.into_iter().collect(),
            formats: formats.map(|t| t.media_type.as_str().into()).collect(),
            ..Resource::default()
        };
        resource.formats.dedup();
        resource.contact =
            Contact { email: description.contact.filter(|mail| mail.contains('@')), ..Contact::default() };
        reading.resources.push(resource);
        reading
    }
}
