//! KML documents and KMZ archives.

use super::sparse::SparseFile;
use super::zip::{ZipMember, ZipMethod, write_zip};
use crate::rng::SeededRng;
use crate::service::escape_xml_text;
use std::fmt::Write as _;

/// Generates a KML document with `places` placemarks inside `bbox`; `flavour` selects the namespace
/// and structure.
pub(crate) fn write_kml(title: &str, bbox: [f64; 4], places: usize, flavour: usize, seed: u64) -> String {
    let mut rng = SeededRng::new(seed);
    let namespace = match flavour % 4 {
        0 | 1 => " xmlns=\"http://www.opengis.net/kml/2.2\"",
        2 => " xmlns=\"http://earth.google.com/kml/2.1\"",
        _ => " xmlns=\"http://earth.google.com/kml/2.0\"",
    };
    let mut out = String::with_capacity(400 + places * 200);
    if flavour % 5 != 4 {
        out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    }
    let _ = writeln!(
        out,
        "<kml{namespace}>\n<Document>\n  <name>{0}</name>\n  <description>{0}</description>\n  <Style id=\"s\"><IconStyle><scale>1.1</scale></IconStyle></Style>",
        escape_xml_text(title)
    );
    let [west, south, east, north] = bbox;
    for index in 0..places {
        // The first two are in the corners, so that the extent of the document is the box.
        let (x, y) = match index {
            0 => (west, south),
            1 => (east, north),
            _ => (west + (east - west) * rng.unit(), south + (north - south) * rng.unit()),
        };
        let _ = writeln!(
            out,
            "  <Placemark><name>{index}</name><styleUrl>#s</styleUrl><Point><coordinates>{x:.5},{y:.5},0</coordinates></Point></Placemark>"
        );
    }
    out.push_str("</Document>\n</kml>\n");
    out
}

/// Generates a KMZ archive with a KML document.
pub(crate) fn write_kmz(kml: &str, flavour: usize) -> SparseFile {
    let name = match flavour % 3 {
        0 | 1 => "doc.kml",
        _ => "places.kml",
    };
    let mut entries = vec![ZipMember::new(name, kml, ZipMethod::Deflated)];
    if flavour % 2 == 1 {
        entries.insert(0, ZipMember::new("files/icon.png", crate::service::PIXEL, ZipMethod::Stored));
    }
    write_zip(&entries, "")
}
