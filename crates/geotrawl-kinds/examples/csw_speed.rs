//! How many records of a CSW page are read in a second: `cargo run --release --example csw_speed`.
//!
//! A page of 10,000 records in Dublin Core, as full as those of real catalogues, and one of 1,000 in ISO
//! 19139, go through the connector as an answer from the web does.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "an example that measures and tells")]

use geotrawl_kinds::connectors::by_id;
use geotrawl_kinds::probe::{ProbeResponse, ResponseBody, ResponseHead};
use std::fmt::Write as _;
use std::time::Instant;
use url::Url;

const ENVELOPE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><csw:GetRecordsResponse \
    xmlns:csw=\"http://www.opengis.net/cat/csw/2.0.2\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
    xmlns:dct=\"http://purl.org/dc/terms/\" xmlns:ows=\"http://www.opengis.net/ows\" \
    xmlns:gmd=\"http://www.isotc211.org/2005/gmd\" xmlns:gco=\"http://www.isotc211.org/2005/gco\"><csw:SearchResults ";

fn dublin_core(count: u32) -> String {
    let mut page = format!(
        "{ENVELOPE}numberOfRecordsMatched=\"1000000\" numberOfRecordsReturned=\"{count}\" nextRecord=\"{}\">",
        count + 1
    );
    for i in 0..count {
        let lon = f64::from(i % 340) - 170.0;
        let _ = write!(
            page,
            "<csw:Record>\n<dc:identifier>urn:uuid:{i:08x}-21c9-11ec-bf18-0050568ebac4</dc:identifier>\n\
             <dc:title>Land cover of sheet {i}, second edition</dc:title>\n<dc:type>dataset</dc:type>\n\
             <dc:subject>land cover</dc:subject>\n<dc:subject>sheet {i}</dc:subject>\n<dc:subject>imageryBaseMapsEarthCover</dc:subject>\n\
             <dct:abstract>Classes of land cover &amp; land use, mapped from aerial photographs of the years before \
             and checked in the field; sheet {i} of the series.</dct:abstract>\n<dct:modified>2024-{:02}-{:02}</dct:modified>\n\
             <dc:language>eng</dc:language><dc:creator>Survey office</dc:creator><dc:rights>CC BY 4.0</dc:rights>\n\
             <dct:references scheme=\"OGC:WMS\">https://maps.example.org/wms?map={i}&amp;service=WMS</dct:references>\n\
             <dc:URI protocol=\"WWW:DOWNLOAD-1.0-http--download\" name=\"sheet-{i}.zip\">https://data.example.org/sheet-{i}.zip</dc:URI>\n\
             <ows:BoundingBox crs=\"urn:ogc:def:crs:EPSG::4326\"><ows:LowerCorner>45.25 {lon}</ows:LowerCorner>\
             <ows:UpperCorner>46.5 {}</ows:UpperCorner></ows:BoundingBox>\n</csw:Record>\n",
            i % 12 + 1,
            i % 28 + 1,
            lon + 1.5,
        );
    }
    page.push_str("</csw:SearchResults></csw:GetRecordsResponse>");
    page
}

fn iso(count: u32) -> String {
    let text = |name: &str, value: &str| {
        format!("<gmd:{name}><gco:CharacterString>{value}</gco:CharacterString></gmd:{name}>")
    };
    let filler = "<gmd:dataQualityInfo><gmd:DQ_DataQuality><gmd:lineage><gmd:LI_Lineage><gmd:statement>\
                  <gco:CharacterString>Made of something else, long ago.</gco:CharacterString></gmd:statement>\
                  </gmd:LI_Lineage></gmd:lineage></gmd:DQ_DataQuality></gmd:dataQualityInfo>"
        .repeat(20);
    let mut page = format!("{ENVELOPE}numberOfRecordsMatched=\"{count}\">");
    for i in 0..count {
        let _ = write!(
            page,
            "<gmd:MD_Metadata>{}{filler}<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation>{}</gmd:CI_Citation></gmd:citation>{}\
             <gmd:descriptiveKeywords><gmd:MD_Keywords>{}</gmd:MD_Keywords></gmd:descriptiveKeywords></gmd:MD_DataIdentification></gmd:identificationInfo>\
             <gmd:distributionInfo><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://x.example.org/{i}</gmd:URL></gmd:linkage>{}</gmd:CI_OnlineResource></gmd:distributionInfo></gmd:MD_Metadata>",
            text("fileIdentifier", &format!("id-{i}")),
            text("title", &format!("Sheet {i}")),
            text("abstract", "What it is."),
            text("keyword", "sheet"),
            text("protocol", "OGC:WFS"),
        );
    }
    page.push_str("</csw:SearchResults></csw:GetRecordsResponse>");
    page
}

fn measure(what: &str, page: &str) {
    let connector = by_id("csw").expect("the connector");
    let at = Url::parse("https://catalogue.example.org/csw").expect("a URL");
    let head = ResponseHead {
        status: 200,
        content_type: Some("application/xml".to_owned()),
        ..ResponseHead::default()
    };
    let mut best = 0.0f64;
    let mut records = 0;
    for _ in 0..7 {
        let start = Instant::now();
        let mut stream = page.as_bytes();
        let answer = ProbeResponse { head: &head, body: ResponseBody::Stream(&mut stream), truncated: false };
        records = connector.parse_page(&at, "at=1 n=1000", answer).records.len();
        best = best.max(f64::from(u32::try_from(records).unwrap_or(0)) / start.elapsed().as_secs_f64());
    }
    let megabytes = page.len() as f64 / 1e6;
    println!("{what}: {records} records, {megabytes:.1} MB, best of 7: {best:.0} records a second");
}

fn main() {
    measure("Dublin Core", &dublin_core(10_000));
    measure("ISO 19139", &iso(1_000));
}
