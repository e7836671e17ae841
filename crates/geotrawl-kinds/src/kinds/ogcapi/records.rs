//! OGC API - Records.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, HostingForm, KindProfile, RubricRow};

/// Records of catalogues.
pub static RECORDS: OgcApi = OgcApi { api: OgcInterface::Records, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-records",
    name: "OGC API - Records",
    what: "A catalogue whose records are searched through a web API. Each collection of records is a dataset.",
    specification: "https://docs.ogc.org/is/20-004r1/20-004r1.html",
    evidence: "Its conformance classes, or collections whose itemType is record.",
    false_positives: "Single records, which are features and do not prove an API.",
    family: Family::Catalogue,
    form: HostingForm::Catalogue,
    protocol: Some("OGC API - Records"),
    rubric_row: RubricRow::Catalogues,
    operation_words: ("searches", "answered"),
    ..KindProfile::OGC_API
};
