//! WFS capabilities 1.0.0, 1.1.0 and 2.0.0.

use super::{CapabilitiesInput, escape_xml_text, ows};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    match caps.version {
        "1.0.0" => v100(caps, out),
        "1.1.0" => modern(caps, "http://www.opengis.net/wfs", "http://www.opengis.net/ows", "SRS", out),
        _ => modern(caps, "http://www.opengis.net/wfs/2.0", "http://www.opengis.net/ows/1.1", "CRS", out),
    }
}

fn v100(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    let online = caps.online_resource();
    let _ = writeln!(
        out,
        "<WFS_Capabilities version=\"1.0.0\" xmlns=\"http://www.opengis.net/wfs\" xmlns:ogc=\"http://www.opengis.net/ogc\">\n<Service>\n  <Name>WFS</Name>\n  <Title>{}</Title>\n  <Abstract>{}</Abstract>\n  <Keywords>{}</Keywords>\n  <OnlineResource>{online}</OnlineResource>\n  <Fees>NONE</Fees>\n  <AccessConstraints>NONE</AccessConstraints>\n</Service>\n<Capability>\n  <Request>\n    <GetCapabilities><DCPType><HTTP><Get onlineResource=\"{online}\"/></HTTP></DCPType></GetCapabilities>\n    <DescribeFeatureType><SchemaDescriptionLanguage><XMLSCHEMA/></SchemaDescriptionLanguage><DCPType><HTTP><Get onlineResource=\"{online}\"/></HTTP></DCPType></DescribeFeatureType>\n    <GetFeature><ResultFormat><GML2/></ResultFormat><DCPType><HTTP><Get onlineResource=\"{online}\"/></HTTP></DCPType></GetFeature>\n  </Request>\n</Capability>\n<FeatureTypeList>\n  <Operations><Query/></Operations>",
        escape_xml_text(&s.title),
        escape_xml_text(&s.abstract_),
        escape_xml_text(&s.keywords.join(", "))
    );
    for d in &s.datasets {
        let [w, south, e, n] = d.bbox;
        let _ = writeln!(
            out,
            "  <FeatureType>\n    <Name>{}</Name>\n    <Title>{}</Title>\n    <Abstract>{}</Abstract>\n    <Keywords>{}</Keywords>\n    <SRS>EPSG:{}</SRS>\n    <LatLongBoundingBox minx=\"{w}\" miny=\"{south}\" maxx=\"{e}\" maxy=\"{n}\"/>\n  </FeatureType>",
            escape_xml_text(&d.name),
            escape_xml_text(&d.title),
            escape_xml_text(&d.abstract_),
            escape_xml_text(&d.keywords.join(", ")),
            s.epsg
        );
    }
    out.push_str("</FeatureTypeList>\n</WFS_Capabilities>\n");
}

fn modern(caps: &CapabilitiesInput<'_>, wfs: &str, ows_ns: &str, srs: &str, out: &mut String) {
    let s = caps.service;
    let v = caps.version;
    let _ = writeln!(
        out,
        "<wfs:WFS_Capabilities version=\"{v}\" xmlns:wfs=\"{wfs}\" xmlns=\"{wfs}\" xmlns:ows=\"{ows_ns}\" xmlns:gml=\"http://www.opengis.net/gml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:app=\"http://www.deegree.org/app\">"
    );
    ows::write_identification(caps, "ows", "WFS", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &["GetCapabilities", "DescribeFeatureType", "GetFeature"], out);
    out.push_str("  <FeatureTypeList>\n");
    for d in &s.datasets {
        let _ = writeln!(
            out,
            "    <FeatureType>\n      <Name>{}</Name>\n      <Title>{}</Title>\n      <Abstract>{}</Abstract>\n      <ows:Keywords>{}</ows:Keywords>\n      <Default{srs}>urn:ogc:def:crs:EPSG::{}</Default{srs}>\n      <Other{srs}>urn:ogc:def:crs:EPSG::4326</Other{srs}>",
            escape_xml_text(&d.name),
            escape_xml_text(&d.title),
            escape_xml_text(&d.abstract_),
            d.keywords.iter().fold(String::new(), |mut all, k| {
                let _ = write!(all, "<ows:Keyword>{}</ows:Keyword>", escape_xml_text(k));
                all
            }),
            s.epsg
        );
        ows::write_wgs84_box("ows", d.bbox, out);
        out.push_str("    </FeatureType>\n");
    }
    out.push_str("  </FeatureTypeList>\n</wfs:WFS_Capabilities>\n");
}
