//! Values read from each format.

use crate::data_files::build::compress_gzip;
use crate::data_files::plans::*;
use crate::data_files::serve::{RepeatedFile, drive_probe, probe_record, rounded_bbox};
use geotrawl_model::Resource;

/// UTM zone 32: 400 to 500 km east, 5550 to 5600 km north.
const UTM: [f64; 4] = [7.589, 50.094, 9.0, 50.552];

fn of(name: &str, bytes: &[u8]) -> Resource {
    probe_record(name, bytes).unwrap_or_else(|| panic!("{name} is nothing"))
}

fn crs(resource: &Resource) -> Vec<&str> {
    resource.crs.iter().map(|c| &**c).collect()
}

#[test]
fn tiff_of_either_order_and_size_gives_extent_and_system() {
    for (big_endian, big_tiff) in [(false, false), (true, false), (false, true), (true, true)] {
        let r = of("a.tif", &utm_tiff(big_endian, big_tiff, 500));
        assert_eq!((r.kind.as_str(), rounded_bbox(&r), crs(&r)), ("geotiff", Some(UTM), vec!["EPSG:25832"]));
        assert_eq!(r.title.as_deref(), Some("Elevation of a valley"));
        assert_eq!(r.versions, [if big_tiff { "BigTIFF" } else { "classic" }]);
    }
    // Columns go north, rows go east, and coordinates refer to pixel centres.
    assert_eq!(rounded_bbox(&of("b.tif", &turned_tiff())), Some([9.75, 39.875, 11.75, 41.875]));
    let own = of("c.tif", &own_system_tiff());
    assert_eq!((rounded_bbox(&own), crs(&own)), (Some([9.265, 51.548, 10.735, 52.449]), vec!["Own LAEA"]));
    assert_eq!(rounded_bbox(&of("d.tif", &cog(true))), Some([6.0, 49.0, 7.0, 50.0]));
}

#[test]
fn geopackages_list_their_layers() {
    let r = of("a.gpkg", &geopackage(*b"GPKG", 10_300));
    let names: Vec<&str> = r.datasets.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["roads", "parcels", "wells", "notes"]);
    assert_eq!((r.versions[0].as_str(), r.dataset_count), ("1.3", 4));
    assert!(
        r.datasets[0].abstract_.as_deref().unwrap().ends_with("all classes."),
        "the overflow page was read"
    );
    assert_eq!(r.datasets[1].crs.to_vec(), ["EPSG:25832".into()], "through the file's own id");
    assert_eq!(r.datasets[1].bbox.map(|b| b.west.round()), Some(8.0));
    assert_eq!(r.datasets[3].bbox, None);
    assert_eq!(rounded_bbox(&r), Some([6.0, 45.0, 10.0, 50.552]));
}

#[test]
fn tile_sets_give_their_metadata() {
    for (name, bytes, title) in
        [("a.mbtiles", mbtiles(), "Lakes and roads"), ("b.pmtiles", pmtiles(0), "Forests")]
    {
        let r = of(name, &bytes);
        assert_eq!(r.title.as_deref(), Some(title));
        assert_eq!(rounded_bbox(&r), Some([5.5, 45.25, 10.5, 47.75]), "{name}");
        assert_eq!(r.datasets[0].keywords.len(), 2, "{name}");
        assert!(r.licence.is_some());
    }
}

#[test]
fn vectors_in_one_file_give_extent_and_system() {
    let r = of("a.fgb", &flatgeobuf(3, 7));
    assert_eq!((r.title.as_deref(), crs(&r)), (Some("Bridges of a town"), vec!["EPSG:2056"]));
    assert_eq!(rounded_bbox(&r), Some([7.439, 46.951, 7.57, 46.996]));
    let r = of("a.parquet", &parquet("geo", GEO));
    assert_eq!((r.versions[0].as_str(), crs(&r)), ("1.1.0", vec!["EPSG:25832"]));
    assert_eq!(rounded_bbox(&r).map(|b| b[0]), Some(7.589));
    assert_eq!(crs(&of("b.parquet", &parquet_by_type())), ["EPSG:4326"]);
    let (finding, _) =
        drive_probe("https://x.org/c.parquet", &RepeatedFile::from_bytes(&encrypted_parquet()), 0);
    assert_eq!(finding.issues[0].code, "footer-encrypted");
    assert_eq!(finding.document, Some("parquet"));
}

#[test]
fn scientific_files_give_attributes_and_extent() {
    for version in [1, 2, 5] {
        let r = of("a.nc", &netcdf(version));
        assert_eq!((r.title.as_deref(), r.provider.as_deref()), (Some("Snow depth"), Some("An institute")));
        assert_eq!(rounded_bbox(&r), Some([-10.0, 44.0, -7.0, 48.0]));
    }
    for bytes in [hdf5(EXTENT), old_hdf5(EXTENT)] {
        let r = of("a.h5", &bytes);
        assert_eq!((r.kind.as_str(), r.title.as_deref()), ("hdf5", Some("Ice cover")));
        assert_eq!(rounded_bbox(&r), Some([10.25, 60.0, 30.0, 70.5]));
    }
    let r = of("a.grib2", &grib2());
    assert_eq!(
        (rounded_bbox(&r), r.datasets[0].time.as_slice()),
        (Some([5.0, 35.0, 25.0, 55.0]), &["2024-05-17T12:00Z".to_owned()][..])
    );
    let r = of("a.grb", &grib1_bulletin());
    assert_eq!((r.versions[0].as_str(), rounded_bbox(&r)), ("1", Some([-5.0, 35.0, 15.0, 55.0])));
}

#[test]
fn point_clouds_give_extent_and_system() {
    for bytes in [las(2, 1, true, false), las(4, 0x86, false, false), las(4, 0x86, false, true)] {
        let r = of("a.laz", &bytes);
        assert_eq!(crs(&r), ["EPSG:25832"]);
        assert_eq!(rounded_bbox(&r), Some([8.307, 49.65, 8.309, 49.651]));
    }
}

#[test]
fn tables_say_where_their_rows_are() {
    let r = of("a.csv", b"id;Name;Breitengrad;L\xc3\xa4ngengrad\n1;a;47,5;8,25\n2;b;47,25;8,75\n");
    assert_eq!((r.kind.as_str(), rounded_bbox(&r)), ("csv-geo", Some([8.25, 47.25, 8.75, 47.5])));
    let r = of("b.csv", b"name,lat,lon\na,8.5,147.5\nb,8.25,-147.0\n");
    assert_eq!(rounded_bbox(&r), Some([-147.0, 8.25, 147.5, 8.5]));
    let r = of("c.csv", b"name,lat,lon\na,147.5,8.5\nb,147.0,8.25\n");
    assert_eq!(rounded_bbox(&r), Some([147.0, 8.25, 147.5, 8.5]));
    assert_eq!(r.issues[0].code, "bbox-swapped");
    let r = of("d.csv", b"site,easting,northing\na,450000,220000\nb,451000,221000\n");
    assert_eq!((r.bbox, r.issues[0].code.as_str()), (None, "crs-unknown"));
    let r = of("e.tsv", b"id\tgeom\n1\tSRID=4326;POINT(8 47)\n2\tPOINT(9 48)\n");
    assert_eq!((rounded_bbox(&r), crs(&r)), (Some([8.0, 47.0, 9.0, 48.0]), vec!["EPSG:4326"]));
    for nothing in [
        &b"x,y\n1,2\n3,4\n"[..],
        b"name,value\na,1\nb,2\n",
        b"lat,lon\nabc,def\nghi,jkl\n",
        b"lat,lon,name\n0,0,a\n0,0,b\n",
        b"a,lat,long\n1,too late,very long\n",
        b"Dear all,\nthe latitude, longitude and so on.\n",
    ] {
        assert_eq!(probe_record("x.csv", nothing), None, "{}", String::from_utf8_lossy(nothing));
    }
}

#[test]
fn text_in_gzip_is_read_too() {
    let gpx = br#"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47" lon="8"/><trk><name>Walk</name></trk></gpx>"#;
    let r = of("a.gpx.gz", &compress_gzip(gpx));
    assert_eq!(
        (r.kind.as_str(), r.title.as_deref(), rounded_bbox(&r)),
        ("gpx", Some("Walk"), Some([8.0, 47.0, 8.0, 47.0]))
    );
    let kml = br#"<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Point><coordinates>8,47</coordinates></Point></Placemark></kml>"#;
    assert_eq!(of("a.kml.gz", &compress_gzip(kml)).kind, "kml");
    assert_eq!(of("a.csv.gz", &compress_gzip(b"lat,lon\n47.5,8.5\n47.6,8.6\n")).kind, "csv-geo");
    assert_eq!(probe_record("a.gz", &compress_gzip(&compress_gzip(kml))), None, "not twice");
    assert_eq!(probe_record("a.tar.gz", &compress_gzip(&[0; 2000])), None);
}

#[test]
fn gml_keeps_the_order_that_its_system_asks_for() {
    let gml = |srs: &str| {
        format!(
            "<wfs:FeatureCollection xmlns:wfs='http://www.opengis.net/wfs/2.0' xmlns:gml='http://www.opengis.net/gml/3.2'>\
             <wfs:boundedBy><gml:Envelope srsName='{srs}'><gml:lowerCorner>47 8</gml:lowerCorner><gml:upperCorner>48 9</gml:upperCorner></gml:Envelope></wfs:boundedBy>\
             <wfs:member><x:Road xmlns:x='http://x.org'/></wfs:member><wfs:member><x:Road xmlns:x='http://x.org'/></wfs:member></wfs:FeatureCollection>"
        )
    };
    for (srs, bbox) in [
        ("urn:ogc:def:crs:EPSG::4326", [8.0, 47.0, 9.0, 48.0]),
        ("http://www.opengis.net/def/crs/EPSG/0/4326", [8.0, 47.0, 9.0, 48.0]),
        ("EPSG:4326", [47.0, 8.0, 48.0, 9.0]),
        ("urn:ogc:def:crs:OGC:1.3:CRS84", [47.0, 8.0, 48.0, 9.0]),
    ] {
        let r = of("a.gml", gml(srs).as_bytes());
        assert_eq!(rounded_bbox(&r), Some(bbox), "{srs}");
        assert_eq!((r.dataset_count, r.datasets[0].name.as_str()), (1, "x:Road"));
    }
}
