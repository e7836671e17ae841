//! LAS and LAZ: point clouds of laser scans.
//!
//! - **Specification**: ASPRS LAS 1.0 to 1.4; LAZ is its compressed form.
//! - **Recognised by**: `LASF` and version 1.
//! - **Dataset**: the file is one dataset.
//! - **Extent**: from the header (maximum before minimum, axis by axis), in the coordinate system
//!   given by GeoKeys or text in the records after it; many files have none.
//! - **False positives**: well logs, which are also called `.las` but are text.

use super::{DescriptionFormat, Kind, KindProfile};
use crate::files::{FileDescription, FileExamination, FileView, request_missing};
use crate::formats::las::{self, LasHeader};
use geotrawl_model::Issue;

/// The `las` kind.
pub struct LasKind;

/// Kind id.
pub const ID: &str = "las";
const MEDIA_TYPE: &str = "application/vnd.las";
const PACKED_MEDIA_TYPE: &str = "application/vnd.laszip";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "LAS and LAZ point cloud",
    what: "A point cloud of a laser scan, plain or compressed. The file is one dataset.",
    specification: "https://www.asprs.org/divisions-committees/lidar-division/laser-las-file-format-exchange-activities",
    evidence: "The bytes LASF and version 1; extent from the header, coordinate system from the records after it.",
    false_positives: "Well logs, which are also called .las but are text.",
    description: DescriptionFormat::Types(&[
        "application/vnd.las",
        "application/vnd.laszip",
        "application/octet-stream",
    ]),
    extensions: &["las", "laz"],
    ..KindProfile::FILE
};

impl Kind for LasKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn examine_file(&self, view: &FileView<'_>) -> Option<FileExamination> {
        let header = las::parse_header(view.file.head())?;
        let media_type = if header.packed { PACKED_MEDIA_TYPE } else { MEDIA_TYPE };
        let (major, minor) = header.version;
        let rule = format!("magic bytes LASF, version {major}.{minor}");
        Some(read_point_cloud(view, &header, FileDescription::new(ID, media_type, rule)))
    }
}

/// Reads the rest of a point cloud with this header.
pub(super) fn read_point_cloud(
    view: &FileView<'_>,
    header: &LasHeader,
    mut sheet: FileDescription,
) -> FileExamination {
    let (major, minor) = header.version;
    sheet.versions = vec![format!("{major}.{minor}")];
    sheet.software = Some(header.software.clone());
    let mut wants = Vec::new();
    let reference = match las::read_crs(view.file, header) {
        Ok(reference) => reference,
        Err(lack) => {
            wants.extend(request_missing(view.file, lack, 0));
            None
        }
    };
    if header.points == 0 {
        sheet.issues.push(Issue::new("empty", "according to its header, the point cloud has no points"));
    } else if wants.is_empty() || view.ranges_fail {
        sheet.set_extent(reference.as_ref(), Some(header.extent));
    }
    let document = sheet.kind;
    FileExamination::proven_file(sheet.into_found(view.url), document).with_requests(wants)
}
