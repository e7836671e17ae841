//! Generates capabilities documents of any size.

use std::fmt::Write as _;

/// Returns a WMS 1.3.0 document of about `size` bytes whose layers
/// have all optional parts. Deterministic.
pub fn wms_capabilities(size: usize) -> String {
    let mut out = String::with_capacity(size + 4_096);
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<WMS_Capabilities version=\"1.3.0\" xmlns=\"http://www.opengis.net/wms\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<Service><Name>WMS</Name><Title>Bench</Title><OnlineResource xlink:href=\"http://example.org/wms\"/></Service>\n<Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get><OnlineResource xlink:href=\"http://example.org/wms?\"/></Get></HTTP></DCPType></GetCapabilities><GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href=\"http://example.org/wms?\"/></Get></HTTP></DCPType></GetMap></Request><Exception><Format>XML</Format></Exception>\n<Layer><Title>Root</Title><CRS>EPSG:4326</CRS><CRS>EPSG:3857</CRS><CRS>CRS:84</CRS><EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>\n");
    for number in 0.. {
        if out.len() >= size {
            break;
        }
        let west = number % 170;
        let _ = writeln!(
            out,
            "<Layer queryable=\"1\"><Name>layer_{number}</Name><Title>Layer number {number}</Title><Abstract>What layer {number} shows, in the words of those who made it, with enough of them to be read.</Abstract><KeywordList><Keyword>theme {}</Keyword><Keyword>region {}</Keyword></KeywordList><CRS>EPSG:4326</CRS><CRS>EPSG:25832</CRS><EX_GeographicBoundingBox><westBoundLongitude>{west}.25</westBoundLongitude><eastBoundLongitude>{}.75</eastBoundLongitude><southBoundLatitude>-12.5</southBoundLatitude><northBoundLatitude>44.125</northBoundLatitude></EX_GeographicBoundingBox><BoundingBox CRS=\"EPSG:4326\" minx=\"-12.5\" miny=\"{west}.25\" maxx=\"44.125\" maxy=\"{}.75\"/><Dimension name=\"time\" units=\"ISO8601\" default=\"2026-01-01\">2020-01-01/2026-01-01/P1D</Dimension><MetadataURL type=\"ISO19115:2003\"><Format>text/xml</Format><OnlineResource xlink:href=\"http://example.org/md/{number}\"/></MetadataURL><Style><Name>default</Name><Title>Default</Title><LegendURL width=\"20\" height=\"20\"><Format>image/png</Format><OnlineResource xlink:href=\"http://example.org/legend/{number}\"/></LegendURL></Style></Layer>",
            number % 34,
            number % 97,
            west + 5,
            west + 5,
        );
    }
    out.push_str("</Layer></Capability></WMS_Capabilities>\n");
    out
}
