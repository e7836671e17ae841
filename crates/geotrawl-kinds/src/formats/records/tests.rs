use super::*;
use crate::formats::xml::XmlEvent;
use geotrawl_model::{Bbox, RecordLink};
use proptest::prelude::*;

fn read(xml: &str) -> ParsedRecord {
    let mut input = xml.as_bytes();
    let mut reader = XmlReader::new(&mut input, None);
    while reader.next() != XmlEvent::Start {}
    let namespace = reader.namespace().map(str::to_owned);
    let format = RecordFormat::from_element(reader.local_name(), namespace.as_deref()).expect("a record");
    read_record(&mut reader, format)
}

fn link(url: &str, protocol: &str, name: &str) -> RecordLink {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    RecordLink { url: url.to_owned(), protocol: some(protocol), format: None, name: some(name) }
}

#[test]
fn dublin_core_is_read_with_its_links_and_its_box() {
    let ParsedRecord { record, issues, complete } = read(
        r#"<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:dc="d" xmlns:dct="t" xmlns:ows="o">
        <dc:identifier>river-7</dc:identifier><dc:identifier>https://x.org/river-7</dc:identifier>
        <dc:title> Rivers  &amp; lakes </dc:title><dc:type>dataset</dc:type><dc:subject>Water</dc:subject>
        <dc:subject>Water</dc:subject><dct:abstract>All <b>rivers</b>.</dct:abstract>
        <dct:modified>2024-05-06</dct:modified><dc:language>eng</dc:language><dc:publisher>Office</dc:publisher>
        <dc:creator>maps@x.org</dc:creator><dc:rights>otherRestrictions</dc:rights><dc:rights>CC BY 4.0</dc:rights>
        <dct:temporal>start=2001-01-01; end=2002-02-02; scheme=W3C-DTF;</dct:temporal>
        <dct:references scheme="OGC:WMS">https://x.org/wms?</dct:references>
        <dc:URI protocol="WWW:DOWNLOAD" name="rivers.zip">https://x.org/rivers.zip</dc:URI>
        <ows:BoundingBox crs="urn:ogc:def:crs:EPSG:6.6:4326"><ows:LowerCorner>45 5</ows:LowerCorner>
        <ows:UpperCorner>48 11</ows:UpperCorner></ows:BoundingBox></csw:Record>"#,
    );
    assert!(complete && issues.is_empty(), "{issues:?}");
    assert_eq!(record.id, "river-7");
    assert_eq!(record.title.as_deref(), Some("Rivers & lakes"));
    assert_eq!(record.abstract_.as_deref(), Some("All rivers ."));
    assert_eq!(record.keywords, ["Water"]);
    assert_eq!(record.bbox, Some(Bbox::from([5.0, 45.0, 11.0, 48.0])));
    assert_eq!(record.time, ["2001-01-01/2002-02-02"]);
    assert_eq!(record.licence.as_deref(), Some("CC BY 4.0"));
    assert_eq!(record.contact.email.as_deref(), Some("maps@x.org"));
    assert_eq!(
        record.links,
        [
            link("https://x.org/river-7", "", ""),
            link("https://x.org/wms?", "OGC:WMS", ""),
            link("https://x.org/rivers.zip", "WWW:DOWNLOAD", "rivers.zip"),
        ]
    );
}

#[test]
fn boxes_are_repaired_with_care() {
    let boxed = |crs: &str, lower: &str, upper: &str| {
        let crs = if crs.is_empty() { String::new() } else { format!(" crs='{crs}'") };
        read(&format!(
            "<Record><BoundingBox{crs}><LowerCorner>{lower}</LowerCorner><UpperCorner>{upper}</UpperCorner>\
             </BoundingBox></Record>"
        ))
    };
    let alps = Some(Bbox::from([5.0, 45.0, 11.0, 48.0]));
    assert_eq!(boxed("", "5 45", "11 48").record.bbox, alps);
    assert_eq!(boxed("EPSG:4326", "5 45", "11 48").record.bbox, alps);
    assert_eq!(boxed("urn:ogc:def:crs:OGC:1.3:CRS84", "5 45", "11 48").record.bbox, alps);
    assert_eq!(boxed("urn:x-ogc:def:crs:EPSG:6.11:4326", "45 5", "48 11").record.bbox, alps);
    assert_eq!(boxed("http://www.opengis.net/def/crs/EPSG/0/4326", "45 5", "48 11").record.bbox, alps);
    assert_eq!(boxed("urn:ogc:def:crs:::WGS 1984", "11 45", "5 48").record.bbox, alps, "corners exchanged");
    assert_eq!(
        boxed("urn:ogc:def:crs:EPSG::4326", "-150 20", "-140 30").record.bbox,
        Some(Bbox::from([-150.0, 20.0, -140.0, 30.0])),
        "no latitude is -150"
    );
    assert_eq!(
        boxed("CRS84", "170 -50", "-170 -30").record.bbox,
        Some(Bbox::from([170.0, -50.0, -170.0, -30.0])),
        "across the antimeridian"
    );
    let lv95 = boxed("urn:ogc:def:crs:EPSG::2056", "2485000 1075000", "2834000 1296000").record.bbox;
    assert!(lv95.is_some_and(|b| (b.west - 5.9).abs() < 0.3 && (b.north - 47.8).abs() < 0.3), "{lv95:?}");
    for (lower, upper) in [("0 0", "0 0"), ("NaN 1", "2 3"), ("500000 1", "600000 2"), ("a b", "c"), ("", "")]
    {
        assert_eq!(boxed("", lower, upper).record.bbox, None, "{lower}");
    }
}

#[test]
fn coverage_in_words_is_a_box_or_a_period() {
    for words in [
        "North 48, South 45, East 11, West 5. (Alps)",
        "northlimit=48; southlimit=45; westlimit=5; eastlimit=11; units=signed decimal degrees",
    ] {
        let record = read(&format!("<dc><coverage>{words}</coverage><title>x</title></dc>")).record;
        assert_eq!(record.bbox, Some(Bbox::from([5.0, 45.0, 11.0, 48.0])), "{words}");
    }
    assert_eq!(read("<dc><coverage>start=1; end=2</coverage></dc>").record.time, ["1/2"]);
    assert_eq!(read("<dc><coverage>North America</coverage></dc>").record.bbox, None);
}

const GMD: &str = r#"<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="c" xmlns:gml="g" xmlns:srv="s">
 <gmd:fileIdentifier><gco:CharacterString>abc-1</gco:CharacterString></gmd:fileIdentifier>
 <gmd:language><gmd:LanguageCode codeListValue="ger"/></gmd:language>
 <gmd:hierarchyLevel><gmd:MD_ScopeCode codeListValue="service">Dienst</gmd:MD_ScopeCode></gmd:hierarchyLevel>
 <gmd:contact><gmd:CI_ResponsibleParty><gmd:organisationName><gco:CharacterString>Archive</gco:CharacterString></gmd:organisationName></gmd:CI_ResponsibleParty></gmd:contact>
 <gmd:dateStamp><gco:DateTime>2024-01-02T03:04:05</gco:DateTime></gmd:dateStamp>
 <gmd:referenceSystemInfo><gmd:MD_ReferenceSystem><gmd:referenceSystemIdentifier><gmd:RS_Identifier>
  <gmd:code><gco:CharacterString>25832</gco:CharacterString></gmd:code><gmd:codeSpace><gco:CharacterString>EPSG</gco:CharacterString></gmd:codeSpace>
 </gmd:RS_Identifier></gmd:referenceSystemIdentifier></gmd:MD_ReferenceSystem></gmd:referenceSystemInfo>
 <gmd:identificationInfo><srv:SV_ServiceIdentification>
  <gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>Flood maps</gco:CharacterString></gmd:title>
   <gmd:identifier><gmd:MD_Identifier><gmd:authority><gmd:CI_Citation><gmd:title><gco:CharacterString>Not this</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:authority>
   <gmd:code><gco:CharacterString>urn:x:1</gco:CharacterString></gmd:code></gmd:MD_Identifier></gmd:identifier></gmd:CI_Citation></gmd:citation>
  <gmd:abstract><gco:CharacterString>Floods.</gco:CharacterString></gmd:abstract>
  <gmd:pointOfContact><gmd:CI_ResponsibleParty><gmd:individualName><gco:CharacterString>Ada</gco:CharacterString></gmd:individualName>
   <gmd:organisationName><gco:CharacterString>Water office</gco:CharacterString></gmd:organisationName><gmd:contactInfo><gmd:CI_Contact><gmd:address><gmd:CI_Address>
   <gmd:electronicMailAddress><gco:CharacterString>ada@x.org</gco:CharacterString></gmd:electronicMailAddress></gmd:CI_Address></gmd:address>
   <gmd:onlineResource><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://x.org/</gmd:URL></gmd:linkage></gmd:CI_OnlineResource></gmd:onlineResource></gmd:CI_Contact></gmd:contactInfo></gmd:CI_ResponsibleParty></gmd:pointOfContact>
  <gmd:descriptiveKeywords><gmd:MD_Keywords><gmd:keyword><gco:CharacterString>flood</gco:CharacterString></gmd:keyword>
   <gmd:thesaurusName><gmd:CI_Citation><gmd:title><gco:CharacterString>GEMET</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:thesaurusName></gmd:MD_Keywords></gmd:descriptiveKeywords>
  <gmd:resourceConstraints><gmd:MD_LegalConstraints><gmd:useConstraints><gmd:MD_RestrictionCode codeListValue="otherRestrictions"/></gmd:useConstraints>
   <gmd:otherConstraints><gmd:Anchor>dl-de/by-2-0</gmd:Anchor></gmd:otherConstraints></gmd:MD_LegalConstraints></gmd:resourceConstraints>
  <srv:serviceType><gco:LocalName>OGC:WMS</gco:LocalName></srv:serviceType>
  <srv:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox>
   <gmd:westBoundLongitude><gco:Decimal>5</gco:Decimal></gmd:westBoundLongitude><gmd:eastBoundLongitude><gco:Decimal>11</gco:Decimal></gmd:eastBoundLongitude>
   <gmd:southBoundLatitude><gco:Decimal>45</gco:Decimal></gmd:southBoundLatitude><gmd:northBoundLatitude><gco:Decimal>48</gco:Decimal></gmd:northBoundLatitude>
  </gmd:EX_GeographicBoundingBox></gmd:geographicElement><gmd:temporalElement><gmd:EX_TemporalExtent><gmd:extent><gml:TimePeriod>
   <gml:beginPosition>2000</gml:beginPosition><gml:endPosition indeterminatePosition="now"/></gml:TimePeriod></gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement></gmd:EX_Extent></srv:extent>
  <srv:containsOperations><srv:SV_OperationMetadata><srv:connectPoint><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://x.org/ows?</gmd:URL></gmd:linkage></gmd:CI_OnlineResource></srv:connectPoint></srv:SV_OperationMetadata></srv:containsOperations>
 </srv:SV_ServiceIdentification></gmd:identificationInfo>
 <gmd:distributionInfo><gmd:MD_Distribution><gmd:transferOptions><gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource>
  <gmd:linkage><gmd:URL>https://x.org/wfs</gmd:URL></gmd:linkage><gmd:protocol><gco:CharacterString>OGC:WFS</gco:CharacterString></gmd:protocol><gmd:name><gco:CharacterString>floods</gco:CharacterString></gmd:name>
 </gmd:CI_OnlineResource></gmd:onLine></gmd:MD_DigitalTransferOptions></gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo>
</gmd:MD_Metadata>"#;

#[test]
fn iso_19139_is_read_whole() {
    let ParsedRecord { record, issues, complete } = read(GMD);
    assert!(complete && issues.is_empty(), "{issues:?}");
    assert_eq!((record.id.as_str(), record.title.as_deref()), ("abc-1", Some("Flood maps")));
    assert_eq!((record.type_.as_deref(), record.language.as_deref()), (Some("service"), Some("ger")));
    assert_eq!(record.modified.as_deref(), Some("2024-01-02T03:04:05"));
    assert_eq!(record.crs, ["EPSG:25832"]);
    assert_eq!(record.keywords, ["flood"]);
    assert_eq!(record.licence.as_deref(), Some("dl-de/by-2-0"));
    assert_eq!(record.bbox, Some(Bbox::from([5.0, 45.0, 11.0, 48.0])));
    assert_eq!(record.time, ["2000/now"]);
    assert_eq!(record.provider.as_deref(), Some("Water office"));
    assert_eq!(record.contact.email.as_deref(), Some("ada@x.org"));
    assert_eq!(record.contact.url.as_deref(), Some("https://x.org/"));
    assert_eq!(
        record.links,
        [link("https://x.org/ows?", "OGC:WMS", ""), link("https://x.org/wfs", "OGC:WFS", "floods")]
    );
}

#[test]
fn iso_19115_3_is_read_by_the_same_names() {
    let record = read(
        r#"<mdb:MD_Metadata xmlns:mdb="http://standards.iso.org/iso/19115/-3/mdb/2.0" xmlns:cit="i" xmlns:gco="c" xmlns:mcc="m">
        <mdb:metadataIdentifier><mcc:MD_Identifier><mcc:code><gco:CharacterString>id-3</gco:CharacterString></mcc:code></mcc:MD_Identifier></mdb:metadataIdentifier>
        <mdb:defaultLocale><PT_Locale><language><LanguageCode codeListValue="fre"/></language></PT_Locale></mdb:defaultLocale>
        <mdb:metadataScope><mdb:MD_MetadataScope><mdb:resourceScope><mcc:MD_ScopeCode codeListValue="dataset"/></mdb:resourceScope></mdb:MD_MetadataScope></mdb:metadataScope>
        <mdb:dateInfo><cit:CI_Date><cit:date><gco:DateTime>2020-01-01</gco:DateTime></cit:date><cit:dateType><cit:CI_DateTypeCode codeListValue="creation"/></cit:dateType></cit:CI_Date></mdb:dateInfo>
        <mdb:dateInfo><cit:CI_Date><cit:date><gco:DateTime>2023-03-03</gco:DateTime></cit:date><cit:dateType><cit:CI_DateTypeCode codeListValue="revision"/></cit:dateType></cit:CI_Date></mdb:dateInfo>
        <mdb:metadataStandard><cit:CI_Citation><cit:title><gco:CharacterString>ISO 19115-3</gco:CharacterString></cit:title></cit:CI_Citation></mdb:metadataStandard>
        <mdb:identificationInfo><mri:MD_DataIdentification xmlns:mri="r"><mri:citation><cit:CI_Citation><cit:title><gco:CharacterString>Bassins</gco:CharacterString></cit:title></cit:CI_Citation></mri:citation>
        <mri:pointOfContact><cit:CI_Responsibility><cit:party><cit:CI_Organisation><cit:name><gco:CharacterString>Région</gco:CharacterString></cit:name>
        <cit:contactInfo><cit:CI_Contact><cit:address><cit:CI_Address><cit:electronicMailAddress><gco:CharacterString>a@b.be</gco:CharacterString></cit:electronicMailAddress></cit:CI_Address></cit:address></cit:CI_Contact></cit:contactInfo></cit:CI_Organisation></cit:party></cit:CI_Responsibility></mri:pointOfContact>
        </mri:MD_DataIdentification></mdb:identificationInfo></mdb:MD_Metadata>"#,
    )
    .record;
    assert_eq!((record.id.as_str(), record.title.as_deref()), ("id-3", Some("Bassins")));
    assert_eq!((record.type_.as_deref(), record.language.as_deref()), (Some("dataset"), Some("fre")));
    assert_eq!(record.modified.as_deref(), Some("2023-03-03"));
    assert_eq!(
        (record.provider.as_deref(), record.contact.email.as_deref()),
        (Some("Région"), Some("a@b.be"))
    );
}

#[test]
fn dif_and_fgdc_are_read() {
    let dif = read(
        "<DIF><Entry_ID><Short_Name>SEAICE</Short_Name><Version>2</Version></Entry_ID><Entry_Title>Sea ice</Entry_Title>\
         <Science_Keywords><Category>EARTH SCIENCE</Category><Topic>CRYOSPHERE</Topic></Science_Keywords>\
         <Temporal_Coverage><Range_DateTime><Beginning_Date_Time>1999</Beginning_Date_Time></Range_DateTime></Temporal_Coverage>\
         <Spatial_Coverage><Geometry><Bounding_Rectangle><Southernmost_Latitude>-90</Southernmost_Latitude>\
         <Northernmost_Latitude>-50</Northernmost_Latitude><Westernmost_Longitude>-180</Westernmost_Longitude>\
         <Easternmost_Longitude>180</Easternmost_Longitude></Bounding_Rectangle></Geometry></Spatial_Coverage>\
         <Summary><Abstract>Ice<br/>at sea</Abstract></Summary>\
         <Related_URL><URL_Content_Type><Type>GET SERVICE</Type><Subtype>OGC WMS</Subtype></URL_Content_Type><URL>https://x.org/wms</URL></Related_URL></DIF>",
    )
    .record;
    assert_eq!((dif.id.as_str(), dif.title.as_deref()), ("SEAICE_2", Some("Sea ice")));
    assert_eq!(dif.abstract_.as_deref(), Some("Ice at sea"));
    assert_eq!(dif.keywords, ["EARTH SCIENCE > CRYOSPHERE"]);
    assert_eq!(dif.bbox, Some(Bbox::from([-180.0, -90.0, 180.0, -50.0])));
    assert_eq!(dif.time, ["1999/"]);
    assert_eq!(dif.links, [link("https://x.org/wms", "GET SERVICE > OGC WMS", "")]);
    let fgdc = read(
        "<metadata><idinfo><citation><citeinfo><origin>County</origin><title>Parcels</title>\
         <onlink>https://x.org/parcels</onlink></citeinfo></citation><descript><abstract>All.</abstract></descript>\
         <timeperd><timeinfo><sngdate><caldate>2010</caldate></sngdate></timeinfo></timeperd>\
         <spdom><bounding><westbc>5</westbc><eastbc>11</eastbc><northbc>48</northbc><southbc>45</southbc></bounding></spdom>\
         <keywords><theme><themekey>cadastre</themekey></theme></keywords><useconst>None</useconst>\
         <crossref><citeinfo><title>Other</title></citeinfo></crossref></idinfo><metainfo><metd>20110101</metd></metainfo></metadata>",
    )
    .record;
    assert_eq!((fgdc.title.as_deref(), fgdc.provider.as_deref()), (Some("Parcels"), Some("County")));
    assert_eq!(fgdc.bbox, Some(Bbox::from([5.0, 45.0, 11.0, 48.0])));
    assert_eq!((fgdc.modified.as_deref(), fgdc.licence), (Some("20110101"), None));
    assert_eq!(fgdc.time, ["2010"]);
    assert_eq!(fgdc.links, [link("https://x.org/parcels", "", "")]);
}

#[test]
fn a_record_that_breaks_off_gives_what_came() {
    for cut in (1..GMD.len()).step_by(97).filter(|at| GMD.is_char_boundary(*at)) {
        let mut input = &GMD.as_bytes()[..cut];
        let mut reader = XmlReader::new(&mut input, None);
        if loop {
            match reader.next() {
                XmlEvent::Start => break true,
                XmlEvent::Eof => break false,
                _ => {}
            }
        } {
            read_record(&mut reader, RecordFormat::Iso19139);
        }
    }
    let half = &GMD[..GMD.find("</gmd:abstract>").expect("an abstract")];
    let read = read(half);
    assert_eq!(read.record.title.as_deref(), Some("Flood maps"));
    assert!(!read.issues.is_empty());
}

proptest! {
    #[test]
    fn corners_never_panic(crs in ".{0,40}", lower in ".{0,30}", upper in ".{0,30}") {
        let mut place = extent::RecordExtent::default();
        place.add_corners(Some(&crs), &lower, &upper);
        place.add_dcmi_box(&lower);
        if let Some(b) = place.bbox() {
            prop_assert!(b.south <= b.north && b.west.abs() <= 180.0 && b.east.abs() <= 180.0);
        }
    }

    #[test]
    fn any_bytes_in_a_record_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for root in ["Record", "MD_Metadata", "DIF", "metadata"] {
            let mut document = format!("<{root}>").into_bytes();
            document.extend(&bytes);
            let mut input = document.as_slice();
            let mut reader = XmlReader::new(&mut input, None);
            if reader.next() == XmlEvent::Start {
                let format = RecordFormat::from_element(root.as_bytes(), None).expect("a format");
                read_record(&mut reader, format);
            }
        }
    }
}
