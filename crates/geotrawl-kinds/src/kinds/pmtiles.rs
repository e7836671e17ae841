//! PMTiles: a set of map tiles in one file made for range requests.
//!
//! - **Specification**: PMTiles 3.
//! - **Recognised by**: `PMTiles` and the version in the eighth byte.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: from the header; name, description and layers from the metadata, with a second
//!   range.
//! - **False positives**: none known; versions other than 3 are identified but not read.

use super::{CorpusLabel, DescriptionFormat, Family, Kind, KindProfile, MapRenderer, MetadataDepth, mbtiles};
use crate::files::{
    FileDescription, FileExamination, FileView, SparseReadError, bbox_from_degrees, request_missing,
};
use crate::formats::pmtiles::{self, PmtilesHeader};
use geotrawl_model::Issue;
use serde_json::Value;
use std::io::Read;

/// The `pmtiles` kind.
pub struct PmTilesKind;

/// Kind id.
pub const ID: &str = "pmtiles";
const MEDIA_TYPE: &str = "application/vnd.pmtiles";
/// Maximum compressed size of the metadata.
const MAX_METADATA: u64 = 512 * 1024;
/// Maximum decompressed size of the metadata.
const MAX_UNPACKED: u64 = 4 * 1024 * 1024;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "PMTiles",
    what: "A set of map tiles, images or vectors, in one file made for range requests. The file is one dataset.",
    specification: "https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md",
    evidence: "The bytes PMTiles and the version; extent from the header, name and layers from the metadata, with a second range.",
    false_positives: "None known; versions other than 3 are identified but not read.",
    family: Family::Tiles,
    description: DescriptionFormat::Types(&["application/vnd.pmtiles", "application/octet-stream"]),
    extensions: &["pmtiles"],
    fixed_crs: true,
    metadata: MetadataDepth::Terse,
    corpus_labels: &[CorpusLabel::versioned("pmtiles")],
    drawer: Some(MapRenderer::Pmtiles),
    ..KindProfile::FILE
};

impl Kind for PmTilesKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let head = view.file.head();
        let version = pmtiles::detect_version(head)?;
        let mut sheet =
            FileDescription::new(ID, MEDIA_TYPE, format!("magic bytes PMTiles, version {version}"));
        sheet.versions = vec![version.to_string()];
        // The format prescribes Web Mercator.
        sheet.crs = vec!["EPSG:3857".into()];
        let Some(header) = pmtiles::parse_header(head) else {
            let message =
                if version == 3 { "the header is cut short" } else { "this version is not supported" };
            sheet.issues.push(Issue::new("header-unread", message));
            return Some(FileExamination::proven_file(sheet.into_found(view.url), "pmtiles"));
        };
        let (bbox, issue) = bbox_from_degrees(header.bounds);
        sheet.bbox = bbox;
        sheet.issues.extend(issue);
        let mut wants = Vec::new();
        let mut layers = Vec::new();
        match metadata(view, &header) {
            Ok(json) => {
                let text = |name: &str| json.get(name).and_then(Value::as_str).map(str::to_owned);
                sheet.title = text("name");
                sheet.abstract_ = text("description");
                sheet.licence = text("attribution");
                layers = mbtiles::layers_of(&json);
            }
            Err(Ok(lack)) => wants.extend(request_missing(view.file, lack, 0)),
            Err(Err(issue)) => sheet.issues.push(issue),
        }
        let mut found = sheet.into_found(view.url);
        found.resource.formats.extend(tile_format(header.tile_type).map(Into::into));
        mbtiles::name_layers(&mut found.resource.datasets, &layers);
        Some(FileExamination::proven_file(found, "pmtiles").with_requests(wants))
    }
}

fn tile_format(tile_type: u8) -> Option<&'static str> {
    match tile_type {
        1 => Some("application/vnd.mapbox-vector-tile"),
        2 => Some("image/png"),
        3 => Some("image/jpeg"),
        4 => Some("image/webp"),
        5 => Some("image/avif"),
        6 => Some("application/vnd.maplibre-vector-tile"),
        _ => None,
    }
}

/// Returns the metadata, or the missing bytes, or the reason why it cannot be read.
fn metadata(view: &FileView<'_>, header: &PmtilesHeader) -> Result<Value, Result<SparseReadError, Issue>> {
    let unread = |why: &str| Err(Issue::new("metadata-unread", why));
    let (at, length) = header.metadata;
    if length > MAX_METADATA {
        return Err(unread("the metadata is too long to be fetched"));
    }
    let bytes = match view.file.read_range(at, length) {
        Ok(bytes) => bytes,
        Err(SparseReadError::Damage) => return Err(unread("the metadata is not where the header says")),
        Err(lack) => return Err(Ok(lack)),
    };
    let mut unpacked = Vec::new();
    match header.compression {
        0 | 1 => unpacked.extend_from_slice(bytes),
        2 => {
            let mut decoder = flate2::read::MultiGzDecoder::new(bytes).take(MAX_UNPACKED);
            // Damaged data is decompressed as far as possible; the JSON parser decides whether it
            // is usable.
            let _ = decoder.read_to_end(&mut unpacked);
        }
        _ => return Err(unread("the compression of the metadata is not supported")),
    }
    serde_json::from_slice(&unpacked).map_err(|error| unread(&format!("the metadata is not JSON: {error}")))
}
