//! OGC API - Environmental Data Retrieval.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, KindProfile, RubricRow};

/// Environmental data retrieval.
pub static EDR: OgcApi = OgcApi { api: OgcInterface::Edr, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-edr",
    name: "OGC API - Environmental Data Retrieval",
    what: "Values by place and time, collection by collection. Each collection is a dataset.",
    specification: "https://docs.ogc.org/is/19-086r6/19-086r6.html",
    evidence: "Its conformance classes, or collections with data queries.",
    false_positives: "Collections of features, which have no data queries.",
    family: Family::Coverage,
    kept_bytes: 1 << 20,
    protocol: Some("OGC API - EDR"),
    rubric_row: RubricRow::Coverages,
    operation_words: ("coverages", "described"),
    ..KindProfile::OGC_API
};
