//! WMTS 1.0.0 capabilities.

use super::{CapabilitiesInput, escape_xml_text, ows};
use std::fmt::Write as _;

pub(super) fn write_capabilities(caps: &CapabilitiesInput<'_>, out: &mut String) {
    let s = caps.service;
    out.push_str("<Capabilities version=\"1.0.0\" xmlns=\"http://www.opengis.net/wmts/1.0\" xmlns:ows=\"http://www.opengis.net/ows/1.1\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:gml=\"http://www.opengis.net/gml\">\n");
    ows::write_identification(caps, "ows", "OGC WMTS", &[], out);
    ows::write_provider(caps, "ows", out);
    ows::write_operations(caps, "ows", &["GetCapabilities", "GetTile"], out);
    out.push_str("  <Contents>\n");
    for d in &s.datasets {
        let _ = writeln!(
            out,
            "    <Layer>\n      <ows:Title>{}</ows:Title>\n      <ows:Abstract>{}</ows:Abstract>",
            escape_xml_text(&d.title),
            escape_xml_text(&d.abstract_)
        );
        ows::write_wgs84_box("ows", d.bbox, out);
        let _ = writeln!(
            out,
            "      <ows:Identifier>{0}</ows:Identifier>\n      <Style isDefault=\"true\"><ows:Identifier>default</ows:Identifier></Style>\n      <Format>image/png</Format>\n      <TileMatrixSetLink><TileMatrixSet>WebMercatorQuad</TileMatrixSet></TileMatrixSetLink>\n      <ResourceURL format=\"image/png\" resourceType=\"tile\" template=\"{1}/{0}/default/{{TileMatrixSet}}/{{TileMatrix}}/{{TileRow}}/{{TileCol}}.png\"/>\n    </Layer>",
            escape_xml_text(&d.name),
            escape_xml_text(caps.url.trim_end_matches("/1.0.0/WMTSCapabilities.xml"))
        );
    }
    out.push_str("    <TileMatrixSet>\n      <ows:Identifier>WebMercatorQuad</ows:Identifier>\n      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>\n");
    let mut denominator = 559_082_264.028_717_8_f64;
    for level in 0..12_u32 {
        let width = 1_u64 << level;
        let _ = writeln!(
            out,
            "      <TileMatrix><ows:Identifier>{level}</ows:Identifier><ScaleDenominator>{denominator}</ScaleDenominator><TopLeftCorner>-20037508.34 20037508.34</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>{width}</MatrixWidth><MatrixHeight>{width}</MatrixHeight></TileMatrix>"
        );
        denominator /= 2.0;
    }
    let _ = writeln!(
        out,
        "    </TileMatrixSet>\n  </Contents>\n  <ServiceMetadataURL xlink:href=\"{}\"/>\n</Capabilities>",
        caps.online_resource()
    );
}
