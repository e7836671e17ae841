//! OGC API Records.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Records of catalogues.
pub static RECORDS: OgcApi = OgcApi { api: Api::Records, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-records",
    name: "OGC API - Records",
    what: "A catalogue whose records are searched over a web interface. A collection of records is a dataset.",
    specification: "https://docs.ogc.org/is/20-004r1/20-004r1.html",
    evidence: "Its conformance classes, or collections whose itemType is record.",
    impostors: "A single record, which is a feature, proves no interface.",
};
