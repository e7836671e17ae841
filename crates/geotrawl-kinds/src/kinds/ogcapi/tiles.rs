//! OGC API Tiles.

use super::{Api, OgcApi};
use crate::kinds::KindDoc;

/// Tiles of collections.
pub static TILES: OgcApi = OgcApi { api: Api::Tiles, doc: &DOC };

static DOC: KindDoc = KindDoc {
    id: "ogcapi-tiles",
    name: "OGC API - Tiles",
    what: "Tiles of maps, features or coverages. A collection or data set with tiles is a dataset, never a tile matrix.",
    specification: "https://docs.ogc.org/is/20-057/20-057.html",
    evidence: "Its conformance classes, tile sets, or collections with links to tile sets.",
    impostors: "TileJSON and WMTS describe tiles in their own ways.",
};
