//! FlatGeobuf: features with a spatial index in one binary file.
//!
//! - **Specification**: <https://flatgeobuf.org>, versions 2 and 3.
//! - **Recognised by**: `fgb`, a version, `fgb`; the eighth byte is the patch level and may have
//!   any value.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: the envelope in the header, in the coordinate system named there; both may be
//!   missing.
//! - **False positives**: none known; the seven bytes are enough.

use super::{CorpusLabel, DescriptionFormat, Kind, KindProfile, QgisLayer};
use crate::files::{FileDescription, FileExamination, FileView, SparseReadError, request_missing};
use crate::formats::flatgeobuf::{self, MAX_HEADER};
use geotrawl_model::Issue;

/// The `flatgeobuf` kind.
pub struct FlatGeobufKind;

/// Kind id.
pub const ID: &str = "flatgeobuf";
const MEDIA_TYPE: &str = "application/flatgeobuf";
/// Offset of the header.
const HEADER_AT: u64 = 12;

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "FlatGeobuf",
    what: "Features with a spatial index in one binary file made for range requests. The file is one dataset.",
    specification: "https://flatgeobuf.org/",
    evidence: "The bytes fgb, a version, fgb; name, extent and coordinate system from the header that follows.",
    false_positives: "None known: the first seven bytes are enough.",
    description: DescriptionFormat::Types(&[
        "application/flatgeobuf",
        "application/vnd.flatgeobuf",
        "application/octet-stream",
    ]),
    extensions: &["fgb"],
    corpus_labels: &[CorpusLabel::versioned("flatgeobuf")],
    qgis_layer: Some(QgisLayer::Vector),
    ..KindProfile::FILE
};

impl Kind for FlatGeobufKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let (version, length) = flatgeobuf::header_len(view.file.head())?;
        let mut sheet = FileDescription::new(ID, MEDIA_TYPE, format!("magic bytes fgb, version {version}"));
        sheet.versions = vec![version.to_string()];
        let bytes = view.file.read_range(HEADER_AT, length.min(MAX_HEADER));
        let mut wants = Vec::new();
        match bytes.map(|bytes| flatgeobuf::parse_header(version, bytes)) {
            Ok(Some(header)) => {
                sheet.title = header.title.or(header.name);
                sheet.abstract_ = header.description;
                sheet.set_extent(header.crs.as_ref(), header.envelope);
            }
            Ok(None) | Err(SparseReadError::Damage) => {
                sheet.issues.push(Issue::new("header-damaged", "the header is invalid"));
            }
            Err(lack) => wants.extend(request_missing(view.file, lack, 0)),
        }
        Some(FileExamination::proven_file(sheet.into_found(view.url), "flatgeobuf").with_requests(wants))
    }
}
