//! Large files need few requests and few bytes.

use crate::data_files::plans::{geopackage, hdf5_with_axes, las, pmtiles, utm_tiff};
use crate::data_files::serve::{ProbeCost, RepeatedFile, drive_probe};
use geotrawl_model::Resource;

fn probe(name: &str, file: &RepeatedFile) -> (Option<Resource>, ProbeCost) {
    let (finding, cost) = drive_probe(&format!("https://data.example.org/{name}"), file, 0);
    (finding.resources.into_iter().next().map(|f| f.resource), cost)
}

const MEGABYTE: u64 = 1 << 20;

#[test]
fn a_directory_behind_the_pixels_takes_one_more_request() {
    let (r, cost) = probe("a.tif", &RepeatedFile::from_bytes(&utm_tiff(false, false, 3_000_000)));
    assert!(r.unwrap().bbox.is_some());
    assert_eq!(cost.requests, 2);
    assert!(cost.bytes < 40_000, "{}", cost.bytes);
}

#[test]
fn metadata_behind_the_head_takes_one_more_request() {
    let (r, cost) = probe("a.pmtiles", &RepeatedFile::from_bytes(&pmtiles(100_000)));
    assert_eq!(r.unwrap().title.as_deref(), Some("Forests"));
    assert_eq!((cost.requests, cost.bytes < 20_000), (2, true));
}

#[test]
fn a_large_point_cloud_takes_one_request() {
    let file = RepeatedFile { start: las(4, 0x86, false, true), piece: vec![7; 1000], total: 900 * MEGABYTE };
    let (r, cost) = probe("a.copc.laz", &file);
    assert_eq!(r.unwrap().kind, "copc");
    assert_eq!((cost.requests, cost.bytes), (1, 16_384));
}

#[test]
fn variables_behind_the_head_of_hdf5_take_one_more_request() {
    for gap in [0, 3_000_000] {
        let mut start = hdf5_with_axes(gap);
        start.resize(start.len() + 1_000_000, 0);
        let (r, cost) = probe("a.h5", &RepeatedFile::from_bytes(&start));
        assert_eq!(r.unwrap().bbox, Some([8.25, 46.0, 9.0, 48.5].into()), "{gap}");
        assert_eq!(cost.requests, if gap == 0 { 1 } else { 2 });
        assert!(cost.bytes < 100_000, "{cost:?}");
    }
}

#[test]
fn a_large_geopackage_takes_three_requests_at_most() {
    let file =
        RepeatedFile { start: geopackage(*b"GPKG", 10_400), piece: vec![0; 64], total: 900 * MEGABYTE };
    let (r, cost) = probe("a.gpkg", &file);
    assert_eq!(r.unwrap().dataset_count, 4);
    assert!(cost.requests <= 3 && cost.bytes < 200_000, "{cost:?}");
}

#[test]
fn a_large_table_takes_one_request() {
    let file = RepeatedFile {
        start: b"id,name,lat,lon\n".to_vec(),
        piece: b"1,somewhere,47.123,8.456\n".to_vec(),
        total: 500 * MEGABYTE,
    };
    let (r, cost) = probe("a.csv", &file);
    let r = r.unwrap();
    assert_eq!((r.kind.as_str(), cost.requests), ("csv-geo", 1));
    assert!(r.issues.iter().any(|i| i.code == "bbox-sampled"));
    let file =
        RepeatedFile { start: b"id,name,size\n".to_vec(), piece: b"1,a,2\n".to_vec(), total: 500 * MEGABYTE };
    let (r, cost) = probe("b.csv", &file);
    assert_eq!((r, cost.requests, cost.bytes), (None, 1, 65_536));
    let file = RepeatedFile {
        start: b"service,address\n".to_vec(),
        piece: b"Maps,https://maps.example.org/wms?service=WMS&request=GetCapabilities\n".to_vec(),
        total: 500 * MEGABYTE,
    };
    let (finding, cost) = drive_probe("https://data.example.org/c.csv", &file, 0);
    assert_eq!((finding.targets.len(), cost.requests), (1, 1), "{:?}", finding.targets);
}

#[test]
fn a_large_gml_is_read_in_part() {
    let file = RepeatedFile {
        start: b"<gml:FeatureCollection xmlns:gml='http://www.opengis.net/gml' xmlns:a='http://a'><gml:boundedBy><gml:Envelope srsName='EPSG:4326'><gml:lowerCorner>8 47</gml:lowerCorner><gml:upperCorner>9 48</gml:upperCorner></gml:Envelope></gml:boundedBy>".to_vec(),
        piece: b"<gml:featureMember><a:Tree/></gml:featureMember>\n".to_vec(),
        total: 900 * MEGABYTE,
    };
    let (r, cost) = probe("a.gml", &file);
    let r = r.unwrap();
    assert_eq!(r.bbox, Some([8.0, 47.0, 9.0, 48.0].into()));
    assert!(r.issues.iter().any(|i| i.code == "read-partly"), "{:?}", r.issues);
    assert_eq!(cost.requests, 2);
    assert!(cost.bytes < 2 * MEGABYTE);
}

#[test]
fn large_json_is_never_read_beyond_its_beginning() {
    let file = RepeatedFile {
        start: br#"{"type":"FeatureCollection","features":["#.to_vec(),
        piece: br#"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[8.5,47.5]}},"#
            .to_vec(),
        total: 500 * MEGABYTE,
    };
    let (_, cost) = probe("a.geojson", &file);
    assert!(cost.requests <= 3, "{:?}", cost.asks);
    assert!(cost.bytes < 6 * MEGABYTE, "{}", cost.bytes);
}

#[test]
fn a_picture_or_program_costs_one_request() {
    for start in
        [&b"\x89PNG\r\n\x1a\n"[..], b"%PDF-1.7\n", b"MZ\x90\0\x03", b"<!DOCTYPE html><html><body>Not found"]
    {
        let file = RepeatedFile { start: start.to_vec(), piece: vec![0, 1, 2, 3], total: 5 * MEGABYTE };
        let (r, cost) = probe("a.tif", &file);
        assert_eq!((r, cost.requests), (None, 1), "{start:?}");
    }
}
