//! OGC API Maps.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Maps of collections.
pub static MAPS: OgcApi = OgcApi { api: Api::Maps, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-maps",
    name: "OGC API - Maps",
    what: "Maps drawn by the server. A collection with maps is a dataset.",
    specification: "https://docs.ogc.org/is/20-058/20-058.html",
    evidence: "Its conformance classes, or collections with links to maps.",
    impostors: "WMS draws maps over another interface.",
};
