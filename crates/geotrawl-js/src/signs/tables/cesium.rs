//! Cesium: providers with `{url}` or `fromUrl(url)`, and data sources with `load(url)`.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FIRST, LibrarySignatures, WMS_LAYERS, WMTS_LAYERS,
};

const TITLE: &[ArgumentPath] = &[ArgumentPath::In(0, "name"), ArgumentPath::In(0, "title")];

const fn row(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, FIRST, uses).title(TITLE)
}

pub const TABLE: LibrarySignatures = LibrarySignatures {
    library: "cesium",
    roots: &["Cesium"],
    signs: &[
        CallSignature::map_constructor(&["Cesium", "Viewer"]),
        CallSignature::map_constructor(&["Cesium", "CesiumWidget"]),
        CallSignature::map_constructor(&["CesiumWidget"]),
        row(&["WebMapServiceImageryProvider"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        row(&["WebMapTileServiceImageryProvider"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        row(&["WebMapTileServiceImageryProvider", "fromUrl"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        row(&["ArcGisMapServerImageryProvider"], AddressUse::Arcgis).layers(WMS_LAYERS),
        row(&["ArcGisMapServerImageryProvider", "fromUrl"], AddressUse::Arcgis).layers(WMS_LAYERS),
        row(&["ArcGISTiledElevationTerrainProvider"], AddressUse::Arcgis),
        row(&["ArcGISTiledElevationTerrainProvider", "fromUrl"], AddressUse::Arcgis),
        row(&["UrlTemplateImageryProvider"], AddressUse::Tiles),
        row(&["OpenStreetMapImageryProvider"], AddressUse::Tiles),
        row(&["createOpenStreetMapImageryProvider"], AddressUse::Tiles),
        row(&["TileMapServiceImageryProvider"], AddressUse::Is("tms")),
        row(&["TileMapServiceImageryProvider", "fromUrl"], AddressUse::Is("tms")),
        row(&["createTileMapServiceImageryProvider"], AddressUse::Is("tms")),
        row(&["GeoserverTerrainProvider"], AddressUse::Is("wms")).layers(&["layerName", "layers"]),
        row(&["SingleTileImageryProvider"], AddressUse::Picture),
        row(&["SingleTileImageryProvider", "fromUrl"], AddressUse::Picture),
        row(&["BingMapsImageryProvider"], AddressUse::Bare),
        row(&["MapboxImageryProvider"], AddressUse::Bare),
        row(&["IonImageryProvider"], AddressUse::Bare),
        row(&["IonResource", "fromAssetId"], AddressUse::Bare),
        row(&["GoogleEarthEnterpriseImageryProvider"], AddressUse::Bare),
        row(&["CesiumTerrainProvider"], AddressUse::Loaded),
        row(&["CesiumTerrainProvider", "fromUrl"], AddressUse::Loaded),
        row(&["VRTheWorldTerrainProvider"], AddressUse::Bare),
        row(&["Cesium3DTileset"], AddressUse::Is("3dtiles")),
        row(&["Cesium3DTileset", "fromUrl"], AddressUse::Is("3dtiles")),
        row(&["I3SDataProvider"], AddressUse::Is("i3s")),
        row(&["I3SDataProvider", "fromUrl"], AddressUse::Is("i3s")),
        row(&["KmlDataSource", "load"], AddressUse::File),
        row(&["GeoJsonDataSource", "load"], AddressUse::File),
        row(&["CzmlDataSource", "load"], AddressUse::File),
        row(&["GpxDataSource", "load"], AddressUse::File),
        row(&["GeoJsonDataSource", "fromUrl"], AddressUse::File),
        row(&["Resource", "fetchJson"], AddressUse::Loaded),
        row(&["Resource", "fetchXML"], AddressUse::Loaded),
        row(&["Cesium", "loadJson"], AddressUse::Loaded),
        row(&["Cesium", "loadXML"], AddressUse::Loaded),
    ],
};
