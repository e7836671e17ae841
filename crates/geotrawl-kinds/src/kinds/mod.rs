//! One file per kind of resource, and the list of all kinds.
//!
//! To add a kind: a file here, a line in [`KINDS`], and a folder `tests/kinds/<id>/` with at least
//! one document of that kind and one look-alike that is not.

mod arcgis;
mod arcgis_analysis;
mod arcgis_portal;
mod arcims;
mod ckan;
mod cog;
mod connected_systems;
mod copc;
mod csv_geo;
mod csw;
pub mod dcat;
mod derived;
mod erddap;
mod filegdb;
pub mod flatgeobuf;
mod geojson;
mod geonetwork;
mod geonode;
mod geopackage;
pub mod geoparquet;
mod geotiff;
pub mod gml;
pub mod gpx;
pub mod grib;
pub mod hdf5;
mod i3s;
mod inspire_atom;
pub mod kml;
pub mod kmz;
mod las;
mod maplibre_style;
mod mbtiles;
mod members;
mod mvt;
mod ncwms;
pub mod netcdf;
mod oai_pmh;
mod ogcapi;
mod opendap;
mod opendatasoft;
mod opensearch;
mod ows;
pub mod pmtiles;
mod portal;
mod portolan;
mod profile;
mod schemaorg_dataset;
mod sensorthings;
pub mod shapefile;
pub(crate) mod single_document;
mod single_response;
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

pub use derived::{DerivedEvidence, ParentDocument};
pub use mvt::tile_layers as vector_tile_layers;
pub use ogcapi::LinkedApi;
pub use profile::{
    CorpusLabel, DescriptionFormat, DescriptionRequest, Family, HostingForm, KindProfile, MapRenderer,
    MetadataDepth, QgisConnection, QgisLayer, RubricRow,
};

use crate::files::{ArchiveView, FileExamination, FileView, HEAD_LEN, TextFile, TextStart};
use crate::formats::json;
use crate::formats::xml::{Violation, XmlEvent, XmlReader};
use crate::probe::{CrawlTarget, ProbeRequest, ServiceProbe};
use crate::sniff::XmlRoot;
use geotrawl_model::{Issue, Resource};
use std::io::Read;
use std::sync::LazyLock;
use url::Url;

/// How to request the capabilities of an OGC service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwsRequest {
    /// Value of the `SERVICE` parameter.
    pub service: &'static str,
    /// Versions to try, in this order, if the server rejects a request without one.
    pub versions: &'static [&'static str],
    /// Operations that only this service has, in lower case.
    pub operations: &'static [&'static str],
}

/// A document claimed by a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentClaim {
    /// Version stated in the document.
    pub version: Option<String>,
    /// Code and message of an issue with the root element.
    pub oddity: Option<(&'static str, String)>,
}

impl DocumentClaim {
    /// Claims a document without reservation.
    pub fn from_root(root: &XmlRoot) -> Self {
        Self { version: root.version.clone(), oddity: None }
    }

    /// Claims a document whose root lacks its namespace.
    pub fn without_namespace(root: &XmlRoot) -> Self {
        let oddity = Some(("namespace-missing", "the root element has no namespace".to_owned()));
        Self { version: root.version.clone(), oddity }
    }
}

/// How certain the start of a file makes a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimCertainty {
    /// The file is of the kind.
    Yes,
    /// The rest of the file decides.
    Perhaps,
}

/// What a kind read from a document.
#[derive(Debug, Default)]
pub struct DocumentReading {
    /// The resource, and other resources that the same document proves.
    pub resources: Vec<Resource>,
    /// The first geographic box in document order, as written: `[west, south, east, north]`.
    pub first_box: Option<[f64; 4]>,
    /// Why the document is not well-formed, if so.
    pub violation: Option<Violation>,
    /// Links worth requesting: services of a directory, sources of a style.
    pub targets: Vec<CrawlTarget>,
    /// Service URL stated in a capabilities document.
    pub advertised: Option<String>,
    /// Issues of a document that proves no resource.
    pub issues: Vec<Issue>,
    /// Type of the document, if the kind has several (`stac-collection`).
    pub document: Option<&'static str>,
    /// Evidence for other kinds in the document.
    pub signs: DerivedEvidence,
}

/// A kind of resource.
pub trait Kind: Sync {
    /// Returns the description of this kind.
    fn profile(&self) -> &'static KindProfile;

    /// Returns how to request the capabilities, if it is an OGC service.
    fn ows(&self) -> Option<&'static OwsRequest> {
        None
    }

    /// Returns the API proven by its conformance classes when an OGC API is probed, if it is one.
    fn linked_api(&self) -> Option<&LinkedApi> {
        None
    }

    /// Returns a claim if a document with this root is of this kind.
    fn claim_xml(&self, _root: &XmlRoot) -> Option<DocumentClaim> {
        None
    }

    /// Reads a claimed XML document, whose root the reader has just entered. `endpoint` is the URL
    /// that responded, without request parameters.
    fn read_xml(
        &self,
        _reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        _claim: DocumentClaim,
        _endpoint: &str,
    ) -> DocumentReading {
        DocumentReading::default()
    }

    /// Returns a claim if this JSON document is of this kind.
    fn claim_json(&self, _doc: &json::JsonDocument, _at: &Url) -> Option<DocumentClaim> {
        None
    }

    /// Reads a claimed JSON document. `at` is the URL that responded.
    fn read_json(&self, _doc: &json::JsonDocument, _claim: DocumentClaim, _at: &Url) -> DocumentReading {
        DocumentReading::default()
    }

    /// Reads a text that is neither XML nor JSON, if it is of this kind. `at` is the URL that
    /// responded.
    fn read_text(&self, _text: &str, _at: &Url) -> Option<DocumentReading> {
        None
    }

    /// Returns this kind's resource if a document that was read as another kind also proves it.
    fn derive_resource(&self, _parent: &ParentDocument<'_>) -> Option<Resource> {
        None
    }

    /// Returns how many bytes of a file are requested first if its URL looks like this kind.
    fn first_range_len(&self) -> u64 {
        HEAD_LEN
    }

    /// Identifies a data file from the bytes available; returns `None` if it is not of this kind.
    /// Kinds are tried in the order of [`KINDS`], so a special case of another kind must sort
    /// before it.
    fn examine_file(&self, _file: &FileView<'_>) -> Option<FileExamination> {
        None
    }

    /// Returns the extensions of entries that make a ZIP archive look like this kind.
    fn archive_extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Examines the entries of a ZIP archive; returns `None` if they are not of this kind.
    fn examine_archive(&self, _archive: &ArchiveView<'_>) -> Option<FileExamination> {
        None
    }

    /// Returns whether the start of a text data file (XML or a table) is of this kind. [`KINDS`]
    /// are tried in order; the first certain one reads the file, otherwise the first possible one.
    fn claim_text_file(&self, _start: &TextStart<'_>) -> Option<ClaimCertainty> {
        None
    }

    /// Reads a claimed text data file; returns `None` if it is not of this kind after all. The
    /// returned requests say how much of the file is worth reading.
    fn read_text_file(&self, _file: TextFile<'_>) -> Option<FileExamination> {
        None
    }

    /// Returns lower-case substrings, one of which occurs in every URL that [`Kind::probe_url`]
    /// accepts.
    fn url_marks(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the URL to probe if a URL looks like a service of this kind that is probed with
    /// [`Kind::start_probe`]. Called only for URLs that contain one of the [`Kind::url_marks`].
    fn probe_url(&self, _url: &Url) -> Option<Url> {
        None
    }

    /// Starts a probe of a URL for this kind.
    fn start_probe(&self, _at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        None
    }
}

/// All kinds, sorted by id.
pub static KINDS: &[&dyn Kind] = &[
    &three_d_tiles::ThreeDTilesKind,
    &arcgis::directory::ArcgisDirectoryKind,
    &arcgis::featureserver::ArcgisFeatureServerKind,
    &arcgis::geocodeserver::ArcgisGeocodeServerKind,
    &arcgis_analysis::ArcgisGeometryServerKind,
    &arcgis::gpserver::ArcgisGpServerKind,
    &arcgis::imageserver::ArcgisImageServerKind,
    &arcgis::mapserver::ArcgisMapServerKind,
    &arcgis_analysis::ArcgisNaServerKind,
    &arcgis_portal::ArcgisPortalKind,
    &arcgis::sceneserver::ArcgisSceneServerKind,
    &arcgis::vectortileserver::ArcgisVectorTileServerKind,
    &arcims::ArcimsKind,
    &ckan::CkanKind,
    &cog::CogKind,
    &copc::CopcKind,
    &csv_geo::CsvGeoKind,
    &csw::CswKind,
    &dcat::DcatKind,
    &erddap::ErddapKind,
    &filegdb::FileGdbKind,
    &flatgeobuf::FlatGeobufKind,
    &geojson::GeoJsonKind,
    &geonetwork::GeoNetworkKind,
    &geonode::GeoNodeKind,
    &geopackage::GeoPackageKind,
    &geoparquet::GeoParquetKind,
    &geotiff::GeoTiffKind,
    &gml::GmlKind,
    &gpx::GpxKind,
    &grib::GribKind,
    &hdf5::Hdf5Kind,
    &i3s::I3sKind,
    &inspire_atom::InspireAtomKind,
    &kml::KmlKind,
    &kmz::KmzKind,
    &las::LasKind,
    &maplibre_style::MaplibreStyleKind,
    &mbtiles::MbTilesKind,
    &mvt::MvtKind,
    &ncwms::NcwmsKind,
    &netcdf::NetCdfKind,
    &oai_pmh::OaiPmhKind,
    &connected_systems::CONNECTED_SYSTEMS,
    &ogcapi::coverages::COVERAGES,
    &ogcapi::edr::EDR,
    &ogcapi::features::FEATURES,
    &ogcapi::maps::MAPS,
    &ogcapi::processes::PROCESSES,
    &ogcapi::records::RECORDS,
    &ogcapi::styles::STYLES,
    &ogcapi::tiles::TILES,
    &opendap::OpendapKind,
    &opendatasoft::OpenDataSoftKind,
    &opensearch::OpenSearchKind,
    &pmtiles::PmTilesKind,
    &portolan::PortolanKind,
    &schemaorg_dataset::SchemaOrgDatasetKind,
    &sensorthings::SensorThingsKind,
    &shapefile::ShapefileKind,
    &socrata::SocrataKind,
    &sos::SosKind,
    &stac_api::StacApiKind,
    &stac_catalog::StacCatalogKind,
    &thredds::ThreddsKind,
    &tilejson::TileJsonKind,
    &tms::TmsKind,
    &topojson::TopoJsonKind,
    &wcps::WcpsKind,
    &wcs::WcsKind,
    &wfs::WfsKind,
    &wms::WmsKind,
    &wms_c::WmsCKind,
    &wmts::WmtsKind,
    &wps::WpsKind,
    &xyz::XyzKind,
    &zarr::ZarrKind,
];

/// Detects the server software from a text or URL.
pub fn software_of(text: &str) -> Option<String> {
    ows::software::detect_software(text)
}

/// Returns the kind with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Kind> {
    KINDS.binary_search_by(|k| k.profile().id.cmp(id)).ok().map(|i| KINDS[i])
}

/// Returns the profile of the kind with this id.
pub fn kind_profile(id: &str) -> Option<&'static KindProfile> {
    by_id(id).map(Kind::profile)
}

/// Returns the family of the kind with this id, or [`Family::Other`] for an unknown id.
pub fn kind_family(id: &str) -> Family {
    kind_profile(id).map_or(Family::Other, |profile| profile.family)
}

/// Returns the kind of ArcGIS service with this type (`MapServer`) in URLs and directories,
/// ignoring case.
pub fn by_arcgis_type(arcgis_type: &str) -> Option<&'static KindProfile> {
    let mut profiles = KINDS.iter().map(|kind| kind.profile());
    profiles.find(|profile| profile.arcgis_type.is_some_and(|own| own.eq_ignore_ascii_case(arcgis_type)))
}

/// Returns the kind to probe for a service in an ArcGIS directory; `None` for services without
/// data.
pub fn kind_of_arcgis_service(arcgis_type: &str) -> Option<&'static str> {
    let is_ogc = arcgis_type.eq_ignore_ascii_case("OGCFeatureServer");
    by_arcgis_type(arcgis_type).map(|profile| profile.id).or(is_ogc.then_some("ogcapi-features"))
}

/// Returns the kind that an OGC operation (`getmap`, in lower case) belongs to.
pub fn by_operation(operation: &str) -> Option<&'static str> {
    static OPERATIONS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        let of_kind = |kind: &&'static dyn Kind| {
            let id = kind.profile().id;
            let operations = kind.ows().map_or(&[][..], |ows| ows.operations);
            operations.iter().map(move |&operation| (operation, id))
        };
        let mut operations: Vec<_> = KINDS.iter().flat_map(of_kind).collect();
        operations.sort_unstable();
        operations
    });
    let at = OPERATIONS.binary_search_by(|(known, _)| (*known).cmp(operation)).ok()?;
    OPERATIONS.get(at).map(|(_, kind)| *kind)
}

/// Returns the ids of the kinds that are probed with an [`OwsRequest`].
pub fn ows_kinds() -> &'static [&'static str] {
    static IDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        KINDS.iter().filter(|kind| kind.ows().is_some()).map(|kind| kind.profile().id).collect()
    });
    &IDS
}

/// Returns the kind identified by a media type, whatever the URL looks like.
pub fn by_media_type(media_type: &str) -> Option<&'static dyn Kind> {
    static TYPES: LazyLock<Vec<(&str, &dyn Kind)>> = LazyLock::new(|| {
        let of_kind = |kind: &&'static dyn Kind| {
            let kind = *kind;
            kind.profile().media_types.iter().map(move |&media_type| (media_type, kind))
        };
        let mut types: Vec<_> = KINDS.iter().flat_map(of_kind).collect();
        types.sort_unstable_by_key(|(media_type, _)| *media_type);
        types
    });
    let at = TYPES.binary_search_by(|(known, _)| (*known).cmp(media_type)).ok()?;
    TYPES.get(at).map(|(_, kind)| *kind)
}

/// Returns the kind that claims a document with this root.
pub fn claiming_kind(root: &XmlRoot) -> Option<(&'static dyn Kind, DocumentClaim)> {
    KINDS.iter().find_map(|k| k.claim_xml(root).map(|claim| (*k, claim)))
}

/// Reads a JSON document with every kind that claims it: one document may prove several.
pub fn read_json(doc: &json::JsonDocument, at: &Url) -> Vec<(&'static dyn Kind, DocumentReading)> {
    let claims = KINDS.iter().filter_map(|kind| kind.claim_json(doc, at).map(|claim| (*kind, claim)));
    claims.map(|(kind, claim)| (kind, kind.read_json(doc, claim, at))).collect()
}

/// Reads a text that is neither XML nor JSON with the kind that recognises it.
pub fn read_text(text: &str, at: &Url) -> Option<(&'static dyn Kind, DocumentReading)> {
    KINDS.iter().find_map(|kind| kind.read_text(text, at).map(|reading| (*kind, reading)))
}

/// Returns the kind that claims a text data file by its start.
pub fn text_file_kind(start: &TextStart<'_>) -> Option<(&'static dyn Kind, ClaimCertainty)> {
    let mut perhaps = None;
    for kind in KINDS {
        match kind.claim_text_file(start) {
            Some(ClaimCertainty::Yes) => return Some((*kind, ClaimCertainty::Yes)),
            Some(ClaimCertainty::Perhaps) if perhaps.is_none() => {
                perhaps = Some((*kind, ClaimCertainty::Perhaps));
            }
            _ => {}
        }
    }
    perhaps
}

/// Reads a claimed document as a stream. Returns `None` if no kind claims it. `endpoint` is the URL
/// that responded, without request parameters.
pub fn read_document(
    stream: &mut dyn Read,
    http_charset: Option<&str>,
    endpoint: &str,
) -> Option<(&'static dyn Kind, XmlRoot, DocumentReading)> {
    let mut reader = XmlReader::new(stream, http_charset);
    let mut comments = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => break,
            XmlEvent::Comment if comments.len() < 4096 => {
                comments.push_str(&String::from_utf8_lossy(reader.raw_bytes()));
            }
            XmlEvent::Eof => return None,
            _ => {}
        }
    }
    let mut root = XmlRoot::from_reader(&reader);
    root.comments = comments;
    let (kind, claim) = claiming_kind(&root)?;
    let mut reading = kind.read_xml(&mut reader, &root, claim, endpoint);
    reading.violation = reader.violation().cloned();
    if let Some(resource) = reading.resources.first() {
        let parent = ParentDocument { kind: kind.profile().id, resource, root: &root, signs: &reading.signs };
        let derived: Vec<Resource> =
            KINDS.iter().filter_map(|other| other.derive_resource(&parent)).collect();
        reading.resources.extend(derived);
    }
    Some((kind, root, reading))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases_are_examined_before_the_kinds_that_they_are_cases_of() {
        let at = |id: &str| KINDS.iter().position(|kind| kind.profile().id == id);
        assert!(at("cog") < at("geotiff") && at("copc") < at("las"));
    }

    #[test]
    fn the_list_is_sorted_and_documented() {
        for pair in KINDS.windows(2) {
            assert!(
                pair[0].profile().id < pair[1].profile().id,
                "{} before {}",
                pair[0].profile().id,
                pair[1].profile().id
            );
        }
        for kind in KINDS {
            let doc = kind.profile();
            assert!(
                doc.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                doc.id
            );
            for text in [doc.name, doc.what, doc.specification, doc.evidence, doc.false_positives] {
                assert!(text.len() > 2, "{} is not documented", doc.id);
                assert!(!text.contains("TODO"), "{}: replace the text of the template: {text}", doc.id);
            }
            assert!(doc.specification.starts_with("https://"), "{} has no specification", doc.id);
            assert!(by_id(doc.id).is_some());
        }
    }
}
