//! OGC API Processes.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Processes.
pub static PROCESSES: OgcApi = OgcApi { api: Api::Processes, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-processes",
    name: "OGC API - Processes",
    what: "Processes that the server performs. A process is a dataset; none is ever run.",
    specification: "https://docs.ogc.org/is/18-062r2/18-062r2.html",
    evidence: "Its conformance classes, or a list of processes with versions and links.",
    impostors: "WPS describes processes in XML.",
};
