//! THREDDS Data Server: inventory catalogues of scientific data.

use super::{CorpusLabel, DocumentClaim, DocumentReading, Family, Kind, KindProfile, RubricRow};
use crate::formats::bbox::BboxUnion;
use crate::formats::thredds::ThreddsCatalog;
use crate::formats::xml::XmlReader;
use crate::probe::{ProbeRequest, ServiceProbe};
use crate::sniff::XmlRoot;
use geotrawl_model::{CatalogueRecord, Dataset, Issue, Resource, SharedText};
use std::sync::Arc;
use url::Url;

/// THREDDS catalogues, including those of Hyrax.
pub struct ThreddsKind;

/// Maximum number of datasets listed; all are counted.
pub const LISTED: usize = 10_000;

static PROFILE: KindProfile = KindProfile {
    id: "thredds",
    name: "THREDDS catalogue",
    what: "A tree of catalogues of gridded and other scientific data, each dataset with its access methods: \
           OPeNDAP, WMS, WCS, subsets, whole files. Granules of a series count as one dataset.",
    specification: "https://docs.unidata.ucar.edu/tds/current/userguide/client_side_catalog_specification.html",
    evidence: "A root element catalog in http://www.unidata.ucar.edu/namespaces/thredds/InvCatalog/v1.0 (or an \
               older one of Unidata).",
    false_positives: "Other documents called catalog: OASIS entity catalogs, data.json, translation catalogs. A catalogue \
                configuration that was never filled in has no datasets.",
    family: Family::Coverage,
    kept_bytes: 8 << 20,
    rubric_row: RubricRow::Observations,
    operation_words: ("datasets", "returned"),
    corpus_labels: &[CorpusLabel::versioned("thredds-catalog")],
    terria_type: Some("thredds-group"),
    ..KindProfile::XML_SERVICE
};

impl Kind for ThreddsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        let unidata = root.namespace.as_deref().is_some_and(|ns| ns.contains("unidata.ucar.edu"));
        (root.local == "catalog" && unidata).then(|| DocumentClaim::from_root(root))
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let catalog = ThreddsCatalog::from_xml(reader);
        let mut resource = Resource {
            kind: PROFILE.id.to_owned(),
            url: endpoint.to_owned(),
            versions: claim.version.into_iter().collect(),
            title: catalog.name.clone().or_else(|| catalog.groups.first().map(|g| g.sample.name.clone())),
            abstract_: catalog.meta.summary.clone(),
            keywords: catalog.meta.keywords.clone(),
            provider: catalog.meta.contact.organisation.clone(),
            contact: catalog.meta.contact.clone(),
            licence: catalog.meta.rights.clone(),
            dataset_count: catalog.groups.len() as u64 + catalog.dropped,
            ..Resource::default()
        };
        if let Ok(at) = Url::parse(endpoint) {
            let mut union = BboxUnion::default();
            for record in catalog.to_records(&at).into_iter().take(LISTED) {
                record.bbox.into_iter().for_each(|b| union.add(b));
                resource.datasets.push(dataset_from_record(record));
            }
            resource.bbox = union.bbox();
        }
        if catalog.cut {
            resource.issues.push(Issue::new("catalogue-cut", "the catalogue ends early"));
        }
        DocumentReading {
            resources: vec![resource],
            document: Some("thredds-catalog"),
            ..DocumentReading::default()
        }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/thredds/", "/opendap/hyrax/", "/opendap/contents.html"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        top_catalog(url)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let ask = ProbeRequest::get(at.clone(), "application/xml, text/xml, */*;q=0.5", 32 << 20);
        Some((Box::new(super::single_document::SingleDocumentProbe::for_kind(PROFILE.id, at)), ask))
    }
}

/// Returns the URL of the root catalogue of the server that a URL belongs to. If the URL is itself
/// a catalogue, returns that one as XML, since the root catalogue need not lead to it.
pub fn top_catalog(url: &Url) -> Option<Url> {
    let path = url.path();
    let mut at = url.clone();
    at.set_query(None);
    at.set_fragment(None);
    if let Some(stem) = path.strip_suffix("/catalog.html").or_else(|| path.strip_suffix("/catalog.xml")) {
        at.set_path(&format!("{stem}/catalog.xml"));
        return Some(at);
    }
    for (mark, top) in [
        ("/thredds/", "/thredds/catalog.xml"),
        ("/opendap/hyrax/", "/opendap/hyrax/catalog.xml"),
        ("/opendap/contents.html", "/opendap/catalog.xml"),
    ] {
        if let Some(start) = path.find(mark) {
            at.set_path(&format!("{}{top}", &path[..start]));
            return Some(at);
        }
    }
    None
}

/// Converts a catalogue record to a dataset.
pub fn dataset_from_record(record: CatalogueRecord) -> Dataset {
    let mut formats: Vec<SharedText> = Vec::new();
    for link in &record.links {
        if let Some(protocol) = link.protocol.as_deref() {
            formats.push(protocol.into());
        }
    }
    Dataset {
        name: record.id,
        title: record.title,
        abstract_: record.abstract_,
        keywords: record.keywords.iter().map(|word| word.as_str().into()).collect(),
        bbox: record.bbox,
        crs: record.crs.iter().map(|crs| SharedText::from(crs.as_str())).collect::<Arc<[SharedText]>>(),
        time: record.time,
        formats,
    }
}
