//! OGC API Features.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Features of collections.
pub static FEATURES: OgcApi = OgcApi { api: Api::Features, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-features",
    name: "OGC API - Features",
    what: "Features over a web interface, collection by collection. A collection is a dataset.",
    specification: "https://docs.ogc.org/is/17-069r4/17-069r4.html",
    evidence: "A landing page or conformance document with its classes (or those of WFS 3), or collections with items.",
    impostors: "STAC interfaces are built on it and are told as such; shops have collections too.",
};
