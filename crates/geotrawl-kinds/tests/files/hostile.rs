//! Hostile bytes: nothing may panic or exceed its limits.

use crate::files::archive::{WGS84_PRJ, ZipBuilder, with_shapefile};
use crate::files::server::{ALL, FileServer, drive_probe};
use geotrawl_kinds::files::read_whole;
use geotrawl_kinds::formats::crs::{CrsRef, to_wgs84};
use geotrawl_kinds::probe::ResponseHead;
use proptest::prelude::*;
use std::fmt::Write;
use url::Url;

const URL: &str = "https://data.example.org/x.zip";

fn read(bytes: &[u8]) {
    let head = ResponseHead { status: 200, ..ResponseHead::default() };
    let _ = read_whole(&Url::parse(URL).unwrap(), &head, bytes);
}

fn sample() -> Vec<u8> {
    let kml = br#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>n</name><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>"#;
    let mut archive = with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ))
        .add_deflated("doc.kml", kml);
    archive.zip64 = true;
    archive.build()
}

#[test]
fn bombs_are_not_unpacked() {
    let bomb = vec![b' '; 4_500_000];
    let archive = ZipBuilder::new().add_deflated("doc.kml", &bomb);
    let (finding, cost) = drive_probe(URL, &FileServer::from_bytes(&archive.build()));
    assert!(finding.resources.is_empty());
    assert!(cost.bytes < 200_000);
    let mut kml = br#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>"#.to_vec();
    kml.resize(4_500_000, b'a');
    let (finding, _) =
        drive_probe(URL, &FileServer::from_bytes(&ZipBuilder::new().add_deflated("doc.kml", &kml).build()));
    assert!(finding.resources[0].resource.issues.iter().any(|i| i.code == "read-partly"));
}

#[test]
fn entities_are_never_expanded() {
    let mut kml = r#"<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa">"#.to_owned();
    for (new, old) in ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"]) {
        write!(kml, "<!ENTITY {new} \"{}\">", format!("&{old};").repeat(10)).unwrap();
    }
    kml.push_str(
        r#"]><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>x&h;y</name></Document></kml>"#,
    );
    let head = ResponseHead { status: 200, ..ResponseHead::default() };
    let finding = read_whole(&Url::parse(URL).unwrap(), &head, kml.as_bytes()).unwrap();
    let title = finding.resources[0].resource.title.as_deref().unwrap();
    assert!(title.starts_with('x') && title.ends_with('y') && title.len() < 10, "{title}");
}

#[test]
fn depth_and_width_are_bounded() {
    let deep = format!(r#"<kml xmlns="http://www.opengis.net/kml/2.2">{}"#, "<Folder>".repeat(50_000));
    read(deep.as_bytes());
    let links = "<NetworkLink><Link><href>a.kml</href></Link></NetworkLink>".repeat(20_000);
    let wide = format!(r#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{links}</Document></kml>"#);
    let head = ResponseHead { status: 200, ..ResponseHead::default() };
    let finding = read_whole(&Url::parse(URL).unwrap(), &head, wide.as_bytes()).unwrap();
    assert_eq!(finding.targets.len(), 1);
}

#[test]
fn thousands_of_false_end_records_are_not_followed() {
    let mut archive = with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ));
    archive.comment = b"PK\x05\x06".repeat(16_000);
    read(&archive.build());
}

#[test]
fn thousands_of_shapefiles_are_counted() {
    let mut archive = ZipBuilder::new();
    for i in 0..3000 {
        for extension in ["shp", "shx", "dbf"] {
            archive = archive.add_encrypted(&format!("{i}.{extension}"), &[0; 200]);
        }
    }
    let (finding, _) = drive_probe(URL, &FileServer::from_bytes(&archive.build()));
    let resource = &finding.resources[0].resource;
    assert_eq!((resource.dataset_count, resource.datasets.len()), (3000, 1000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        read(&bytes);
        let mut zip = b"PK\x03\x04".to_vec();
        zip.extend_from_slice(&bytes);
        read(&zip);
        zip.extend_from_slice(b"PK\x05\x06");
        zip.extend_from_slice(&bytes[..bytes.len().min(18)]);
        read(&zip);
    }

    #[test]
    fn mutated_archives(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
                        cut in any::<prop::sample::Index>(), manners in prop::sample::select(ALL)) {
        let mut bytes = sample();
        for (at, value) in &edits {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        if edits.len() % 3 == 0 {
            bytes.truncate(cut.index(bytes.len()));
        }
        read(&bytes);
        let mut server = FileServer::from_bytes(&bytes);
        server.manners = manners;
        let (_, cost) = drive_probe(URL, &server);
        prop_assert!(cost.bytes <= 6 * 65_558 + bytes.len() as u64);
    }

    #[test]
    fn kml_like_text(text in "(<kml xmlns='http://www.opengis.net/kml/2.2'>)?(<(/|!|)(Document|Placemark|coordinates|name|LatLonBox|north|href|NetworkLink|Link)[ >]|[0-9.,e -]{0,12}|&(amp|lt|#1?);?|]]>|<!\\[CDATA\\[|\\PC{0,4}){0,40}") {
        read(text.as_bytes());
    }

    #[test]
    fn coordinate_systems(text in "(PROJCS|GEOGCS|DATUM|SPHEROID|UNIT|PARAMETER|PROJECTION|AUTHORITY|PRIMEM|[\\[\\](),\"]|EPSG|Transverse_Mercator|Krovak|-?[0-9.e]{1,9}|\\PC{0,3}){0,60}",
                          bbox in prop::array::uniform4(any::<f64>())) {
        if let Some(crs) = CrsRef::from_text(&text) {
            let _ = to_wgs84(&crs, bbox);
        }
        let _ = CrsRef::from_wkt(&text);
    }

    #[test]
    fn any_box_in_any_system(code in 2000u32..33000, bbox in prop::array::uniform4(-1e8..1e8f64)) {
        let [a, b, c, d] = bbox;
        let ordered = [a.min(c), b.min(d), a.max(c), b.max(d)];
        if let Ok(found) = to_wgs84(&CrsRef::Epsg(code), ordered) {
            let [west, south, east, north] = found.into();
            prop_assert!((-180.0..=180.0).contains(&west) && (-180.0..=180.0).contains(&east));
            prop_assert!(-90.0 <= south && south <= north && north <= 90.0);
        }
    }
}
