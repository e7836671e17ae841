//! Responses that contain records.

use super::{
    CswSite, CswVersion, ElementSelection, GetRecords, OutputSchema, RecordOutput, ResultType, SoapVersion,
    kvp, post,
};
use crate::xml::XmlWriter;
use crate::{dc, iso};
use geotrawl_model::Record;

/// Namespaces of CSW 2.0.2 responses.
pub(super) const NAMES_2: [(&str, &str); 8] = [
    ("xmlns:csw", "http://www.opengis.net/cat/csw/2.0.2"),
    ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    ("xmlns:dct", "http://purl.org/dc/terms/"),
    ("xmlns:ows", "http://www.opengis.net/ows"),
    ("xmlns:ogc", "http://www.opengis.net/ogc"),
    ("xmlns:gml", "http://www.opengis.net/gml"),
    ("xmlns:xlink", "http://www.w3.org/1999/xlink"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
];
/// Namespaces of CSW 3.0 responses.
pub(super) const NAMES_3: [(&str, &str); 8] = [
    ("xmlns:csw30", "http://www.opengis.net/cat/csw/3.0"),
    ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    ("xmlns:dct", "http://purl.org/dc/terms/"),
    ("xmlns:ows20", "http://www.opengis.net/ows/2.0"),
    ("xmlns:fes20", "http://www.opengis.net/fes/2.0"),
    ("xmlns:gml32", "http://www.opengis.net/gml/3.2"),
    ("xmlns:xlink", "http://www.w3.org/1999/xlink"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
];

pub(super) fn namespaces(version: CswVersion) -> &'static [(&'static str, &'static str)] {
    match version {
        CswVersion::V2 => &NAMES_2,
        CswVersion::V3 => &NAMES_3,
    }
}

/// Starts a document, inside a SOAP envelope if the request had one.
pub(super) fn begin_document(soap: Option<SoapVersion>) -> XmlWriter {
    let mut xml = XmlWriter::with_declaration();
    if let Some(soap) = soap {
        let namespace = match soap {
            SoapVersion::V11 => post::SOAP_11,
            SoapVersion::V12 => post::SOAP_12,
        };
        xml.start("soap:Envelope", &[("xmlns:soap", namespace)]).start("soap:Body", &[]);
    }
    xml
}

/// A page of search results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CswPage {
    /// Number of matching records.
    pub total: u64,
    /// Number of ids on the page; there are fewer records if some are gone since the index was
    /// updated.
    pub ids: usize,
    pub records: Vec<Record>,
}

fn record(xml: &mut XmlWriter, record: &Record, version: CswVersion, output: &RecordOutput, site: &CswSite) {
    let page = site.record_page(&record.id);
    match output.schema {
        OutputSchema::DublinCore => dc::write_dublin_core(xml, record, version, &output.elements, &page),
        OutputSchema::Iso => iso::write_iso19139(xml, record, &page),
    }
}

/// Whether a response needs the layers of its records.
pub fn needs_layers(output: &RecordOutput) -> bool {
    output.schema == OutputSchema::Iso
}

/// Renders the response to GetRecords.
pub fn render_records(
    asked: &GetRecords,
    version: CswVersion,
    soap: Option<SoapVersion>,
    page: &CswPage,
    site: &CswSite,
) -> String {
    let mut xml = begin_document(soap);
    let now = dc::format_seconds(site.now);
    if asked.result == ResultType::Validate {
        let tags = match version {
            CswVersion::V2 => ["csw:Acknowledgement", "csw:EchoedRequest"],
            CswVersion::V3 => ["csw30:Acknowledgement", "csw30:EchoedRequest"],
        };
        let mut attributes = namespaces(version).to_vec();
        attributes.push(("timeStamp", &now));
        xml.start(tags[0], &attributes).start(tags[1], &[]);
        kvp::write_echo(&mut xml, version);
        return xml.finish();
    }
    let tags = match version {
        CswVersion::V2 => ["csw:GetRecordsResponse", "csw:SearchStatus", "csw:SearchResults"],
        CswVersion::V3 => ["csw30:GetRecordsResponse", "csw30:SearchStatus", "csw30:SearchResults"],
    };
    let mut attributes = namespaces(version).to_vec();
    attributes.push(("version", version.as_str()));
    xml.start(tags[0], &attributes);
    xml.empty(tags[1], &[("timestamp", &now)]);
    let first = asked.query.offset as u64 + 1;
    let after = first + page.ids as u64;
    let next = match asked.result {
        ResultType::Results if page.ids > 0 && after <= page.total => after,
        // A hits request returns no records, so the next record is the first one.
        ResultType::Hits if first <= page.total => first,
        _ => 0,
    };
    let (matched, returned, next) =
        (page.total.to_string(), page.records.len().to_string(), next.to_string());
    let mut attributes = vec![
        ("numberOfRecordsMatched", matched.as_str()),
        ("numberOfRecordsReturned", returned.as_str()),
        ("nextRecord", next.as_str()),
        ("recordSchema", asked.output.schema.uri(version)),
    ];
    if let ElementSelection::Set(set) = &asked.output.elements {
        attributes.push(("elementSet", set.as_str()));
    }
    xml.start(tags[2], &attributes);
    for one in &page.records {
        record(&mut xml, one, version, &asked.output, site);
    }
    xml.finish()
}

/// Renders the response to GetRecordById; in 3.0 it is the record itself.
pub fn render_by_id(
    records: &[Record],
    output: &RecordOutput,
    version: CswVersion,
    soap: Option<SoapVersion>,
    site: &CswSite,
) -> String {
    let mut xml = begin_document(soap);
    if let (CswVersion::V3, [one]) = (version, records) {
        let mut piece = XmlWriter::fragment();
        record(&mut piece, one, version, output, site);
        // The record is the root element, so it declares the namespaces itself.
        let written = piece.finish();
        if output.schema == OutputSchema::Iso {
            xml.raw(&written);
        } else {
            let (tag, rest) = written.split_at(written.find('>').unwrap_or(0));
            xml.raw(tag);
            for (name, uri) in namespaces(version) {
                xml.raw(" ").raw(name).raw("=\"").raw(uri).raw("\"");
            }
            xml.raw(rest);
        }
        return xml.finish();
    }
    let tag = match version {
        CswVersion::V2 => "csw:GetRecordByIdResponse",
        CswVersion::V3 => "csw30:GetRecordByIdResponse",
    };
    xml.start(tag, namespaces(version));
    for one in records {
        record(&mut xml, one, version, output, site);
    }
    xml.finish()
}
