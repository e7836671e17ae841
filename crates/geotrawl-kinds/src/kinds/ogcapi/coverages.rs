//! OGC API - Coverages.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, KindProfile, RubricRow};

/// Coverages.
pub static COVERAGES: OgcApi = OgcApi { api: OgcInterface::Coverages, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-coverages",
    name: "OGC API - Coverages",
    what: "Coverages through a web API. Each collection with a coverage is a dataset.",
    specification: "https://docs.ogc.org/DRAFTS/19-087.html",
    evidence: "Its conformance classes, or collections with links to coverages.",
    false_positives: "WCS, which serves coverages through another protocol.",
    family: Family::Coverage,
    protocol: Some("OGC API - Coverages"),
    rubric_row: RubricRow::Coverages,
    operation_words: ("coverages", "described"),
    ..KindProfile::OGC_API
};
