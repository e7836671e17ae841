//! CSW capabilities 2.0.2 and 3.0.0, and records.

use super::{CapabilitiesInput, PlannedService, escape_xml_text, ows};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let (ns, ows_ns) = if caps.version == "3.0.0" {
        ("http://www.opengis.net/cat/csw/3.0", "http://www.opengis.net/ows/2.0")
    } else {
        ("http://www.opengis.net/cat/csw/2.0.2", "http://www.opengis.net/ows")
    };
    let _ = writeln!(
        out,
        "<csw:Capabilities version=\"{}\" xmlns:csw=\"{ns}\" xmlns:ows=\"{ows_ns}\" xmlns:ogc=\"http://www.opengis.net/ogc\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">",
        caps.version
    );
    ows::write_identification(caps, "ows", "CSW", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(
        caps,
        "ows",
        &["GetCapabilities", "DescribeRecord", "GetRecords", "GetRecordById"],
        out,
    );
    out.push_str("  <ogc:Filter_Capabilities><ogc:Spatial_Capabilities><ogc:SpatialOperators><ogc:SpatialOperator name=\"BBOX\"/></ogc:SpatialOperators></ogc:Spatial_Capabilities></ogc:Filter_Capabilities>\n</csw:Capabilities>\n");
}

/// Renders all records of the catalogue as one `GetRecords` response.
pub(super) fn write_records(service: &PlannedService) -> String {
    let count = service.records.len();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<csw:GetRecordsResponse version=\"2.0.2\" xmlns:csw=\"http://www.opengis.net/cat/csw/2.0.2\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dct=\"http://purl.org/dc/terms/\">\n<csw:SearchStatus timestamp=\"2026-01-01T00:00:00Z\"/>\n<csw:SearchResults numberOfRecordsMatched=\"{count}\" numberOfRecordsReturned=\"{count}\" nextRecord=\"0\" elementSet=\"full\">\n"
    );
    for (index, record) in service.records.iter().enumerate() {
        let _ = writeln!(
            out,
            "<csw:Record><dc:identifier>record-{index}</dc:identifier><dc:title>{}</dc:title><dc:type>service</dc:type><dct:references scheme=\"OGC:{}\">{}</dct:references></csw:Record>",
            escape_xml_text(&record.title),
            record.kind.to_ascii_uppercase(),
            escape_xml_text(&record.url)
        );
    }
    out.push_str("</csw:SearchResults>\n</csw:GetRecordsResponse>\n");
    out
}
