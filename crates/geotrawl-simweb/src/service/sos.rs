//! SOS capabilities 1.0.0 and 2.0.0.

use super::{CapabilitiesInput, escape_xml_text, ows};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    if caps.version == "2.0.0" { v20(caps, out) } else { v10(caps, out) }
}

fn v10(caps: &CapabilitiesInput<'_>, out: &mut String) {
    out.push_str("<sos:Capabilities version=\"1.0.0\" xmlns:sos=\"http://www.opengis.net/sos/1.0\" xmlns:ows=\"http://www.opengis.net/ows/1.1\" xmlns:gml=\"http://www.opengis.net/gml\" xmlns:om=\"http://www.opengis.net/om/1.0\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n");
    ows::write_identification(caps, "ows", "OGC:SOS", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &["GetCapabilities", "GetObservation", "DescribeSensor"], out);
    out.push_str("  <sos:Contents>\n    <sos:ObservationOfferingList>\n");
    for (index, d) in caps.service.datasets.iter().enumerate() {
        let [w, s, e, n] = d.bbox;
        let _ = writeln!(
            out,
            "      <sos:ObservationOffering gml:id=\"{}\">\n        <gml:description>{}</gml:description>\n        <gml:name>{}</gml:name>\n        <gml:boundedBy><gml:Envelope srsName=\"urn:ogc:def:crs:EPSG::4326\"><gml:lowerCorner>{s} {w}</gml:lowerCorner><gml:upperCorner>{n} {e}</gml:upperCorner></gml:Envelope></gml:boundedBy>\n        <sos:time><gml:TimePeriod><gml:beginPosition>2010-01-01T00:00:00Z</gml:beginPosition><gml:endPosition indeterminatePosition=\"now\"/></gml:TimePeriod></sos:time>\n        <sos:procedure xlink:href=\"urn:sensor:{index}\"/>\n        <sos:observedProperty xlink:href=\"urn:property:{index}\"/>\n        <sos:responseFormat>text/xml;subtype=\"om/1.0.0\"</sos:responseFormat>\n      </sos:ObservationOffering>",
            escape_xml_text(&d.name),
            escape_xml_text(&d.title),
            escape_xml_text(&d.name)
        );
    }
    out.push_str("    </sos:ObservationOfferingList>\n  </sos:Contents>\n</sos:Capabilities>\n");
}

fn v20(caps: &CapabilitiesInput<'_>, out: &mut String) {
    out.push_str("<sos:Capabilities version=\"2.0.0\" xmlns:sos=\"http://www.opengis.net/sos/2.0\" xmlns:ows=\"http://www.opengis.net/ows/1.1\" xmlns:swes=\"http://www.opengis.net/swes/2.0\" xmlns:gml=\"http://www.opengis.net/gml/3.2\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n");
    ows::write_identification(caps, "ows", "OGC:SOS", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &["GetCapabilities", "GetObservation", "DescribeSensor"], out);
    out.push_str("  <sos:contents>\n    <sos:Contents>\n");
    for (index, d) in caps.service.datasets.iter().enumerate() {
        let [w, s, e, n] = d.bbox;
        let _ = writeln!(
            out,
            "      <swes:offering><sos:ObservationOffering>\n        <swes:description>{}</swes:description>\n        <swes:identifier>{}</swes:identifier>\n        <swes:name>{}</swes:name>\n        <swes:procedure>urn:sensor:{index}</swes:procedure>\n        <swes:observableProperty>urn:property:{index}</swes:observableProperty>\n        <sos:observedArea><gml:Envelope srsName=\"http://www.opengis.net/def/crs/EPSG/0/4326\"><gml:lowerCorner>{s} {w}</gml:lowerCorner><gml:upperCorner>{n} {e}</gml:upperCorner></gml:Envelope></sos:observedArea>\n      </sos:ObservationOffering></swes:offering>",
            escape_xml_text(&d.abstract_),
            escape_xml_text(&d.name),
            escape_xml_text(&d.title)
        );
    }
    out.push_str("    </sos:Contents>\n  </sos:contents>\n</sos:Capabilities>\n");
}
