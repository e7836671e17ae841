//! TerriaJS, MapStore, ngeo, jQuery plug-ins and other viewers that are driven from code.

use crate::signs::sign::{FEATURE_TYPES, FIRST, OPTIONS, Sign, Spot, Table, Use, WMS_LAYERS, WMTS_LAYERS};

const TITLE: &[Spot] = &[Spot::In(0, "name"), Spot::In(0, "title")];

const fn item(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, OPTIONS, uses).title(TITLE)
}

pub const TABLE: Table = Table {
    library: "viewer",
    roots: &["TerriaJS", "MapStore2", "MapStore", "Oskari", "M", "jQuery", "$"],
    signs: &[
        // TerriaJS before version 8.
        item(&["WebMapServiceCatalogItem"], Use::Is("wms")).layers(WMS_LAYERS),
        item(&["WebMapServiceCatalogGroup"], Use::Is("wms")),
        item(&["WebFeatureServiceCatalogItem"], Use::Is("wfs")).layers(FEATURE_TYPES),
        item(&["WebFeatureServiceCatalogGroup"], Use::Is("wfs")),
        item(&["WebMapTileServiceCatalogItem"], Use::Is("wmts")).layers(WMTS_LAYERS),
        item(&["WebMapTileServiceCatalogGroup"], Use::Is("wmts")),
        item(&["ArcGisMapServerCatalogItem"], Use::Arcgis).layers(WMS_LAYERS),
        item(&["ArcGisFeatureServerCatalogItem"], Use::Arcgis),
        item(&["ArcGisCatalogGroup"], Use::Is("arcgis-directory")),
        item(&["CswCatalogGroup"], Use::Is("csw")),
        item(&["CkanCatalogGroup"], Use::Is("ckan")),
        item(&["SocrataCatalogGroup"], Use::Is("socrata")),
        item(&["ThreddsCatalogGroup"], Use::Is("thredds")),
        item(&["SensorObservationServiceCatalogItem"], Use::Is("sos")),
        item(&["WebProcessingServiceCatalogItem"], Use::Is("wps")),
        item(&["Cesium3DTilesCatalogItem"], Use::Is("3dtiles")),
        item(&["GeoJsonCatalogItem"], Use::File),
        item(&["KmlCatalogItem"], Use::File),
        item(&["CsvCatalogItem"], Use::File),
        item(&["CzmlCatalogItem"], Use::File),
        item(&["ShapefileCatalogItem"], Use::File),
        item(&["UrlTemplateImageryCatalogItem"], Use::Tiles),
        // IDEE / API-CNIG, Mapea.
        item(&["layer", "WMS"], Use::Is("wms")).layers(&["name", "layers"]),
        item(&["M", "layer", "WFS"], Use::Is("wfs")).layers(&["name", "typeName"]),
        item(&["M", "layer", "WMTS"], Use::Is("wmts")).layers(&["name", "layer"]),
        item(&["M", "layer", "KML"], Use::File),
        item(&["M", "layer", "GeoJSON"], Use::File),
        // jQuery plug-ins; the services stand in objects that shapes read.
        Sign::new(&["geomap"], &[], Use::Map),
        Sign::new(&["mapQuery"], &[], Use::Map),
        Sign::new(&["mapbender"], &[], Use::Map),
        // ol-cesium, Leaflet and others by way of ready-made loaders.
        Sign::new(&["initTerria"], &[], Use::Map),
        Sign::new(&["startTerria"], &[], Use::Map),
        Sign::new(&["MapStore2", "create"], &[], Use::Map),
        Sign::new(&["NsgMap"], &[], Use::Map),
        // Potree and three.js point clouds.
        Sign::new(&["Potree", "loadPointCloud"], &[Spot::Arg(0)], Use::Loaded),
        Sign::new(&["TilesRenderer"], FIRST, Use::Is("3dtiles")),
        // Readers of files, by whatever map.
        Sign::new(&["fromUrl"], FIRST, Use::File),
        Sign::new(&["GeoTIFF", "fromUrl"], FIRST, Use::File),
        Sign::new(&["GeoTIFF", "fromUrls"], FIRST, Use::File),
        Sign::new(&["flatgeobuf", "deserialize"], FIRST, Use::File),
        Sign::new(&["geojson", "deserialize"], FIRST, Use::File),
        Sign::new(&["shp"], FIRST, Use::File),
        Sign::new(&["shapefile", "open"], FIRST, Use::File),
        Sign::new(&["shapefile", "read"], FIRST, Use::File),
        Sign::new(&["toGeoJSON", "kml"], &[], Use::Map),
    ],
};
