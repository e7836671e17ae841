//! Content of archives, shapefiles and KML documents.

use crate::files::archive::{UTM32_PRJ, WGS84_PRJ, ZipBuilder, build_shp, with_shapefile};
use crate::files::server::{FileServer, drive_probe};
use geotrawl_kinds::files::read_whole;
use geotrawl_kinds::probe::{Finding, ResponseClass, ResponseHead};
use geotrawl_model::{Intent, Resource};
use url::Url;

const URL: &str = "https://data.example.org/dir/file";

/// Reads bytes through the probe and from memory. Both must give the same result.
fn look(bytes: &[u8]) -> Finding {
    let (probed, _) = drive_probe(URL, &FileServer::from_bytes(bytes));
    let head =
        ResponseHead { status: 200, total_length: Some(bytes.len() as u64), ..ResponseHead::default() };
    let read = read_whole(&Url::parse(URL).unwrap(), &head, bytes);
    match &read {
        Some(read) => {
            assert_eq!(read.resources, probed.resources);
            assert_eq!(read.targets, probed.targets);
        }
        None => assert!(probed.resources.is_empty(), "{probed:?}"),
    }
    probed
}

fn only(bytes: &[u8]) -> Resource {
    let mut finding = look(bytes);
    assert_eq!(finding.resources.len(), 1, "{finding:?}");
    finding.resources.remove(0).resource
}

fn codes(resource: &Resource) -> Vec<&str> {
    resource.issues.iter().map(|i| i.code.as_str()).collect()
}

#[test]
fn names_are_matched_in_any_case_and_folder() {
    let archive = ZipBuilder::new()
        .add_stored("Data/", b"")
        .add_deflated("Data/Roads.SHP", &build_shp([1.0, 2.0, 3.0, 4.0]))
        .add_deflated("Data/roads.Shx", b"")
        .add_deflated("Data/ROADS.dbf", b"x")
        .add_deflated("Data/roads.PRJ", WGS84_PRJ.as_bytes())
        .add_stored("__MACOSX/Data/._Roads.SHP", b"fork")
        .add_stored("__MACOSX/Data/._roads.shx", b"fork")
        .add_stored("__MACOSX/Data/._roads.dbf", b"fork");
    let resource = only(&archive.build());
    assert_eq!(resource.datasets.len(), 1);
    assert_eq!(resource.datasets[0].name, "Data/Roads");
    assert_eq!(resource.title.as_deref(), Some("Roads"));
    assert!(codes(&resource).is_empty(), "{:?}", resource.issues);
}

#[test]
fn several_stems_are_several_datasets_of_one_resource() {
    let archive = with_shapefile(ZipBuilder::new(), "a/x", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ));
    let archive =
        with_shapefile(archive, "b/x", [500_000.0, 5_200_000.0, 500_001.0, 5_200_001.0], Some(UTM32_PRJ));
    let resource = only(&archive.build());
    assert_eq!(resource.datasets.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["a/x", "b/x"]);
    assert_eq!(resource.title.as_deref(), Some("file"));
    assert_eq!(resource.crs.len(), 2);
    let bbox = <[f64; 4]>::from(resource.bbox.unwrap());
    assert!(bbox[0] == 1.0 && bbox[1] == 2.0 && (bbox[2] - 9.0).abs() < 1e-3 && bbox[3] > 46.9, "{bbox:?}");
}

#[test]
fn incomplete_shapefiles_need_their_header() {
    let lonely = ZipBuilder::new().add_deflated("a.shp", &build_shp([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(codes(&only(&lonely.build())), ["shapefile-incomplete", "crs-assumed"]);
    let text = ZipBuilder::new().add_deflated("a.shp", &[b'?'; 500]);
    assert_eq!(look(&text.build()).verdict, ResponseClass::Nothing);
    let impostor = ZipBuilder::new()
        .add_deflated("a.shp", &[b'?'; 500])
        .add_stored("a.shx", b"")
        .add_stored("a.dbf", b"");
    assert_eq!(look(&impostor.build()).verdict, ResponseClass::Nothing);
    let sealed = ZipBuilder::new()
        .add_encrypted("a.shp", &[b'?'; 500])
        .add_encrypted("a.shx", b"")
        .add_encrypted("a.dbf", b"");
    assert_eq!(codes(&only(&sealed.build())), ["entry-unreadable"]);
    let strange = ZipBuilder::new()
        .add_with_method("a.shp", &[b'?'; 500], 14)
        .add_stored("a.shx", b"")
        .add_stored("a.dbf", b"");
    assert_eq!(only(&strange.build()).dataset_count, 1);
}

#[test]
fn coordinate_systems_decide_the_extent() {
    let metres = [400_000.0, 5_000_000.0, 500_000.0, 5_100_000.0];
    let without = only(&with_shapefile(ZipBuilder::new(), "a", metres, None).build());
    assert_eq!((without.bbox, codes(&without)), (None, vec!["crs-unknown"]));
    let rubbish = only(&with_shapefile(ZipBuilder::new(), "a", metres, Some("LOCAL_CS[\"x\"]")).build());
    assert_eq!((rubbish.bbox, codes(&rubbish)), (None, vec!["crs-unknown"]));
    let wrong = only(&with_shapefile(ZipBuilder::new(), "a", metres, Some(WGS84_PRJ)).build());
    assert_eq!((wrong.bbox, codes(&wrong)), (None, vec!["crs-uncertain"]));
    let empty = only(&with_shapefile(ZipBuilder::new(), "a", [0.0; 4], Some(WGS84_PRJ)).build());
    assert_eq!((empty.bbox, codes(&empty)), (None, vec!["bbox-broken"]));
}

#[test]
fn other_packages_are_nothing() {
    let kml = br#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>"#;
    let shape = |archive| with_shapefile(archive, "test/a", [1.0, 2.0, 3.0, 4.0], None);
    for archive in [
        ZipBuilder::new()
            .add_stored("[Content_Types].xml", b"<Types/>")
            .add_stored("word/document.xml", b"<w/>"),
        ZipBuilder::new()
            .add_stored("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0")
            .add_deflated("doc.kml", kml),
        shape(ZipBuilder::new().add_stored("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0")),
        ZipBuilder::new().add_stored("mimetype", b"application/epub+zip").add_deflated("doc.kml", kml),
        ZipBuilder::new()
            .add_stored("agency.txt", b"a")
            .add_stored("stops.txt", b"b")
            .add_stored("shapes.txt", b"c"),
        ZipBuilder::new().add_stored("arr_0.npy", b"\x93NUMPY"),
        ZipBuilder::new().add_stored("kml", kml).add_stored(".kml", kml).add_stored("a.kml.txt", kml),
        ZipBuilder::new().add_deflated("a.kml", b"<html>not found</html>"),
        ZipBuilder::new(),
    ] {
        let finding = look(&archive.build());
        assert!(finding.resources.is_empty(), "{finding:?}");
        assert_eq!(finding.verdict, ResponseClass::Nothing);
    }
}

#[test]
fn archives_of_unusual_making_are_read() {
    let plain = || with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ));
    let mut zip64 = plain();
    zip64.zip64 = true;
    let mut streamed = plain();
    streamed.streamed = true;
    let mut prefixed = plain();
    prefixed.prelude = b"PK\x03\x04".iter().chain(&[0; 996]).copied().collect();
    let mut commented = plain();
    commented.comment =
        b"the end record PK\x05\x06 looks like this, and here is more text behind it".to_vec();
    let mut extra = plain();
    extra.local_extra = 100;
    let mut miscounted = plain();
    miscounted.claim_entries = Some(9);
    for (name, archive) in [
        ("zip64", zip64),
        ("streamed", streamed),
        ("prefixed", prefixed),
        ("commented", commented),
        ("extra", extra),
        ("miscounted", miscounted),
    ] {
        let resource = only(&archive.build());
        assert_eq!(resource.bbox.map(<[f64; 4]>::from), Some([1.0, 2.0, 3.0, 4.0]), "{name}");
    }
}

#[test]
fn names_in_old_code_pages_are_told() {
    let archive = ZipBuilder::new()
        .add_raw_name(b"stra\xe1en.shp", &build_shp([1.0, 2.0, 3.0, 4.0]))
        .add_raw_name(b"stra\xe1en.shx", b"")
        .add_raw_name(b"stra\xe1en.dbf", b"");
    assert_eq!(only(&archive.build()).title.as_deref(), Some("straßen"));
}

#[test]
fn a_bare_shapefile_asks_for_its_coordinate_system() {
    let bytes = build_shp([400_000.0, 5_000_000.0, 500_000.0, 5_100_000.0]);
    let mut server = FileServer::from_bytes(&bytes);
    let (finding, cost) = drive_probe("https://data.example.org/d/roads.shp", &server);
    assert_eq!(cost.asks[1].url.path(), "/d/roads.prj");
    assert_eq!(codes(&finding.resources[0].resource), ["crs-unknown"]);
    server.siblings.insert("/d/roads.prj".to_owned(), UTM32_PRJ.as_bytes().to_vec());
    let (finding, cost) = drive_probe("https://data.example.org/d/roads.shp", &server);
    let resource = &finding.resources[0].resource;
    assert!(resource.bbox.is_some(), "{resource:?}");
    assert_eq!((resource.title.as_deref(), cost.requests), (Some("roads"), 2));
    // An index has the same header but is not the main file.
    let mut index = bytes.clone();
    index[100..108].copy_from_slice(&[0, 0, 0, 50, 0, 0, 0, 10]);
    assert!(look(&index).resources.is_empty());
}

#[test]
fn kml_tells_its_name_extent_and_links() {
    let kml = br#"<?xml version="1.0" encoding="ISO-8859-1"?>
        <k:kml xmlns:k="http://earth.google.com/kml/2.1"><k:Document><k:name>Z&#252;rich &amp; Umgebung</k:name>
        <k:description><![CDATA[<b>Points</b> of <i>interest</i>]]></k:description>
        <k:Folder><k:name>f</k:name><k:Placemark><k:name>p</k:name><k:Point><k:coordinates> 8.5, 47.3,0
        </k:coordinates></k:Point></k:Placemark></k:Folder>
        <k:NetworkLink><k:name>more</k:name><k:Url><k:href>more/b.kml?x=1&amp;y=2#z</k:href></k:Url></k:NetworkLink>
        <k:NetworkLink><k:Link><k:href>mailto:nobody@example.org</k:href></k:Link></k:NetworkLink>
        <k:GroundOverlay><k:Icon><k:href>http://maps.example.org/wms?SERVICE=WMS&amp;REQUEST=GetMap</k:href></k:Icon>
        <k:LatLonBox><k:north>48</k:north><k:south>46</k:south><k:east>9</k:east><k:west>7</k:west></k:LatLonBox>
        </k:GroundOverlay><k:GroundOverlay><k:Icon><k:href>a.png</k:href></k:Icon></k:GroundOverlay>
        </k:Document></k:kml>"#;
    let finding = look(kml);
    let resource = &finding.resources[0].resource;
    assert_eq!((resource.kind.as_str(), resource.versions.as_slice()), ("kml", &["2.1".to_owned()][..]));
    assert_eq!(resource.title.as_deref(), Some("Zürich & Umgebung"));
    assert_eq!(resource.abstract_.as_deref(), Some("Points of interest"));
    assert_eq!(resource.bbox.map(<[f64; 4]>::from), Some([7.0, 46.0, 9.0, 48.0]));
    assert_eq!(resource.dataset_count, 1);
    assert!(codes(resource).is_empty(), "{:?}", resource.issues);
    let targets: Vec<_> =
        finding.targets.iter().map(|t| (t.url.as_str(), t.way.as_ref(), &t.words)).collect();
    assert_eq!(
        targets[0],
        ("https://data.example.org/dir/more/b.kml?x=1&y=2", "kml:networklink", &"more".to_owned())
    );
    assert_eq!(targets[1].1, "kml:groundoverlay");
    assert_eq!(targets.len(), 2);
    assert_eq!(finding.targets[0].intent, Intent::File);
    assert!(matches!(finding.targets[1].intent, Intent::Ows { .. }));
}

#[test]
fn kml_in_utf_16_is_read() {
    let text = r#"<?xml version="1.0" encoding="UTF-16"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Überall</name></Document></kml>"#;
    for (mark, big) in [(&[0xff, 0xfe][..], false), (&[0xfe, 0xff][..], true), (&[][..], false)] {
        let mut bytes = mark.to_vec();
        for unit in text.encode_utf16() {
            bytes.extend_from_slice(&if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
        }
        assert_eq!(only(&bytes).title.as_deref(), Some("Überall"));
    }
}

#[test]
fn only_a_kml_root_is_kml() {
    for text in [
        r#"<?xml version="1.0"?><data><kml xmlns="http://www.opengis.net/kml/2.2"/></data>"#,
        r#"<kml xmlns="http://example.org/keyboard-macro-language"><Document/></kml>"#,
        "<kml><macro/></kml>",
        "<kml/>",
        "<!-- kml --><html><body>kml</body></html>",
        r#"<KML xmlns="http://www.opengis.net/kml/2.2"><Document/></KML>"#,
        "kml",
        "<",
        "",
    ] {
        assert!(look(text.as_bytes()).resources.is_empty(), "{text}");
    }
    assert_eq!(only(b"<kml><Document/></kml>").versions.len(), 0);
    assert_eq!(
        only(b"\xef\xbb\xbf\n<!-- c --><kml xmlns='https://www.opengis.net/kml/2.3'/>").versions,
        ["2.3"]
    );
}

#[test]
fn broken_kml_says_so() {
    let ns = r#"xmlns="http://www.opengis.net/kml/2.2""#;
    let cut = only(format!("<kml {ns}><Document><name>A</name><Placemark>").as_bytes());
    assert_eq!((cut.title.as_deref(), codes(&cut)), (Some("A"), vec!["xml-not-well-formed"]));
    let crossed = only(format!("<kml {ns}><Document><name>A</nme></Document></kml>").as_bytes());
    assert_eq!(codes(&crossed), ["xml-not-well-formed"]);
    let places = only(
        format!(
            "<kml {ns}><Placemark><Point><coordinates>0,100 5,5 x,y</coordinates></Point></Placemark></kml>"
        )
        .as_bytes(),
    );
    assert_eq!(
        (places.bbox.map(<[f64; 4]>::from), codes(&places)),
        (Some([5.0, 5.0, 5.0, 5.0]), vec!["coordinates-broken"])
    );
}

#[test]
fn long_kml_is_read_to_its_end() {
    let kml = format!(
        r#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>N</name>{}<Placemark><Point><coordinates>50,60</coordinates></Point></Placemark></Document></kml>"#,
        "<Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>".repeat(5000)
    );
    let (finding, cost) =
        drive_probe("https://data.example.org/a.kml", &FileServer::from_bytes(kml.as_bytes()));
    let resource = &finding.resources[0].resource;
    assert_eq!(resource.bbox.map(<[f64; 4]>::from), Some([1.0, 2.0, 50.0, 60.0]));
    assert!(codes(resource).is_empty(), "{:?}", resource.issues);
    assert_eq!((cost.requests, cost.asks[1].range), (2, None));
}

#[test]
fn links_into_the_archive_need_no_request() {
    let kml = br#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
        <NetworkLink><Link><href>sub/inner.kml</href></Link></NetworkLink>
        <NetworkLink><Link><href>../outer.kml</href></Link></NetworkLink></Document></kml>"#;
    let archive = ZipBuilder::new()
        .add_deflated("doc.kml", kml)
        .add_deflated("sub/inner.kml", b"<kml/>")
        .add_deflated("a.kml", b"<x/>");
    let finding = look(&archive.build());
    assert_eq!(finding.resources[0].resource.kind, "kmz");
    let urls: Vec<_> = finding.targets.iter().map(|t| t.url.as_str()).collect();
    assert_eq!(urls, ["https://data.example.org/outer.kml"]);
}

#[test]
fn the_url_that_answered_names_the_file_unless_it_was_signed_for_us() {
    let archive = with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ))
        .add_stored("x", &vec![7; 90_000]);
    let mut server = FileServer::from_bytes(&archive.build());
    for (answered, named) in [
        ("https://files.example.org/a.zip", "https://files.example.org/a.zip"),
        (
            "https://bucket.example.org/a.zip?X-Amz-Signature=abc&X-Amz-Expires=60",
            "https://data.example.org/dir/file",
        ),
    ] {
        server.redirect = Some(Url::parse(answered).unwrap());
        let (finding, cost) = drive_probe(URL, &server);
        assert_eq!(finding.resources[0].resource.url, named);
        assert_eq!(cost.asks[1].url.as_str(), named);
    }
}
