//! Cesium: providers with `{url}`, `fromUrl(url)`, and data sources that `load(url)`.

use crate::signs::sign::{FIRST, Sign, Spot, Table, Use, WMS_LAYERS, WMTS_LAYERS};

const TITLE: &[Spot] = &[Spot::In(0, "name"), Spot::In(0, "title")];

const fn row(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, FIRST, uses).title(TITLE)
}

pub const TABLE: Table = Table {
    library: "cesium",
    roots: &["Cesium"],
    signs: &[
        Sign::map(&["Cesium", "Viewer"]),
        Sign::map(&["Cesium", "CesiumWidget"]),
        Sign::map(&["CesiumWidget"]),
        row(&["WebMapServiceImageryProvider"], Use::Is("wms")).layers(WMS_LAYERS),
        row(&["WebMapTileServiceImageryProvider"], Use::Is("wmts")).layers(WMTS_LAYERS),
        row(&["WebMapTileServiceImageryProvider", "fromUrl"], Use::Is("wmts")).layers(WMTS_LAYERS),
        row(&["ArcGisMapServerImageryProvider"], Use::Arcgis).layers(WMS_LAYERS),
        row(&["ArcGisMapServerImageryProvider", "fromUrl"], Use::Arcgis).layers(WMS_LAYERS),
        row(&["ArcGISTiledElevationTerrainProvider"], Use::Arcgis),
        row(&["ArcGISTiledElevationTerrainProvider", "fromUrl"], Use::Arcgis),
        row(&["UrlTemplateImageryProvider"], Use::Tiles),
        row(&["OpenStreetMapImageryProvider"], Use::Tiles),
        row(&["createOpenStreetMapImageryProvider"], Use::Tiles),
        row(&["TileMapServiceImageryProvider"], Use::Is("tms")),
        row(&["TileMapServiceImageryProvider", "fromUrl"], Use::Is("tms")),
        row(&["createTileMapServiceImageryProvider"], Use::Is("tms")),
        row(&["GeoserverTerrainProvider"], Use::Is("wms")).layers(&["layerName", "layers"]),
        row(&["SingleTileImageryProvider"], Use::Picture),
        row(&["SingleTileImageryProvider", "fromUrl"], Use::Picture),
        row(&["BingMapsImageryProvider"], Use::Bare),
        row(&["MapboxImageryProvider"], Use::Bare),
        row(&["IonImageryProvider"], Use::Bare),
        row(&["IonResource", "fromAssetId"], Use::Bare),
        row(&["GoogleEarthEnterpriseImageryProvider"], Use::Bare),
        row(&["CesiumTerrainProvider"], Use::Loaded),
        row(&["CesiumTerrainProvider", "fromUrl"], Use::Loaded),
        row(&["VRTheWorldTerrainProvider"], Use::Bare),
        row(&["Cesium3DTileset"], Use::Is("3dtiles")),
        row(&["Cesium3DTileset", "fromUrl"], Use::Is("3dtiles")),
        row(&["I3SDataProvider"], Use::Is("i3s")),
        row(&["I3SDataProvider", "fromUrl"], Use::Is("i3s")),
        row(&["KmlDataSource", "load"], Use::File),
        row(&["GeoJsonDataSource", "load"], Use::File),
        row(&["CzmlDataSource", "load"], Use::File),
        row(&["GpxDataSource", "load"], Use::File),
        row(&["GeoJsonDataSource", "fromUrl"], Use::File),
        row(&["Resource", "fetchJson"], Use::Loaded),
        row(&["Resource", "fetchXML"], Use::Loaded),
        row(&["Cesium", "loadJson"], Use::Loaded),
        row(&["Cesium", "loadXML"], Use::Loaded),
    ],
};
