//! One file per kind of resource, and the list of them.
//!
//! Adding a kind: a file here, a line in [`KINDS`], and a folder `tests/kinds/<id>/` with at least a
//! document that is one and a look-alike that is not.

mod arcgis;
mod arcgis_portal;
mod arcims;
mod ckan;
pub mod cog;
pub mod copc;
pub mod csv_geo;
mod csw;
pub mod dcat;
pub(crate) mod dialogue;
mod erddap;
pub mod family;
pub mod filegdb;
pub mod flatgeobuf;
mod geojson;
mod geonetwork;
mod geonode;
pub mod geopackage;
pub mod geoparquet;
pub mod geotiff;
pub mod gml;
pub mod gpx;
pub mod grib;
pub mod hdf5;
mod i3s;
mod inspire_atom;
pub mod kml;
pub mod kmz;
pub mod las;
mod maplibre_style;
pub mod mbtiles;
mod members;
mod mvt;
mod ncwms;
pub mod netcdf;
mod oai_pmh;
mod ogcapi;
mod one_answer;
mod opendap;
mod opendatasoft;
mod opensearch;
mod ows;
pub mod pmtiles;
mod portal;
mod schemaorg_dataset;
mod sensorthings;
pub mod shapefile;
mod socrata;
mod sos;
mod stac;
mod stac_api;
mod stac_catalog;
pub(crate) mod thredds;
mod three_d_tiles;
mod tilejson;
mod tms;
mod topojson;
mod wcps;
mod wcs;
mod wfs;
mod wms;
mod wms_c;
mod wmts;
mod wps;
mod xyz;
mod zarr;

pub use mvt::layers as vector_tile_layers;

use crate::files::{Examined, FileView};
use crate::formats::json;
use crate::formats::xml::{Event, Reader, Violation};
use crate::model::{Issue, Resource};
use crate::probe::{Ask, Dialogue, Target};
use crate::sniff::XmlRoot;
use std::io::Read;
use url::Url;

/// What a kind is, for people: the published catalogue of kinds is made of this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindDoc {
    /// Stable id, used everywhere.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it is, in a sentence or two.
    pub what: &'static str,
    /// Where it is specified.
    pub specification: &'static str,
    /// What proves it.
    pub evidence: &'static str,
    /// What looks like it and is not.
    pub impostors: &'static str,
}

/// How an OGC service is asked for its capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwsRequest {
    /// Value of `SERVICE`.
    pub service: &'static str,
    /// Versions to try, in this order, when the server refuses a request without one.
    pub versions: &'static [&'static str],
}

/// A document claimed by a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim {
    /// Version of the document, as it says.
    pub version: Option<String>,
    /// What is odd about the root: code and message of an issue.
    pub oddity: Option<(&'static str, String)>,
}

impl Claim {
    /// A claim without reservation.
    pub fn of(root: &XmlRoot) -> Self {
        Self { version: root.version.clone(), oddity: None }
    }

    /// A claim of a root that has no namespace where it should.
    pub fn without_namespace(root: &XmlRoot) -> Self {
        let oddity = Some(("namespace-missing", "the root element has no namespace".to_owned()));
        Self { version: root.version.clone(), oddity }
    }
}

/// What was read of a document.
#[derive(Debug, Default)]
pub struct Reading {
    /// The resource, and others that the same document proves.
    pub resources: Vec<Resource>,
    /// The first geographic box in document order, as written: `[west, south, east, north]`.
    pub first_box: Option<[f64; 4]>,
    /// Why the document is not well-formed, if it is not.
    pub violation: Option<Violation>,
    /// What the document points to and is worth requesting: services of a directory, sources of a style.
    pub targets: Vec<Target>,
    /// The address that a capabilities document gives for requests.
    pub advertised: Option<String>,
    /// What is odd about a document that proves nothing.
    pub issues: Vec<Issue>,
    /// What sort of document it is, where a kind has several (`stac-collection`).
    pub document: Option<&'static str>,
}

/// A kind of resource.
pub trait Kind: Sync {
    /// What it is.
    fn doc(&self) -> &'static KindDoc;

    /// How to ask an endpoint for it, if it is a service.
    fn ows(&self) -> Option<&'static OwsRequest> {
        None
    }

    /// Whether a document with this root is one.
    fn claims(&self, _root: &XmlRoot) -> Option<Claim> {
        None
    }

    /// Reads a claimed document; its root has just begun. `endpoint` is the URL that answered, without
    /// request parameters.
    fn read(&self, _reader: &mut Reader<'_>, _root: &XmlRoot, _claim: Claim, _endpoint: &str) -> Reading {
        Reading::default()
    }

    /// Whether this JSON document is one.
    fn claims_json(&self, _doc: &json::Doc, _at: &Url) -> Option<Claim> {
        None
    }

    /// Reads a claimed JSON document. `at` is the URL that answered.
    fn read_json(&self, _doc: &json::Doc, _claim: Claim, _at: &Url) -> Reading {
        Reading::default()
    }

    /// Reads a text that is neither XML nor JSON, if it is one. `at` is the URL that answered.
    fn read_text(&self, _text: &str, _at: &Url) -> Option<Reading> {
        None
    }

    /// What the bytes at hand of a data file say: `None` when they are no such file.
    fn examine(&self, _file: &FileView<'_>) -> Option<Examined> {
        None
    }

    /// Lower-case pieces of an address, one of which stands in every address that [`Kind::hint`] knows.
    fn marks(&self) -> &'static [&'static str] {
        &[]
    }

    /// Where to ask, when an address looks like a service of this kind that is asked by
    /// [`Kind::approach`]. Called only for addresses with one of the [`Kind::marks`].
    fn hint(&self, _url: &Url) -> Option<Url> {
        None
    }

    /// How to ask an address whether it is one.
    fn approach(&self, _at: &Url) -> Option<(Box<dyn Dialogue>, Ask)> {
        None
    }
}

/// All kinds, sorted by id.
pub static KINDS: &[&dyn Kind] = &[
    &three_d_tiles::ThreeDTiles,
    &arcgis::directory::ArcgisDirectory,
    &arcgis::featureserver::ArcgisFeatureServer,
    &arcgis::geocodeserver::ArcgisGeocodeServer,
    &arcgis::gpserver::ArcgisGpServer,
    &arcgis::imageserver::ArcgisImageServer,
    &arcgis::mapserver::ArcgisMapServer,
    &arcgis_portal::ArcgisPortal,
    &arcgis::sceneserver::ArcgisSceneServer,
    &arcgis::vectortileserver::ArcgisVectorTileServer,
    &arcims::Arcims,
    &ckan::Ckan,
    &cog::Cog,
    &copc::Copc,
    &csv_geo::CsvGeo,
    &csw::Csw,
    &dcat::Dcat,
    &erddap::Erddap,
    &filegdb::FileGdb,
    &flatgeobuf::FlatGeobuf,
    &geojson::GeoJson,
    &geonetwork::GeoNetwork,
    &geonode::GeoNode,
    &geopackage::GeoPackage,
    &geoparquet::GeoParquet,
    &geotiff::GeoTiff,
    &gml::Gml,
    &gpx::Gpx,
    &grib::Grib,
    &hdf5::Hdf5,
    &i3s::I3s,
    &inspire_atom::InspireAtom,
    &kml::Kml,
    &kmz::Kmz,
    &las::Las,
    &maplibre_style::MaplibreStyle,
    &mbtiles::MbTiles,
    &mvt::Mvt,
    &ncwms::Ncwms,
    &netcdf::NetCdf,
    &oai_pmh::OaiPmh,
    &ogcapi::coverages::COVERAGES,
    &ogcapi::edr::EDR,
    &ogcapi::features::FEATURES,
    &ogcapi::maps::MAPS,
    &ogcapi::processes::PROCESSES,
    &ogcapi::records::RECORDS,
    &ogcapi::styles::STYLES,
    &ogcapi::tiles::TILES,
    &opendap::Opendap,
    &opendatasoft::OpenDataSoft,
    &opensearch::OpenSearch,
    &pmtiles::PmTiles,
    &schemaorg_dataset::SchemaOrgDataset,
    &sensorthings::SensorThings,
    &shapefile::Shapefile,
    &socrata::Socrata,
    &sos::Sos,
    &stac_api::StacApi,
    &stac_catalog::StacCatalog,
    &thredds::Thredds,
    &tilejson::TileJson,
    &tms::Tms,
    &topojson::TopoJson,
    &wcps::Wcps,
    &wcs::Wcs,
    &wfs::Wfs,
    &wms::Wms,
    &wms_c::WmsC,
    &wmts::Wmts,
    &wps::Wps,
    &xyz::Xyz,
    &zarr::Zarr,
];

/// The server software that a text or an address shows.
pub fn software_of(text: &str) -> Option<String> {
    ows::software::detect(text)
}

/// The kind with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Kind> {
    KINDS.binary_search_by(|k| k.doc().id.cmp(id)).ok().map(|i| KINDS[i])
}

/// The kind that claims a document with this root.
pub fn claiming(root: &XmlRoot) -> Option<(&'static dyn Kind, Claim)> {
    KINDS.iter().find_map(|k| k.claims(root).map(|claim| (*k, claim)))
}

/// The kinds that claim a JSON document, each with what it reads there: one document may prove several.
pub fn read_json(doc: &json::Doc, at: &Url) -> Vec<(&'static dyn Kind, Reading)> {
    let claims = KINDS.iter().filter_map(|kind| kind.claims_json(doc, at).map(|claim| (*kind, claim)));
    claims.map(|(kind, claim)| (kind, kind.read_json(doc, claim, at))).collect()
}

/// What a text that is neither XML nor JSON proves.
pub fn read_text(text: &str, at: &Url) -> Option<(&'static dyn Kind, Reading)> {
    KINDS.iter().find_map(|kind| kind.read_text(text, at).map(|reading| (*kind, reading)))
}

/// Reads a document that a kind claims, as a stream; `None` when none does. `endpoint` is the URL that
/// answered, without request parameters.
pub fn read_document(
    stream: &mut dyn Read,
    http_charset: Option<&str>,
    endpoint: &str,
) -> Option<(&'static dyn Kind, XmlRoot, Reading)> {
    let mut reader = Reader::new(stream, http_charset);
    let mut comments = String::new();
    loop {
        match reader.next() {
            Event::Start => break,
            Event::Comment if comments.len() < 4096 => {
                comments.push_str(&String::from_utf8_lossy(reader.raw()));
            }
            Event::Eof => return None,
            _ => {}
        }
    }
    let mut root = XmlRoot::of(&reader);
    root.comments = comments;
    let (kind, claim) = claiming(&root)?;
    let mut reading = kind.read(&mut reader, &root, claim, endpoint);
    reading.violation = reader.violation().cloned();
    Some((kind, root, reading))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_documented() {
        for pair in KINDS.windows(2) {
            assert!(pair[0].doc().id < pair[1].doc().id, "{} before {}", pair[0].doc().id, pair[1].doc().id);
        }
        for kind in KINDS {
            let doc = kind.doc();
            assert!(
                doc.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                doc.id
            );
            for text in [doc.name, doc.what, doc.evidence, doc.impostors] {
                assert!(text.len() > 2, "{} is not documented", doc.id);
            }
            assert!(doc.specification.starts_with("https://"), "{} has no specification", doc.id);
            assert!(by_id(doc.id).is_some());
        }
    }
}
