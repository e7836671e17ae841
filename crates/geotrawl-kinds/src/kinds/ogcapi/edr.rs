//! OGC API Edr.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Environmental data.
pub static EDR: OgcApi = OgcApi { api: Api::Edr, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-edr",
    name: "OGC API - Environmental Data Retrieval",
    what: "Values by place and time, collection by collection. A collection is a dataset.",
    specification: "https://docs.ogc.org/is/19-086r6/19-086r6.html",
    evidence: "Its conformance classes, or collections with data queries.",
    impostors: "Collections of features have no data queries.",
};
