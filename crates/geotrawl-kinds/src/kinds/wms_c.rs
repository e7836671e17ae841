//! WMS-C: tiles requested as WMS maps; identified in the capabilities of a WMS 1.1.1, without a
//! separate request.

use super::{
    CorpusLabel, Kind, KindProfile, MapRenderer, ParentDocument, QgisConnection, QgisLayer, RubricRow,
};
use geotrawl_model::Resource;

/// WMS Tile Caching.
pub struct WmsCKind;

/// Kind id.
const ID: &str = "wms-c";

static PROFILE: KindProfile = KindProfile {
    id: ID,
    name: "WMS Tile Caching",
    what: "A WMS that lists the boxes and sizes for which it has cached tiles, in front of one or more map \
           servers.",
    specification: "https://wiki.osgeo.org/wiki/WMS_Tile_Caching",
    evidence: "A WMS 1.1 whose VendorSpecificCapabilities hold TileSet elements.",
    false_positives: "A WMS with other vendor specific capabilities; a WMTS.",
    read_from: Some("wms"),
    kept_bytes: 8 << 20,
    protocol: Some("OSGeo:TMS"),
    rubric_row: RubricRow::Tiles,
    corpus_labels: &[CorpusLabel::versioned("wms-capabilities")],
    drawer: Some(MapRenderer::Wms),
    qgis_connection: Some(QgisConnection::Wms),
    qgis_layer: Some(QgisLayer::Wms),
    ..KindProfile::MAP_SERVICE
};

impl Kind for WmsCKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn derive_resource(&self, parent: &ParentDocument<'_>) -> Option<Resource> {
        let tiled = &parent.signs.tiled_layers;
        if parent.kind != "wms" || tiled.is_empty() {
            return None;
        }
        let mut cache = parent.resource_as(ID);
        cache.datasets.retain(|dataset| tiled.contains(&dataset.name));
        cache.dataset_count = tiled.len() as u64;
        Some(cache)
    }
}
