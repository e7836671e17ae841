//! COG, Cloud Optimized GeoTIFF: a GeoTIFF laid out so that parts of it can be read with range
//! requests.
//!
//! - **Specification**: OGC Cloud Optimized GeoTIFF 1.0 (21-026).
//! - **Recognised by**: a GeoTIFF whose first image is tiled, and either GDAL's note
//!   `LAYOUT=IFDS_BEFORE_DATA` after the header, or overviews whose directories precede all pixels.
//! - **Dataset**: the file is one dataset.
//! - **False positives**: tiled GeoTIFFs without overviews, or with overviews appended after the
//!   pixels.

use super::geotiff::{self, TiffLayout};
use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, MapRenderer, QgisLayer};
use crate::files::{FileExamination, FileView, SparseFile};
use crate::formats::tiff::{TiffFile, is_tiff, tag};

/// The `cog` kind.
pub struct CogKind;

/// Kind id.
const ID: &str = "cog";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "Cloud Optimized GeoTIFF",
    what: "A GeoTIFF laid out so that parts of it can be read with range requests: tiled, with overviews, directories first. The file is one dataset.",
    specification: "https://docs.ogc.org/is/21-026/21-026.html",
    evidence: "A tiled GeoTIFF with GDAL's layout note after the header, or with overviews whose directories precede all pixels.",
    false_positives: "Tiled GeoTIFFs without overviews, or with overviews appended after the pixels.",
    description: DescriptionFormat::Types(&["image/tiff", "image/geotiff", "image/x-geotiff"]),
    protocol: Some("WWW:DOWNLOAD-GeoTIFF"),
    corpus_labels: &[CorpusLabel::plain("geotiff-cog")],
    drawer: Some(MapRenderer::Cog),
    terria_type: Some("cog"),
    qgis_layer: Some(QgisLayer::Raster),
    ..KindProfile::FILE
};

static FORM: TiffLayout = TiffLayout {
    kind: ID,
    media_type: "image/tiff; application=geotiff; profile=cloud-optimized",
    document: "geotiff-cog",
    evidence: ", laid out for ranges",
};

impl Kind for CogKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        if !is_tiff(view.file.head()) {
            return None;
        }
        let tiff = TiffFile::read_directories(view.file)?;
        is_cog(&tiff, view.file).then(|| geotiff::read_geotiff(view, &tiff, &FORM)).flatten()
    }
}

/// Returns whether a GeoTIFF is cloud-optimised, as far as its directories are available.
fn is_cog(tiff: &TiffFile, file: &SparseFile) -> bool {
    let Some(first) = tiff.directories.first() else { return false };
    if !tiff.has_tag(first, tag::TILE_WIDTH) {
        return false;
    }
    if let Some(note) = &tiff.note {
        let broken_since = note.contains("KNOWN_INCOMPATIBLE_EDITION=YES");
        return note.contains("LAYOUT=IFDS_BEFORE_DATA") && !broken_since;
    }
    // Bit 0 marks a reduced version of another image.
    let is_overview =
        |d| matches!(tiff.first_number(file, d, tag::NEW_SUBFILE_TYPE), Ok(Some(t)) if t as u64 & 1 == 1);
    let overviews = tiff.directories.iter().skip(1).any(is_overview);
    let last_directory = tiff.directories.iter().map(|d| d.at).max().unwrap_or(0);
    let pixels_behind = tiff.directories.iter().all(|d| {
        let tile = tiff.first_number(file, d, tag::TILE_OFFSETS).ok().flatten();
        tile.is_some_and(|at| at == 0.0 || at > last_directory as f64)
    });
    overviews && tiff.lack.is_none() && pixels_behind
}
