//! Sensor Observation Service.

use super::ows::boxes::geographic_box;
use super::ows::capabilities_root;
use super::ows::items::{ItemCollector, ItemReader, read_items};
use super::ows::{ElementPath, Tag};
use super::{CorpusLabel, DocumentClaim, DocumentReading, Family, Kind, KindProfile, OwsRequest, RubricRow};
use crate::formats::xml::XmlReader;
use crate::sniff::XmlRoot;

/// Sensor Observation Service 1.0 and 2.0.
pub struct SosKind;

static PROFILE: KindProfile = KindProfile {
    id: "sos",
    name: "Sensor Observation Service",
    what: "Returns sensor measurements: time series by station, property and period.",
    specification: "https://www.ogc.org/standard/sos/",
    evidence: "A root element Capabilities in http://www.opengis.net/sos/1.0 or http://www.opengis.net/sos/2.0 \
               (0.x: http://www.opengeospatial.net/sos).",
    false_positives: "GetObservation responses, SensorML documents, Capabilities of other services.",
    family: Family::Sensor,
    kept_bytes: 8 << 20,
    protocol: Some("OGC:SOS"),
    rubric_row: RubricRow::Observations,
    operation_words: ("sensors", "described"),
    corpus_labels: &[CorpusLabel::versioned("sos-capabilities")],
    ..KindProfile::XML_SERVICE
};

static REQUEST: OwsRequest = OwsRequest {
    service: "SOS",
    versions: &["2.0.0", "1.0.0"],
    operations: &["describesensor", "getfeatureofinterest", "getobservation", "getobservationbyid"],
};

impl Kind for SosKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        capabilities_root(root, "sos", &["opengis.net/sos", "opengeospatial.net/sos"])
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        read_items::<OfferingReader>(reader, root, claim, endpoint)
    }
}

#[derive(Default)]
struct OfferingReader {
    srs: Option<String>,
    begin: Option<String>,
    end: Option<String>,
}

impl OfferingReader {
    /// Adds the last part of an observed property, which is usually a URI, as a keyword.
    fn property(uri: &str, list: &mut ItemCollector) {
        let word = uri.trim().trim_end_matches('/').rsplit(['/', ':', '#']).next().unwrap_or_default();
        if let Some((item, draft)) = list.item_and_draft()
            && item.keywords.len() < 30
            && !word.eq_ignore_ascii_case("none")
        {
            draft.add_keyword(item, &word.replace('_', " "));
        }
    }

    fn period(&mut self, list: &mut ItemCollector) {
        let (begin, end) = (self.begin.take(), self.end.take());
        let Some(item) = list.item() else { return };
        let written = |t: Option<String>| t.filter(|t| !t.is_empty()).unwrap_or_else(|| "..".to_owned());
        if begin.is_some() && item.time.is_empty() {
            item.time.push(format!("{}/{}", written(begin), written(end)));
        }
    }
}

impl ItemReader for OfferingReader {
    const KIND: &'static str = "sos";

    fn is_item(tag: Tag, _path: &ElementPath<'_>) -> bool {
        tag == Tag::Offering
    }

    fn is_name(tag: Tag) -> bool {
        tag == Tag::Identifier
    }

    fn start_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        element: &XmlReader<'_>,
        list: &mut ItemCollector,
    ) -> bool {
        if tag == Tag::Offering {
            if let Some(id) = element.attr_by_local_name("id")
                && let Some(item) = list.item()
            {
                item.set_name(&id);
            }
            return true;
        }
        if !path.is_inside(Tag::Offering) {
            return false;
        }
        match tag {
            Tag::Envelope => {
                self.srs = element.attr_by_local_name("srsName").map(std::borrow::Cow::into_owned);
            }
            Tag::ObservedProperty => {
                if let Some(uri) = element.attr_by_local_name("href") {
                    Self::property(&uri, list);
                }
            }
            Tag::TimePeriod => (self.begin, self.end) = (None, None),
            _ => {}
        }
        false
    }

    fn end_element(
        &mut self,
        tag: Tag,
        path: &ElementPath<'_>,
        text: &str,
        list: &mut ItemCollector,
    ) -> bool {
        if !path.is_inside(Tag::Offering) {
            return false;
        }
        let short = || Some(text.trim().chars().take(64).collect::<String>());
        match tag {
            // An offering without an id is identified by its name.
            Tag::Name if path.parent() == Tag::Offering => {
                if let Some(item) = list.item() {
                    if item.name.is_none() {
                        item.set_name(text);
                    } else {
                        item.set_title(text);
                    }
                }
            }
            Tag::ObservedProperty => Self::property(text, list),
            Tag::Envelope => {
                if let Some(written) = list.corners() {
                    let srs = self.srs.take().unwrap_or_else(|| "urn:ogc:def:crs:EPSG::4326".to_owned());
                    if let Some((item, draft)) = list.item_and_draft() {
                        draft.add_crs(&mut item.crs, &srs);
                    }
                    if let Some(degrees) = geographic_box(&srs, written) {
                        list.take_box(degrees);
                    }
                }
            }
            Tag::BeginPosition if !text.trim().is_empty() => self.begin = short(),
            Tag::EndPosition if !text.trim().is_empty() => self.end = short(),
            Tag::TimePosition if path.is_inside(Tag::BeginPosition) => self.begin = short(),
            Tag::TimePosition if path.is_inside(Tag::EndPosition) => self.end = short(),
            Tag::TimePosition => {
                if let Some(item) = list.item() {
                    item.add_times(text);
                }
            }
            Tag::TimePeriod if !path.is_inside(Tag::ResultTime) => self.period(list),
            _ => return false,
        }
        true
    }
}
