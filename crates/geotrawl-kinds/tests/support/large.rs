//! Large capabilities documents.

use super::generated::GeneratedDocument;
use std::io::Read;

/// Returns a WMS 1.3.0 with this many layers in folders of a hundred, about 1,100 bytes each.
pub fn large_wms(layers: u64) -> impl Read {
    GeneratedDocument::new(layers + 2, move |index, out| {
        use std::fmt::Write as _;
        if index == 0 {
            out.push_str(concat!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<WMS_Capabilities version=\"1.3.0\" ",
                "xmlns=\"http://www.opengis.net/wms\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n",
                "<Service><Name>WMS</Name><Title>A very large service</Title><Abstract>Words &amp; words</Abstract>",
                "<KeywordList><Keyword>one</Keyword></KeywordList>",
                "<OnlineResource xlink:href=\"http://example.org/wms\"/></Service>\n<Capability><Request><GetMap>",
                "<Format>image/png</Format></GetMap></Request>\n<Layer><Title>Root</Title><CRS>EPSG:4326</CRS>",
                "<EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude>",
                "<eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-90</southBoundLatitude>",
                "<northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>\n",
            ));
        } else if index == layers + 1 {
            out.push_str("</Layer></Capability></WMS_Capabilities>\n");
        } else {
            let (x, y) = (index % 170, index % 80);
            let _ = write!(
                out,
                "    <Layer queryable=\"1\" opaque=\"0\" cascaded=\"0\">\n      <Name>theme:layer_{index}</Name>\n      \
                 <Title>Layer number {index}: land cover and water bodies</Title>\n      \
                 <Abstract>Survey of region {index}, updated every year. Contact the agency for &quot;raw&quot; data &amp; terms.</Abstract>\n      \
                 <KeywordList>\n        <Keyword>land cover</Keyword>\n        <Keyword>region {}</Keyword>\n      </KeywordList>\n      \
                 <CRS>EPSG:4326</CRS>\n      <CRS>EPSG:3857</CRS>\n      <CRS>EPSG:25832</CRS>\n      \
                 <EX_GeographicBoundingBox>\n        <westBoundLongitude>{x}.25</westBoundLongitude>\n        \
                 <eastBoundLongitude>{}.5</eastBoundLongitude>\n        <southBoundLatitude>{y}.125</southBoundLatitude>\n        \
                 <northBoundLatitude>{}.75</northBoundLatitude>\n      </EX_GeographicBoundingBox>\n      \
                 <BoundingBox CRS=\"EPSG:4326\" minx=\"{y}.125\" miny=\"{x}.25\" maxx=\"{}.75\" maxy=\"{}.5\"/>\n      \
                 <Style>\n        <Name>default</Name>\n        <Title>Default style</Title>\n        <LegendURL width=\"20\" height=\"20\">\n          \
                 <Format>image/png</Format>\n          <OnlineResource xlink:type=\"simple\" xlink:href=\"http://example.org/wms?request=GetLegendGraphic&amp;format=image%2Fpng&amp;layer=layer_{index}\"/>\n        \
                 </LegendURL>\n      </Style>\n      <MinScaleDenominator>1000</MinScaleDenominator>\n    </Layer>\n",
                index % 500,
                x + 9,
                y + 9,
                y + 9,
                x + 9,
            );
        }
    })
}

/// Returns a WMTS with this many layers, each in many tile matrix sets with limits, as GeoWebCache
/// writes it.
pub fn large_wmts(layers: u64, sets: u64) -> impl Read {
    GeneratedDocument::new(layers + sets + 2, move |index, out| {
        use std::fmt::Write as _;
        if index == 0 {
            out.push_str(concat!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Capabilities xmlns=\"http://www.opengis.net/wmts/1.0\" ",
                "xmlns:ows=\"http://www.opengis.net/ows/1.1\" version=\"1.0.0\"><ows:ServiceIdentification>",
                "<ows:Title>Tiles</ows:Title></ows:ServiceIdentification><Contents>",
            ));
        } else if index <= layers {
            let _ = writeln!(
                out,
                "<Layer><ows:Title>Layer {index}</ows:Title><ows:WGS84BoundingBox><ows:LowerCorner>5.5 45.5</ows:LowerCorner>\
                 <ows:UpperCorner>15.5 55.5</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>layer_{index}</ows:Identifier>\
                 <Style isDefault=\"true\"><ows:Identifier/></Style><Format>image/png</Format><Format>image/jpeg</Format>"
            );
            for set in 0..sets {
                let _ = writeln!(
                    out,
                    "<TileMatrixSetLink><TileMatrixSet>EPSG:{}</TileMatrixSet><TileMatrixSetLimits>",
                    3000 + set
                );
                for level in 0..22 {
                    let _ = writeln!(
                        out,
                        "<TileMatrixLimits><TileMatrix>EPSG:{}:{level}</TileMatrix><MinTileRow>{}</MinTileRow><MaxTileRow>{}</MaxTileRow>\
                         <MinTileCol>{}</MinTileCol><MaxTileCol>{}</MaxTileCol></TileMatrixLimits>",
                        3000 + set,
                        level * 3,
                        level * 5,
                        level * 7,
                        level * 9
                    );
                }
                out.push_str("</TileMatrixSetLimits></TileMatrixSetLink>\n");
            }
            out.push_str("</Layer>");
        } else if index <= layers + sets {
            let set = 3000 + index - layers - 1;
            let _ = writeln!(
                out,
                "<TileMatrixSet><ows:Identifier>EPSG:{set}</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::{set}\
                 </ows:SupportedCRS></TileMatrixSet>"
            );
        } else {
            out.push_str("</Contents></Capabilities>");
        }
    })
}
