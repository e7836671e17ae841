//! OGC API - Styles.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, KindProfile};

/// Styles.
pub static STYLES: OgcApi = OgcApi { api: OgcInterface::Styles, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-styles",
    name: "OGC API - Styles",
    what: "Styles for maps. Each style is a dataset.",
    specification: "https://docs.ogc.org/DRAFTS/20-009.html",
    evidence: "Its conformance classes, or a list of styles with stylesheets.",
    false_positives: "A single style, which is a MapLibre style or SLD.",
    family: Family::Wms,
    protocol: Some("OGC API - Styles"),
    has_extent: false,
    ..KindProfile::OGC_API
};
