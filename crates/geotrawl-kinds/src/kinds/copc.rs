//! COPC, Cloud Optimized Point Cloud: a LAZ file laid out so that parts of it can be read with
//! range requests.
//!
//! - **Specification**: COPC 1.0.
//! - **Recognised by**: a LAS 1.4 header, and `copc` in the first record, at byte 377.
//! - **Dataset**: the file is one dataset.
//! - **False positives**: other LAZ files, whose first record is different.

use super::{DescriptionFormat, Kind, KindProfile, las};
use crate::files::{FileDescription, FileExamination, FileView};
use crate::formats;

/// The `copc` kind.
pub struct CopcKind;

/// Kind id.
const ID: &str = "copc";
/// The registered media type.
const MEDIA_TYPE: &str = "application/vnd.laszip+copc";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "Cloud Optimized Point Cloud",
    what: "A LAZ point cloud laid out as an octree so that parts of it can be read with range requests. The file is one dataset.",
    specification: "https://copc.io/",
    evidence: "A LAS 1.4 header whose first record is that of COPC: copc at byte 377.",
    false_positives: "Other LAZ files, whose first record is different.",
    description: DescriptionFormat::Types(&[
        "application/vnd.laszip+copc",
        "application/vnd.laszip",
        "application/octet-stream",
    ]),
    ..KindProfile::FILE
};

impl Kind for CopcKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let header = formats::las::parse_header(view.file.head()).filter(|header| header.copc)?;
        let (major, minor) = header.version;
        let rule = format!("magic bytes LASF, version {major}.{minor}, copc record");
        Some(las::read_point_cloud(view, &header, FileDescription::new(ID, MEDIA_TYPE, rule)))
    }
}
