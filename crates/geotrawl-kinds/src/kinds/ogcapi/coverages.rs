//! OGC API Coverages.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Coverages.
pub static COVERAGES: OgcApi = OgcApi { api: Api::Coverages, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-coverages",
    name: "OGC API - Coverages",
    what: "Coverages over a web interface. A collection with a coverage is a dataset.",
    specification: "https://docs.ogc.org/DRAFTS/19-087.html",
    evidence: "Its conformance classes, or collections with links to coverages.",
    impostors: "WCS gives coverages over another interface.",
};
