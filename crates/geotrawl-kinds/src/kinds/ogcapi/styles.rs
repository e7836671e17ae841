//! OGC API Styles.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Styles.
pub static STYLES: OgcApi = OgcApi { api: Api::Styles, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-styles",
    name: "OGC API - Styles",
    what: "Styles for maps. A style is a dataset.",
    specification: "https://docs.ogc.org/DRAFTS/20-009.html",
    evidence: "Its conformance classes, or a list of styles with stylesheets.",
    impostors: "A style itself is a MapLibre style or SLD.",
};
