//! WMS-C: tiles by the requests of a WMS; read from a WMS 1.1.1, needs no request of its own.

use super::{Kind, KindDoc};
use crate::model::Resource;
use std::collections::HashSet;

/// WMS Tile Caching.
pub struct WmsC;

/// Kind id.
pub const ID: &str = "wms-c";

static DOC: KindDoc = KindDoc {
    id: ID,
    name: "WMS Tile Caching",
    what: "A WMS that says for which boxes and sizes it has tiles ready: a cache in front of one or many map \
           servers.",
    specification: "https://wiki.osgeo.org/wiki/WMS_Tile_Caching",
    evidence: "A WMS 1.1 whose VendorSpecificCapabilities hold TileSet elements.",
    impostors: "A WMS with other vendor specific capabilities; a WMTS.",
};

impl Kind for WmsC {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }
}

/// The WMS-C that a WMS is as well: its layers that have tiles.
pub fn of(wms: &Resource, tiled: &HashSet<String>) -> Resource {
    let mut cache = super::wcps::under_another_kind(wms, ID);
    cache.datasets.retain(|dataset| tiled.contains(&dataset.name));
    cache.dataset_count = tiled.len() as u64;
    cache
}
