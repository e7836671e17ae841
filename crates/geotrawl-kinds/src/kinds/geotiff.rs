//! GeoTIFF: a georeferenced raster image.
//!
//! - **Specification**: OGC GeoTIFF 1.1 (19-008r4); BigTIFF for files over 4 GB.
//! - **Recognised by**: a TIFF header and a directory with a GeoKey directory (tag 34735).
//! - **Dataset**: the file is one dataset.
//! - **Extent**: from pixel scale and tie point or from the transformation, in the coordinate
//!   system that the GeoKeys specify by code, by text or by parameters.
//! - **False positives**: all other TIFFs, such as scans and microscope images, even with a
//!   transformation but without a coordinate system.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, MapRenderer, QgisLayer};
use crate::files::{
    FileDescription, FileExamination, FileRequest, FileView, SparseReadError, request_missing,
};
use crate::formats::geokeys::GeoKeys;
use crate::formats::tiff::{TiffDirectory, TiffFile, is_tiff, tag};
use geotrawl_model::Issue;

/// The `geotiff` kind.
pub struct GeoTiffKind;

/// Kind id.
pub const ID: &str = "geotiff";
/// Registered media type; a profile parameter marks cloud-optimised files.
const MEDIA_TYPE: &str = "image/tiff; application=geotiff";
/// Number of bytes read along with a directory, since its values are usually next to it.
const AHEAD: u64 = 16 * 1024;
/// Above this number, tie points are the control points of a warped image.
const MAX_TIE_POINTS: usize = 1000;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "GeoTIFF",
    what: "A georeferenced raster image. The file is one dataset.",
    specification: "https://docs.ogc.org/is/19-008r4/19-008r4.html",
    evidence: "A TIFF header (classic or BigTIFF, either byte order) and a GeoKey directory in the first image's directory.",
    false_positives: "All other TIFFs: scans, microscope images, images with a transformation but no coordinate system.",
    description: DescriptionFormat::Types(&["image/tiff", "image/geotiff", "image/x-geotiff"]),
    extensions: &["geotiff", "gtiff", "tif", "tiff"],
    protocol: Some("WWW:DOWNLOAD-GeoTIFF"),
    corpus_labels: &[CorpusLabel::plain("geotiff")],
    drawer: Some(MapRenderer::Cog),
    qgis_layer: Some(QgisLayer::Raster),
    ..KindProfile::FILE
};

impl Kind for GeoTiffKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        if !is_tiff(view.file.head()) {
            return None;
        }
        let tiff = TiffFile::read_directories(view.file)?;
        if tiff.directories.is_empty() {
            return Some(
                FileExamination::known_document("tiff-plain").with_requests(directory_wish(view, tiff.lack)),
            );
        }
        read_geotiff(view, &tiff, &FORM).or_else(|| Some(FileExamination::known_document("tiff-plain")))
    }
}

/// Layout of a GeoTIFF, which determines its kind.
pub(super) struct TiffLayout {
    pub kind: &'static str,
    pub media_type: &'static str,
    pub document: &'static str,
    /// Text that the layout appends to the evidence.
    pub evidence: &'static str,
}

static FORM: TiffLayout = TiffLayout { kind: ID, media_type: MEDIA_TYPE, document: "geotiff", evidence: "" };

/// Reads a TIFF as a GeoTIFF with this layout; returns `None` if it is not georeferenced.
pub(super) fn read_geotiff(
    view: &FileView<'_>,
    tiff: &TiffFile,
    form: &TiffLayout,
) -> Option<FileExamination> {
    let first = tiff.directories.first().filter(|first| tiff.has_tag(first, tag::GEO_KEY_DIRECTORY))?;
    Some(GeoTiffReader { view, tiff, first, lacks: Vec::new() }.examine(form))
}

fn directory_wish(view: &FileView<'_>, lack: Option<SparseReadError>) -> Vec<FileRequest> {
    lack.and_then(|lack| request_missing(view.file, lack, AHEAD)).into_iter().collect()
}

struct GeoTiffReader<'a> {
    view: &'a FileView<'a>,
    tiff: &'a TiffFile,
    first: &'a TiffDirectory,
    lacks: Vec<(u64, u64)>,
}

impl GeoTiffReader<'_> {
    fn examine(mut self, form: &TiffLayout) -> FileExamination {
        let keys = self.geokeys();
        let extent = self.extent(keys.pixel_is_point());
        let variant = if self.tiff.big_tiff { "BigTIFF" } else { "classic" };
        let rule = format!("{variant} TIFF header and GeoKey directory{}", form.evidence);
        let mut sheet = FileDescription::new(form.kind, form.media_type, rule);
        sheet.versions = vec![variant.to_owned()];
        sheet.title = self.text(tag::DOCUMENT_NAME);
        let description = self.text(tag::IMAGE_DESCRIPTION);
        if sheet.title.is_none() && description.as_ref().is_some_and(|d| d.len() <= 120 && !d.contains('<')) {
            sheet.title = description;
        } else {
            sheet.abstract_ = description;
        }
        sheet.software = self.text(tag::SOFTWARE);
        let reference = keys.crs();
        sheet.set_extent(reference.as_ref(), extent);
        if extent.is_none() && self.lacks.is_empty() {
            sheet
                .issues
                .push(Issue::new("bbox-missing", "the image has neither a scale nor a transformation"));
        }
        let mut wants = self.wants();
        // Requesting directories to see whether overviews precede the pixels pays off only if they
        // are near the available bytes: after the pixels, the file is not a COG anyway.
        let near =
            |lack: &SparseReadError| matches!(lack, SparseReadError::Bytes(first, _) if *first < 4 * AHEAD);
        if wants.is_empty() && form.kind == ID && self.tiff.has_tag(self.first, tag::TILE_WIDTH) {
            wants = directory_wish(self.view, self.tiff.lack.filter(near));
        }
        FileExamination::proven_file(sheet.into_found(self.view.url), form.document).with_requests(wants)
    }

    /// Returns one range for all missing bytes if they are close together, otherwise the first of
    /// them.
    fn wants(&self) -> Vec<FileRequest> {
        let Some(first) = self.lacks.iter().map(|l| l.0).min() else { return Vec::new() };
        let last = self.lacks.iter().map(|l| l.1).filter(|l| *l < first + 256 * 1024).max().unwrap_or(first);
        request_missing(self.view.file, SparseReadError::Bytes(first, last), 0).into_iter().collect()
    }

    fn keep<T: Default>(&mut self, value: Result<T, SparseReadError>) -> T {
        match value {
            Ok(value) => value,
            Err(lack) => {
                if let SparseReadError::Bytes(first, last) = lack {
                    self.lacks.push((first, last));
                }
                T::default()
            }
        }
    }

    fn numbers(&mut self, tag: u16) -> Vec<f64> {
        let numbers = self.tiff.tag_numbers(self.view.file, self.first, tag);
        self.keep(numbers)
    }

    fn text(&mut self, tag: u16) -> Option<String> {
        // A description is not worth a separate request.
        self.tiff.tag_text(self.view.file, self.first, tag).ok().flatten()
    }

    fn geokeys(&mut self) -> GeoKeys {
        let directory: Vec<u16> =
            self.numbers(tag::GEO_KEY_DIRECTORY).into_iter().map(|v| v as u16).collect();
        let doubles = self.numbers(tag::GEO_DOUBLE_PARAMS);
        let text = self.tiff.tag_text(self.view.file, self.first, tag::GEO_ASCII_PARAMS);
        let text = self.keep(text).unwrap_or_default();
        GeoKeys::from_tags(&directory, &doubles, &text)
    }

    fn extent(&mut self, pixel_is_point: bool) -> Option<[f64; 4]> {
        let width = self.numbers(tag::IMAGE_WIDTH).first().copied()?;
        let height = self.numbers(tag::IMAGE_LENGTH).first().copied()?;
        let shift = if pixel_is_point { -0.5 } else { 0.0 };
        let matrix = self.numbers(tag::MODEL_TRANSFORMATION);
        let scale = self.numbers(tag::MODEL_PIXEL_SCALE);
        let ties = self.numbers(tag::MODEL_TIEPOINT);
        let corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)];
        let points: Vec<(f64, f64)> = if let (&[sx, sy, ..], &[i, j, _, x, y, ..]) = (&scale[..], &ties[..])
            && sx != 0.0
            && sy != 0.0
        {
            let place =
                |(column, row): (f64, f64)| (x + (column + shift - i) * sx.abs(), y - (row + shift - j) * sy);
            corners.map(place).to_vec()
        } else if let &[a, b, _, d, e, f, _, h, ..] = &matrix[..] {
            let place = |(column, row): (f64, f64)| {
                let (column, row) = (column + shift, row + shift);
                (a * column + b * row + d, e * column + f * row + h)
            };
            corners.map(place).to_vec()
        } else if ties.len() >= 18 {
            ties.chunks_exact(6).take(MAX_TIE_POINTS).map(|tie| (tie[3], tie[4])).collect()
        } else {
            return None;
        };
        let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        Some(points.into_iter().fold(start, |[w, s, e, n], (x, y)| [w.min(x), s.min(y), e.max(x), n.max(y)]))
    }
}
