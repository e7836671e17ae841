//! Answers that hold records.

use super::{Elements, GetRecords, Output, ResultType, Schema, Site, Soap, Version, kvp, post};
use crate::xml::Xml;
use crate::{dc, iso};
use geotrawl_model::Record;

/// Namespaces of answers of 2.0.2.
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
/// Namespaces of answers of 3.0.
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

pub(super) fn names(version: Version) -> &'static [(&'static str, &'static str)] {
    match version {
        Version::V2 => &NAMES_2,
        Version::V3 => &NAMES_3,
    }
}

/// Begins a document, in an envelope where it was asked in one.
pub(super) fn begin(soap: Option<Soap>) -> Xml {
    let mut xml = Xml::document();
    if let Some(soap) = soap {
        let namespace = match soap {
            Soap::V11 => post::SOAP_11,
            Soap::V12 => post::SOAP_12,
        };
        xml.start("soap:Envelope", &[("xmlns:soap", namespace)]).start("soap:Body", &[]);
    }
    xml
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// How many records match.
    pub total: u64,
    /// How many ids the page has: where a record is gone since the index was made, the page is shorter.
    pub ids: usize,
    pub records: Vec<Record>,
}

fn record(xml: &mut Xml, record: &Record, version: Version, output: &Output, site: &Site) {
    let page = site.page(&record.id);
    match output.schema {
        Schema::DublinCore => dc::write(xml, record, version, &output.elements, &page),
        Schema::Iso => iso::write(xml, record, &page),
    }
}

/// Whether an answer needs the layers of its records.
pub fn needs_layers(output: &Output) -> bool {
    output.schema == Schema::Iso
}

/// Answer to GetRecords.
pub fn records(asked: &GetRecords, version: Version, soap: Option<Soap>, page: &Page, site: &Site) -> String {
    let mut xml = begin(soap);
    let now = dc::seconds(site.now);
    if asked.result == ResultType::Validate {
        let tags = match version {
            Version::V2 => ["csw:Acknowledgement", "csw:EchoedRequest"],
            Version::V3 => ["csw30:Acknowledgement", "csw30:EchoedRequest"],
        };
        let mut attributes = names(version).to_vec();
        attributes.push(("timeStamp", &now));
        xml.start(tags[0], &attributes).start(tags[1], &[]);
        kvp::echo(&mut xml, version);
        return xml.finish();
    }
    let tags = match version {
        Version::V2 => ["csw:GetRecordsResponse", "csw:SearchStatus", "csw:SearchResults"],
        Version::V3 => ["csw30:GetRecordsResponse", "csw30:SearchStatus", "csw30:SearchResults"],
    };
    let mut attributes = names(version).to_vec();
    attributes.push(("version", version.as_str()));
    xml.start(tags[0], &attributes);
    xml.empty(tags[1], &[("timestamp", &now)]);
    let first = asked.query.offset as u64 + 1;
    let after = first + page.ids as u64;
    let next = match asked.result {
        ResultType::Results if page.ids > 0 && after <= page.total => after,
        // Of what is only counted, all is still to come.
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
    if let Elements::Set(set) = &asked.output.elements {
        attributes.push(("elementSet", set.as_str()));
    }
    xml.start(tags[2], &attributes);
    for one in &page.records {
        record(&mut xml, one, version, &asked.output, site);
    }
    xml.finish()
}

/// Answer to GetRecordById: in 3.0 the record itself.
pub fn by_id(
    records: &[Record],
    output: &Output,
    version: Version,
    soap: Option<Soap>,
    site: &Site,
) -> String {
    let mut xml = begin(soap);
    if let (Version::V3, [one]) = (version, records) {
        let mut piece = Xml::piece();
        record(&mut piece, one, version, output, site);
        // The record is the document: it declares the names itself.
        let written = piece.finish();
        if output.schema == Schema::Iso {
            xml.raw(&written);
        } else {
            let (tag, rest) = written.split_at(written.find('>').unwrap_or(0));
            xml.raw(tag);
            for (name, uri) in names(version) {
                xml.raw(" ").raw(name).raw("=\"").raw(uri).raw("\"");
            }
            xml.raw(rest);
        }
        return xml.finish();
    }
    let tag = match version {
        Version::V2 => "csw:GetRecordByIdResponse",
        Version::V3 => "csw30:GetRecordByIdResponse",
    };
    xml.start(tag, names(version));
    for one in records {
        record(&mut xml, one, version, output, site);
    }
    xml.finish()
}
