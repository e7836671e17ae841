//! Places computed against control points.

use super::*;

#[test]
fn systems_are_named_in_many_ways() {
    for text in [
        "EPSG:25832",
        "epsg:25832",
        "urn:ogc:def:crs:EPSG::25832",
        "urn:ogc:def:crs:EPSG:6.9:25832",
        "urn:x-ogc:def:crs:EPSG:25832",
        "http://www.opengis.net/def/crs/EPSG/0/25832",
        "https://www.opengis.net/def/crs/EPSG/9.9.1/25832/",
        "http://www.opengis.net/gml/srs/epsg.xml#25832",
    ] {
        assert_eq!(CrsRef::from_text(text), Some(CrsRef::Epsg(25832)), "{text}");
    }
    for text in [
        "CRS:84",
        "OGC:CRS84",
        "urn:ogc:def:crs:OGC:1.3:CRS84",
        "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    ] {
        assert_eq!(CrsRef::from_text(text), Some(CrsRef::Crs84), "{text}");
    }
    assert_eq!(CrsRef::from_text("EPSG:900913"), Some(CrsRef::Epsg(3857)));
    for text in ["", "EPSG:", "EPSG:abc", "AUTO:42001", "none", "urn:", "CRS:83"] {
        assert_eq!(CrsRef::from_text(text), None, "{text}");
    }
}
