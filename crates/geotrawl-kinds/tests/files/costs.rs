//! Cost of identifying a file.

use crate::files::archive::{UTM32_PRJ, WGS84_PRJ, ZipBuilder, with_shapefile};
use crate::files::server::{ALL, FileServer, RangeBehaviour, drive_probe};
use geotrawl_kinds::probe::{ByteRange, ResponseClass};

const URL: &str = "https://data.example.org/big.zip";
const GIGABYTE: u64 = 1_000_000_000;

fn two_gigabytes() -> ZipBuilder {
    let archive = ZipBuilder::new().add_zeros("readme/huge.tif", GIGABYTE);
    with_shapefile(archive, "roads", [8.0, 47.0, 9.0, 48.0], Some(WGS84_PRJ)).add_zeros("more.tif", GIGABYTE)
}

#[test]
fn two_gigabytes_cost_less_than_200_kb() {
    let server = FileServer::new(two_gigabytes().build_virtual(), RangeBehaviour::Honest);
    let (finding, cost) = drive_probe(URL, &server);
    let found = &finding.resources[0];
    assert_eq!(found.resource.kind, "shapefile");
    assert_eq!(found.resource.bbox.map(<[f64; 4]>::from), Some([8.0, 47.0, 9.0, 48.0]));
    assert_eq!(found.resource.crs[0].as_ref(), "EPSG:4326");
    assert!(found.resource.issues.is_empty(), "{:?}", found.resource.issues);
    assert!(cost.requests <= 3, "{cost:?}");
    assert!(cost.bytes < 100_000, "{cost:?}");
    assert_eq!(cost.asks[0].range, Some(ByteRange::Span { from: 0, to: 16383 }));
}

#[test]
fn zip64_beyond_four_gigabytes() {
    let archive = ZipBuilder::new().add_zeros("a.bin", 5 * GIGABYTE);
    let archive =
        with_shapefile(archive, "roads", [400_000.0, 5_000_000.0, 500_000.0, 5_100_000.0], Some(UTM32_PRJ));
    let server = FileServer::new(archive.build_virtual(), RangeBehaviour::Honest);
    let (finding, cost) = drive_probe(URL, &server);
    let bbox = <[f64; 4]>::from(finding.resources[0].resource.bbox.unwrap());
    // PROJ 9.5.1, EPSG:25832 to EPSG:4326: x=500000 is the meridian 9 E, y=5000000 is 45.1535 N
    // there.
    assert!((bbox[2] - 9.0).abs() < 1e-6, "{bbox:?}");
    assert!((bbox[1] - 45.1466).abs() < 0.01, "{bbox:?}");
    assert!(cost.requests <= 3 && cost.bytes < 100_000, "{cost:?}");
}

#[test]
fn a_directory_beyond_the_tail_takes_one_more_request() {
    let mut archive = two_gigabytes();
    for i in 0..900 {
        archive = archive.add_stored(&format!("tiles/{i:04}/with/a/name/of/some/length/{i:040}.tif"), b"");
    }
    let server = FileServer::new(archive.build_virtual(), RangeBehaviour::Honest);
    let (finding, cost) = drive_probe(URL, &server);
    assert!(finding.resources[0].resource.bbox.is_some());
    assert!(cost.requests <= 4, "{cost:?}");
    assert!(cost.bytes < 200_000, "{cost:?}");
}

#[test]
fn a_directory_of_absurd_size_is_read_in_part() {
    let mut archive = two_gigabytes();
    for i in 0..60_000 {
        archive = archive.add_stored(&format!("{i:060}.txt"), b"");
    }
    let server = FileServer::new(archive.build_virtual(), RangeBehaviour::Honest);
    let (finding, cost) = drive_probe(URL, &server);
    let resource = &finding.resources[0].resource;
    assert_eq!(resource.dataset_count, 1);
    assert!(resource.issues.iter().any(|i| i.code == "read-partly"), "{:?}", resource.issues);
    assert!(cost.bytes < 500_000, "{cost:?}");
}

#[test]
fn many_shapefiles_are_listed_and_a_few_are_opened() {
    let mut archive = ZipBuilder::new();
    for i in 0..40 {
        let at = f64::from(i);
        archive = with_shapefile(
            archive,
            &format!("layers/l{i:02}"),
            [at, at, at + 1.0, at + 1.0],
            Some(WGS84_PRJ),
        );
        archive = archive.add_zeros(&format!("pad{i}"), 10_000_000);
    }
    let server = FileServer::new(archive.build_virtual(), RangeBehaviour::Honest);
    let (finding, cost) = drive_probe(URL, &server);
    let resource = &finding.resources[0].resource;
    assert_eq!((resource.dataset_count, resource.datasets.len()), (40, 40));
    assert_eq!(resource.datasets[0].name, "layers/l00");
    let opened = resource.datasets.iter().filter(|d| d.bbox.is_some()).count();
    assert!((4..=6).contains(&opened), "{opened}");
    assert!(resource.issues.iter().any(|i| i.code == "bbox-partial"));
    assert!(cost.requests <= 6 && cost.bytes < 200_000, "{cost:?}");
}

#[test]
fn a_small_archive_takes_two_requests() {
    let archive = with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ))
        .add_stored("x", &vec![7; 60_000]);
    let (_, cost) = drive_probe(URL, &FileServer::from_bytes(&archive.build()));
    assert_eq!(cost.requests, 2, "{cost:?}");
    let tiny = with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ));
    let (finding, cost) = drive_probe(URL, &FileServer::from_bytes(&tiny.build()));
    assert_eq!(cost.requests, 1);
    assert!(finding.resources[0].resource.bbox.is_some());
}

#[test]
fn a_large_kmz_costs_its_documents_start() {
    // Digits that do not repeat, so that they do not compress.
    let mut places = String::new();
    let mut number = 1_u64;
    while places.len() < 400_000 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        places.push_str("8.");
        places.push_str(&(number >> 20).to_string());
        places.push_str(",47.5 ");
    }
    let kml = format!(
        r#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Tracks</name><Placemark><LineString><coordinates>{places}</coordinates></LineString></Placemark></Document></kml>"#
    );
    let archive = ZipBuilder::new()
        .add_zeros("files/a.png", GIGABYTE)
        .add_deflated("doc.kml", kml.as_bytes())
        .add_zeros("b.png", GIGABYTE);
    let (finding, cost) = drive_probe(
        "https://data.example.org/x.kmz",
        &FileServer::new(archive.build_virtual(), RangeBehaviour::Honest),
    );
    let resource = &finding.resources[0].resource;
    assert_eq!((resource.kind.as_str(), resource.title.as_deref()), ("kmz", Some("Tracks")));
    let bbox = resource.bbox.map(<[f64; 4]>::from).unwrap();
    assert!(bbox[0] >= 8.0 && bbox[2] <= 9.0 && bbox[1] == 47.5, "{bbox:?}");
    assert!(resource.issues.iter().any(|i| i.code == "read-partly"), "{:?}", resource.issues);
    assert!(cost.bytes < 200_000 && cost.requests <= 3, "{cost:?}");
}

/// Whatever the server does: no panic, few requests, little transfer, and no false claim.
#[test]
fn every_kind_of_server_is_survived() {
    let small = with_shapefile(ZipBuilder::new(), "a", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ))
        .add_stored("x", &vec![7; 300_000]);
    for (archive, size) in [(small.build_virtual(), "small"), (two_gigabytes().build_virtual(), "large")] {
        for manners in ALL {
            let server = FileServer::new(archive.clone(), *manners);
            let (finding, cost) = drive_probe(URL, &server);
            let name = format!("{manners:?} {size}: {finding:?} {cost:?}");
            assert!(cost.bytes < if size == "small" { 500_000 } else { 200_000 }, "{name}");
            for found in &finding.resources {
                assert_eq!(found.resource.kind, "shapefile", "{name}");
                assert_eq!(found.resource.dataset_count, 1, "{name}");
            }
            let expected = match manners {
                // Such servers only deliver the start of a huge file, which says nothing about its
                // end.
                RangeBehaviour::IgnoresRanges
                | RangeBehaviour::IgnoresRangesHidesLength
                | RangeBehaviour::SendsTheStart
                | RangeBehaviour::LiesAboutRanges
                | RangeBehaviour::BreaksAfterFirst
                | RangeBehaviour::ForgetsRanges
                | RangeBehaviour::GrowsWhileRead
                | RangeBehaviour::StopsHalfway
                | RangeBehaviour::Refuses => size == "small",
                _ => true,
            };
            if expected {
                assert_eq!(finding.verdict, ResponseClass::Resource, "{name}");
                let bbox = finding.resources[0].resource.bbox.map(<[f64; 4]>::from);
                let truth = if size == "small" { [1.0, 2.0, 3.0, 4.0] } else { [8.0, 47.0, 9.0, 48.0] };
                assert_eq!(bbox, Some(truth), "{name}");
            }
        }
    }
}

#[test]
fn streamed_archives_without_length_are_fetched_when_their_names_promise_something() {
    let mut archive = with_shapefile(ZipBuilder::new(), "wfs", [1.0, 2.0, 3.0, 4.0], Some(WGS84_PRJ));
    archive.streamed = true;
    archive = archive.add_stored("wfsrequest.txt", &vec![b'x'; 200_000]);
    let server = FileServer::new(archive.build_virtual(), RangeBehaviour::IgnoresRangesHidesLength);
    let (finding, cost) = drive_probe("https://data.example.org/wfs?outputFormat=shape-zip", &server);
    assert!(finding.resources[0].resource.bbox.is_some());
    assert_eq!(cost.requests, 2);

    let mut other = ZipBuilder::new().add_stored("photo.jpg", &vec![1; 2_000_000]);
    other.streamed = true;
    let server = FileServer::new(other.build_virtual(), RangeBehaviour::IgnoresRangesHidesLength);
    let (finding, cost) = drive_probe(URL, &server);
    assert!(finding.resources.is_empty());
    assert_eq!((cost.requests, finding.verdict), (1, ResponseClass::Nothing));
}
