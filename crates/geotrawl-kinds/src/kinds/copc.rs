//! COPC, Cloud Optimized Point Cloud: a LAZ file laid out so that parts of it are read by ranges.
//!
//! - **Specification**: COPC 1.0.
//! - **Recognised by**: a LAS 1.4 header, and `copc` in the first record, at byte 377.
//! - **Dataset**: the file is one dataset.
//! - **Impostors**: other LAZ files, which have another first record.

use super::{Kind, KindDoc};

/// The kind.
pub struct Copc;

/// Kind id.
pub const ID: &str = "copc";
/// The registered media type.
pub const MEDIA_TYPE: &str = "application/vnd.laszip+copc";

static DOC: KindDoc = KindDoc {
    id: ID,
    name: "Cloud Optimized Point Cloud",
    what: "A LAZ point cloud laid out as an octree so that parts of it are read by ranges. The file is one dataset.",
    specification: "https://copc.io/",
    evidence: "A LAS 1.4 header whose first record is that of COPC: copc at byte 377.",
    impostors: "Other LAZ files, which have another first record.",
};

/// Told apart while the file is examined as a point cloud: see [`super::las`].
impl Kind for Copc {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }
}
