//! WMS capabilities, versions 1.0.0 to 1.3.0.

use super::{CapabilitiesInput, DocumentQuirk, PlannedDataset, escape_xml_text};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    match caps.version {
        "1.3.0" => v130(caps, out),
        "1.0.0" => v100(caps, out),
        _ => v11(caps, out),
    }
}

fn v130(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    let ns = if s.quirk == DocumentQuirk::NoNamespace { "" } else { "xmlns=\"http://www.opengis.net/wms\" " };
    let _ = writeln!(
        out,
        "<WMS_Capabilities version=\"1.3.0\" updateSequence=\"{}\" {ns}xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd\">",
        s.datasets.len() * 7
    );
    service(caps, "WMS", out);
    let online = caps.online_resource();
    let dcp = format!(
        "<DCPType><HTTP><Get><OnlineResource xlink:type=\"simple\" xlink:href=\"{online}\"/></Get></HTTP></DCPType>"
    );
    let _ = writeln!(
        out,
        "<Capability>\n  <Request>\n    <GetCapabilities><Format>text/xml</Format>{dcp}</GetCapabilities>\n    <GetMap><Format>image/png</Format><Format>image/jpeg</Format>{dcp}</GetMap>\n    <GetFeatureInfo><Format>text/html</Format><Format>text/plain</Format>{dcp}</GetFeatureInfo>\n  </Request>\n  <Exception><Format>XML</Format><Format>INIMAGE</Format></Exception>"
    );
    layers(caps, out);
    out.push_str("</Capability>\n</WMS_Capabilities>\n");
}

fn v11(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let v = caps.version;
    let dtd = if v == "1.1.0" { "capabilities_1_1_0.dtd" } else { "WMS_MS_Capabilities.dtd" };
    let _ = writeln!(
        out,
        "<!DOCTYPE WMT_MS_Capabilities SYSTEM \"http://schemas.opengis.net/wms/{v}/{dtd}\"\n [\n <!ELEMENT VendorSpecificCapabilities EMPTY>\n ]>\n<WMT_MS_Capabilities version=\"{v}\" updateSequence=\"{}\">",
        caps.service.datasets.len() * 3
    );
    service(caps, "OGC:WMS", out);
    let online = caps.online_resource();
    let dcp = format!(
        "<DCPType><HTTP><Get><OnlineResource xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"{online}\"/></Get></HTTP></DCPType>"
    );
    let _ = writeln!(
        out,
        "<Capability>\n  <Request>\n    <GetCapabilities><Format>application/vnd.ogc.wms_xml</Format>{dcp}</GetCapabilities>\n    <GetMap><Format>image/png</Format><Format>image/gif</Format>{dcp}</GetMap>\n  </Request>\n  <Exception><Format>application/vnd.ogc.se_xml</Format></Exception>\n  <VendorSpecificCapabilities />"
    );
    layers(caps, out);
    out.push_str("</Capability>\n</WMT_MS_Capabilities>\n");
}

fn v100(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    let online = caps.online_resource();
    let _ = writeln!(
        out,
        "<WMT_MS_Capabilities version=\"1.0.0\" updateSequence=\"0\">\n<Service>\n  <Name>GetMap</Name>\n  <Title>{}</Title>\n  <Abstract>{}</Abstract>\n  <Keywords>{}</Keywords>\n  <OnlineResource>{online}</OnlineResource>\n  <Fees>none</Fees>\n  <AccessConstraints>none</AccessConstraints>\n</Service>\n<Capability>\n  <Request>\n    <Map><Format><GIF /><PNG /><JPEG /></Format><DCPType><HTTP><Get onlineResource=\"{online}\" /></HTTP></DCPType></Map>\n    <Capabilities><Format><WMS_XML /></Format><DCPType><HTTP><Get onlineResource=\"{online}\" /></HTTP></DCPType></Capabilities>\n  </Request>\n  <Exception><Format><WMS_XML /><INIMAGE /></Format></Exception>",
        escape_xml_text(&s.title),
        escape_xml_text(&s.abstract_),
        escape_xml_text(&s.keywords.join(" "))
    );
    layers(caps, out);
    out.push_str("</Capability>\n</WMT_MS_Capabilities>\n");
}

fn service(caps: &CapabilitiesInput<'_>, name: &str, out: &mut String) {
    let s = caps.service;
    let _ = write!(
        out,
        "<Service>\n  <Name>{name}</Name>\n  <Title>{}</Title>\n  <Abstract>{}</Abstract>\n  <KeywordList>",
        escape_xml_text(&s.title),
        escape_xml_text(&s.abstract_)
    );
    for keyword in &s.keywords {
        let _ = write!(out, "<Keyword>{}</Keyword>", escape_xml_text(keyword));
    }
    let _ = writeln!(
        out,
        "</KeywordList>\n  <OnlineResource xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:type=\"simple\" xlink:href=\"{}\"/>\n  <ContactInformation>\n    <ContactPersonPrimary><ContactPerson></ContactPerson><ContactOrganization>{}</ContactOrganization></ContactPersonPrimary>\n    <ContactElectronicMailAddress>{}</ContactElectronicMailAddress>\n  </ContactInformation>\n  <Fees>none</Fees>\n  <AccessConstraints>CC BY 4.0</AccessConstraints>\n</Service>",
        caps.online_resource(),
        escape_xml_text(&s.provider),
        escape_xml_text(&s.email)
    );
}

fn layers(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    out.push_str("  <Layer>\n");
    if let Some(name) = &s.root_name {
        let _ = writeln!(out, "    <Name>{}</Name>", escape_xml_text(name));
    }
    let _ = writeln!(out, "    <Title>{}</Title>", escape_xml_text(&s.title));
    systems(caps, &[4326, s.epsg, 3857], out);
    bbox(caps, s.bbox, out);
    let grouped = s.groups.len() > 1;
    for (index, group) in s.groups.iter().enumerate() {
        if grouped {
            out.push_str("    <Layer>\n");
            if let Some(name) = &group.name {
                let _ = writeln!(out, "      <Name>{}</Name>", escape_xml_text(name));
            }
            let _ = writeln!(out, "      <Title>{}</Title>", escape_xml_text(&group.title));
        }
        for dataset in s.datasets.iter().filter(|d| d.group == index) {
            layer(caps, dataset, out);
        }
        if grouped {
            out.push_str("    </Layer>\n");
        }
    }
    out.push_str("  </Layer>\n");
}

fn layer(caps: &CapabilitiesInput<'_>, d: &PlannedDataset, out: &mut String) {
    let name = escape_xml_text(&d.name);
    let _ = writeln!(
        out,
        "    <Layer queryable=\"1\" opaque=\"0\">\n      <Name>{name}</Name>\n      <Title>{}</Title>\n      <Abstract>{}</Abstract>",
        escape_xml_text(&d.title),
        escape_xml_text(&d.abstract_)
    );
    if caps.version == "1.0.0" {
        let _ = writeln!(out, "      <Keywords>{}</Keywords>", escape_xml_text(&d.keywords.join(" ")));
    } else {
        out.push_str("      <KeywordList>");
        for keyword in &d.keywords {
            let _ = write!(out, "<Keyword>{}</Keyword>", escape_xml_text(keyword));
        }
        out.push_str("</KeywordList>\n");
    }
    systems(caps, &[caps.service.epsg], out);
    bbox(caps, d.bbox, out);
    if let Some(time) = &d.time {
        if caps.version == "1.3.0" {
            let _ = writeln!(
                out,
                "      <Dimension name=\"time\" units=\"ISO8601\" default=\"current\">{time}</Dimension>"
            );
        } else if caps.version != "1.0.0" {
            let _ = writeln!(
                out,
                "      <Dimension name=\"time\" units=\"ISO8601\"/>\n      <Extent name=\"time\" default=\"current\">{time}</Extent>"
            );
        }
    }
    if caps.version != "1.0.0" {
        let _ = writeln!(
            out,
            "      <Style><Name>default</Name><Title>default</Title><LegendURL width=\"20\" height=\"20\"><Format>image/png</Format><OnlineResource xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:type=\"simple\" xlink:href=\"{}REQUEST=GetLegendGraphic&amp;FORMAT=image/png&amp;LAYER={name}\"/></LegendURL></Style>",
            caps.online_resource()
        );
    }
    out.push_str("    </Layer>\n");
}

fn systems(caps: &CapabilitiesInput<'_>, codes: &[u32], out: &mut String) {
    match caps.version {
        "1.3.0" => {
            for code in codes {
                let _ = writeln!(out, "      <CRS>EPSG:{code}</CRS>");
            }
            out.push_str("      <CRS>CRS:84</CRS>\n");
        }
        "1.1.1" => {
            for code in codes {
                let _ = writeln!(out, "      <SRS>EPSG:{code}</SRS>");
            }
        }
        _ => {
            let list: Vec<String> = codes.iter().map(|code| format!("EPSG:{code}")).collect();
            let _ = writeln!(out, "      <SRS>{}</SRS>", list.join(" "));
        }
    }
}

fn bbox(caps: &CapabilitiesInput<'_>, [w, s, e, n]: [f64; 4], out: &mut String) {
    if caps.version == "1.3.0" {
        let _ = writeln!(
            out,
            "      <EX_GeographicBoundingBox><westBoundLongitude>{w}</westBoundLongitude><eastBoundLongitude>{e}</eastBoundLongitude><southBoundLatitude>{s}</southBoundLatitude><northBoundLatitude>{n}</northBoundLatitude></EX_GeographicBoundingBox>\n      <BoundingBox CRS=\"EPSG:4326\" minx=\"{s}\" miny=\"{w}\" maxx=\"{n}\" maxy=\"{e}\"/>"
        );
    } else {
        let _ =
            writeln!(out, "      <LatLonBoundingBox minx=\"{w}\" miny=\"{s}\" maxx=\"{e}\" maxy=\"{n}\"/>");
    }
}
