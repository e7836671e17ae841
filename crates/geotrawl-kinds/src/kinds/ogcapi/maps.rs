//! OGC API - Maps.

use super::{OgcApi, OgcInterface};
use crate::kinds::{Family, KindProfile};

/// Maps of collections.
pub static MAPS: OgcApi = OgcApi { api: OgcInterface::Maps, profile: &PROFILE };

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-maps",
    name: "OGC API - Maps",
    what: "Maps drawn by the server. Each collection with maps is a dataset.",
    specification: "https://docs.ogc.org/is/20-058/20-058.html",
    evidence: "Its conformance classes, or collections with links to maps.",
    false_positives: "WMS, which draws maps through another protocol.",
    family: Family::Wms,
    protocol: Some("OGC API - Maps"),
    operation_words: ("maps", "drawn"),
    ..KindProfile::OGC_API
};
