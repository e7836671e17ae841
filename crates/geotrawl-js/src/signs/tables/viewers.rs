//! TerriaJS, MapStore, ngeo, jQuery plug-ins and other viewers that are configured in code.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FEATURE_TYPES, FIRST, LibrarySignatures, OPTIONS, WMS_LAYERS,
    WMTS_LAYERS,
};

const TITLE: &[ArgumentPath] = &[ArgumentPath::In(0, "name"), ArgumentPath::In(0, "title")];

const fn item(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, OPTIONS, uses).title(TITLE)
}

pub const TABLE: LibrarySignatures = LibrarySignatures {
    library: "viewer",
    roots: &["TerriaJS", "MapStore2", "MapStore", "Oskari", "M", "jQuery", "$"],
    signs: &[
        // TerriaJS before version 8.
        item(&["WebMapServiceCatalogItem"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        item(&["WebMapServiceCatalogGroup"], AddressUse::Is("wms")),
        item(&["WebFeatureServiceCatalogItem"], AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        item(&["WebFeatureServiceCatalogGroup"], AddressUse::Is("wfs")),
        item(&["WebMapTileServiceCatalogItem"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        item(&["WebMapTileServiceCatalogGroup"], AddressUse::Is("wmts")),
        item(&["ArcGisMapServerCatalogItem"], AddressUse::Arcgis).layers(WMS_LAYERS),
        item(&["ArcGisFeatureServerCatalogItem"], AddressUse::Arcgis),
        item(&["ArcGisCatalogGroup"], AddressUse::Is("arcgis-directory")),
        item(&["CswCatalogGroup"], AddressUse::Is("csw")),
        item(&["CkanCatalogGroup"], AddressUse::Is("ckan")),
        item(&["SocrataCatalogGroup"], AddressUse::Is("socrata")),
        item(&["ThreddsCatalogGroup"], AddressUse::Is("thredds")),
        item(&["SensorObservationServiceCatalogItem"], AddressUse::Is("sos")),
        item(&["WebProcessingServiceCatalogItem"], AddressUse::Is("wps")),
        item(&["Cesium3DTilesCatalogItem"], AddressUse::Is("3dtiles")),
        item(&["GeoJsonCatalogItem"], AddressUse::File),
        item(&["KmlCatalogItem"], AddressUse::File),
        item(&["CsvCatalogItem"], AddressUse::File),
        item(&["CzmlCatalogItem"], AddressUse::File),
        item(&["ShapefileCatalogItem"], AddressUse::File),
        item(&["UrlTemplateImageryCatalogItem"], AddressUse::Tiles),
        // IDEE / API-CNIG, Mapea.
        item(&["layer", "WMS"], AddressUse::Is("wms")).layers(&["name", "layers"]),
        item(&["M", "layer", "WFS"], AddressUse::Is("wfs")).layers(&["name", "typeName"]),
        item(&["M", "layer", "WMTS"], AddressUse::Is("wmts")).layers(&["name", "layer"]),
        item(&["M", "layer", "KML"], AddressUse::File),
        item(&["M", "layer", "GeoJSON"], AddressUse::File),
        // jQuery plug-ins; their services are in objects that are read by shape.
        CallSignature::new(&["geomap"], &[], AddressUse::Map),
        CallSignature::new(&["mapQuery"], &[], AddressUse::Map),
        CallSignature::new(&["mapbender"], &[], AddressUse::Map),
        // Ready-made loaders of ol-cesium, Leaflet and others.
        CallSignature::new(&["initTerria"], &[], AddressUse::Map),
        CallSignature::new(&["startTerria"], &[], AddressUse::Map),
        CallSignature::new(&["MapStore2", "create"], &[], AddressUse::Map),
        CallSignature::new(&["NsgMap"], &[], AddressUse::Map),
        // Potree and three.js point clouds.
        CallSignature::new(&["Potree", "loadPointCloud"], &[ArgumentPath::Arg(0)], AddressUse::Loaded),
        CallSignature::new(&["TilesRenderer"], FIRST, AddressUse::Is("3dtiles")),
        // File readers that work with any map library.
        CallSignature::new(&["fromUrl"], FIRST, AddressUse::File),
        CallSignature::new(&["GeoTIFF", "fromUrl"], FIRST, AddressUse::File),
        CallSignature::new(&["GeoTIFF", "fromUrls"], FIRST, AddressUse::File),
        CallSignature::new(&["flatgeobuf", "deserialize"], FIRST, AddressUse::File),
        CallSignature::new(&["geojson", "deserialize"], FIRST, AddressUse::File),
        CallSignature::new(&["shp"], FIRST, AddressUse::File),
        CallSignature::new(&["shapefile", "open"], FIRST, AddressUse::File),
        CallSignature::new(&["shapefile", "read"], FIRST, AddressUse::File),
        CallSignature::new(&["toGeoJSON", "kml"], &[], AddressUse::Map),
    ],
};
