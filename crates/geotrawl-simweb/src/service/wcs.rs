//! WCS capabilities 1.0.0, 1.1.x and 2.0.1, with the processing profile where offered.

use super::{CapabilitiesInput, escape_xml_text, ows};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    match caps.version {
        "1.0.0" => v100(caps, out),
        "2.0.1" => v20(caps, out),
        _ => v11(caps, out),
    }
}

fn v100(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    let online = caps.online_resource();
    let _ = writeln!(
        out,
        "<WCS_Capabilities version=\"1.0.0\" xmlns=\"http://www.opengis.net/wcs\" xmlns:gml=\"http://www.opengis.net/gml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<Service>\n  <description>{}</description>\n  <name>WCS</name>\n  <label>{}</label>\n  <fees>NONE</fees>\n  <accessConstraints>NONE</accessConstraints>\n</Service>\n<Capability>\n  <Request>\n    <GetCapabilities><DCPType><HTTP><Get><OnlineResource xlink:href=\"{online}\"/></Get></HTTP></DCPType></GetCapabilities>\n    <DescribeCoverage><DCPType><HTTP><Get><OnlineResource xlink:href=\"{online}\"/></Get></HTTP></DCPType></DescribeCoverage>\n    <GetCoverage><DCPType><HTTP><Get><OnlineResource xlink:href=\"{online}\"/></Get></HTTP></DCPType></GetCoverage>\n  </Request>\n</Capability>\n<ContentMetadata>",
        escape_xml_text(&s.abstract_),
        escape_xml_text(&s.title)
    );
    for d in &s.datasets {
        let [w, south, e, n] = d.bbox;
        let _ = writeln!(
            out,
            "  <CoverageOfferingBrief>\n    <description>{}</description>\n    <name>{}</name>\n    <label>{}</label>\n    <lonLatEnvelope srsName=\"urn:ogc:def:crs:OGC:1.3:CRS84\"><gml:pos>{w} {south}</gml:pos><gml:pos>{e} {n}</gml:pos></lonLatEnvelope>\n  </CoverageOfferingBrief>",
            escape_xml_text(&d.abstract_),
            escape_xml_text(&d.name),
            escape_xml_text(&d.title)
        );
    }
    out.push_str("</ContentMetadata>\n</WCS_Capabilities>\n");
}

fn v11(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    let ns = if caps.version == "1.1.1" {
        "http://www.opengis.net/wcs/1.1.1"
    } else {
        "http://www.opengis.net/wcs/1.1"
    };
    let _ = writeln!(
        out,
        "<Capabilities version=\"{}\" xmlns=\"{ns}\" xmlns:wcs=\"{ns}\" xmlns:ows=\"http://www.opengis.net/ows/1.1\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">",
        caps.version
    );
    ows::write_identification(caps, "ows", "WCS", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &["GetCapabilities", "DescribeCoverage", "GetCoverage"], out);
    out.push_str("  <Contents>\n");
    for d in &s.datasets {
        let _ = writeln!(
            out,
            "    <CoverageSummary>\n      <ows:Title>{}</ows:Title>\n      <ows:Abstract>{}</ows:Abstract>",
            escape_xml_text(&d.title),
            escape_xml_text(&d.abstract_)
        );
        ows::write_wgs84_box("ows", d.bbox, out);
        let _ = writeln!(
            out,
            "      <SupportedFormat>image/tiff</SupportedFormat>\n      <Identifier>{}</Identifier>\n    </CoverageSummary>",
            escape_xml_text(&d.name)
        );
    }
    out.push_str("  </Contents>\n</Capabilities>\n");
}

fn v20(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    out.push_str("<wcs:Capabilities version=\"2.0.1\" xmlns:wcs=\"http://www.opengis.net/wcs/2.0\" xmlns:ows=\"http://www.opengis.net/ows/2.0\" xmlns:gml=\"http://www.opengis.net/gml/3.2\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n");
    let mut profiles = vec![
        "http://www.opengis.net/spec/WCS/2.0/conf/core",
        "http://www.opengis.net/spec/WCS_protocol-binding_get-kvp/1.0/conf/get-kvp",
    ];
    let mut operations = vec!["GetCapabilities", "DescribeCoverage", "GetCoverage"];
    if s.wcps {
        profiles.push("http://www.opengis.net/spec/WCS_service-extension_processing/2.0/conf/processing");
        operations.push("ProcessCoverages");
    }
    ows::write_identification(caps, "ows", "OGC WCS", &profiles, out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &operations, out);
    out.push_str("  <wcs:ServiceMetadata><wcs:formatSupported>image/tiff</wcs:formatSupported></wcs:ServiceMetadata>\n  <wcs:Contents>\n");
    for d in &s.datasets {
        out.push_str("    <wcs:CoverageSummary>\n");
        ows::write_wgs84_box("ows", d.bbox, out);
        let _ = writeln!(
            out,
            "      <wcs:CoverageId>{}</wcs:CoverageId>\n      <wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype>\n    </wcs:CoverageSummary>",
            escape_xml_text(&d.name)
        );
    }
    out.push_str("  </wcs:Contents>\n</wcs:Capabilities>\n");
}
