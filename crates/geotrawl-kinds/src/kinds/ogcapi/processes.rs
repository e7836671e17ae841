//! OGC API - Processes.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, KindProfile, RubricRow};

/// Processes.
pub static PROCESSES: OgcApi = OgcApi { api: OgcInterface::Processes, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-processes",
    name: "OGC API - Processes",
    what: "Processes that run on the server. Each process is a dataset; Geotrawl never runs them.",
    specification: "https://docs.ogc.org/is/18-062r2/18-062r2.html",
    evidence: "Its conformance classes, or a list of processes with versions and links.",
    false_positives: "WPS, which describes processes in XML.",
    family: Family::Process,
    protocol: Some("OGC API - Processes"),
    has_extent: false,
    rubric_row: RubricRow::Processes,
    operation_words: ("processes", "described"),
    ..KindProfile::OGC_API
};
