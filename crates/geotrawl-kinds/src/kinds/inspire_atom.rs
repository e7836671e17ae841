//! INSPIRE download services as Atom feeds.

use super::{CorpusLabel, DescriptionRequest, DocumentClaim, DocumentReading, Kind, KindProfile};
use crate::formats::bbox::BboxUnion;
use crate::formats::feed::{self, FeedEntry, ParsedFeed};
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;
use geotrawl_model::{Dataset, Resource};

/// An INSPIRE download service by Atom feeds.
pub struct InspireAtomKind;

static PROFILE: KindProfile = KindProfile {
    id: "inspire-atom",
    name: "INSPIRE Atom download service",
    what: "Lists datasets in one feed and the files of each dataset, by coordinate system and format, in \
           another.",
    specification: "https://knowledge-base.inspire.ec.europa.eu/publications/technical-guidance-implementation-inspire-download-services_en",
    evidence: "An Atom feed whose root declares the namespace http://inspire.ec.europa.eu/schemas/inspire_dls/1.0.",
    false_positives: "News feeds, GeoRSS feeds, search results, OWS contexts: also Atom, but without that \
                namespace.",
    request: DescriptionRequest::Page,
    corpus_labels: &[CorpusLabel::plain("inspire-atom-feed")],
    ..KindProfile::XML_CATALOGUE
};

const LISTED: usize = 10_000;

impl Kind for InspireAtomKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        let atom = root.namespace.as_deref().is_none_or(|ns| ns.contains("w3.org/2005/Atom"));
        let inspire =
            root.attrs.iter().any(|(name, value)| name.starts_with("xmlns") && value.contains("inspire_dls"));
        (root.local == "feed" && atom && inspire).then(DocumentClaim::default)
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        _claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let feed = feed::read_feed(reader);
        let ParsedFeed { head, entries, count, .. } = feed;
        let mut resource = Resource {
            kind: PROFILE.id.to_owned(),
            url: endpoint.to_owned(),
            title: head.title.clone(),
            abstract_: head.summary.clone(),
            provider: head.author.person.clone(),
            contact: head.author.clone(),
            licence: head.rights.clone(),
            ..Resource::default()
        };
        let mut union = BboxUnion::default();
        entries.iter().filter_map(|entry| entry.bbox).for_each(|b| union.add(b));
        resource.bbox = head.bbox.or_else(|| union.bbox());
        if entries.iter().any(|entry| entry.dataset_code.is_some()) {
            resource.dataset_count = count;
            resource.datasets = entries.into_iter().take(LISTED).map(|entry| dataset(&entry)).collect();
        } else {
            // A feed of a single dataset, whose entries are files.
            let mut one = FeedEntry { bbox: resource.bbox, ..head };
            one.categories
                .extend(entries.iter().flat_map(|entry| entry.categories.iter().cloned()).take(200));
            one.links = entries.iter().flat_map(|entry| entry.links.iter().cloned()).take(200).collect();
            resource.dataset_count = 1;
            resource.datasets = vec![dataset(&one)];
        }
        DocumentReading {
            resources: vec![resource],
            document: Some("inspire-atom-feed"),
            ..DocumentReading::default()
        }
    }
}

fn dataset(entry: &FeedEntry) -> Dataset {
    let mut record = entry.to_record();
    record.crs.sort();
    record.crs.dedup();
    let mut formats: Vec<String> = record.links.iter().filter_map(|link| link.format.clone()).collect();
    formats.sort();
    formats.dedup();
    let mut dataset = super::thredds::dataset_from_record(record);
    dataset.formats = formats.iter().take(50).map(|format| format.as_str().into()).collect();
    dataset
}
