//! OpenLayers 3 to 10 and what is built on it: `new TileWMS({url, params: {LAYERS}})`.

use crate::signs::sign::{FEATURE_TYPES, FIRST, OPTIONS, Sign, Spot, Table, Use, WMS_LAYERS, WMTS_LAYERS};

const TILE_FUNCTION: &[Spot] =
    &[Spot::In(0, "url"), Spot::In(0, "urls"), Spot::In(0, "tileUrlFunction"), Spot::In(0, "loader")];
const VECTOR: &[Spot] = &[Spot::In(0, "url"), Spot::In(0, "loader")];
const TITLE: &[Spot] = &[Spot::In(0, "title"), Spot::In(0, "name")];
const CAPABILITIES: &[Spot] = &[Spot::In(0, "url"), Spot::In(0, "capabilitiesUrl")];

const fn source(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, OPTIONS, uses).title(TITLE)
}

const fn tiles(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, TILE_FUNCTION, uses).title(TITLE)
}

pub const TABLE: Table = Table {
    library: "openlayers",
    roots: &["ol", "ngeo", "gmf", "olms", "olext", "olExt"],
    signs: &[
        Sign::map(&["ol", "Map"]),
        Sign::map(&["ol", "PluggableMap"]),
        Sign::map(&["OlMap"]),
        Sign::map(&["OLMap"]),
        Sign::map(&["ol", "View"]),
        source(&["TileWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["ImageWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["TileWMSSource"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["ImageWMSSource"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["SingleImageWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["OlSourceTileWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["OlSourceImageWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["OlTileWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["OlImageWMS"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["source", "WMS"], Use::Is("wms")).layers(WMS_LAYERS),
        // ol/source/wms: createLoader({url, params}), getFeatureInfoUrl.
        source(&["wms", "createLoader"], Use::Is("wms")).layers(WMS_LAYERS),
        source(&["arcgisRest", "createLoader"], Use::Arcgis),
        source(&["mapguide", "createLoader"], Use::Loaded),
        source(&["static", "createLoader"], Use::Picture),
        source(&["source", "WMTS"], Use::Is("wmts")).layers(WMTS_LAYERS),
        source(&["WMTS"], Use::Is("wmts")).layers(WMTS_LAYERS),
        source(&["WMTSSource"], Use::Is("wmts")).layers(WMTS_LAYERS),
        source(&["OlSourceWMTS"], Use::Is("wmts")).layers(WMTS_LAYERS),
        Sign::new(&["optionsFromCapabilities"], &[], Use::Bare).layers(WMTS_LAYERS),
        Sign::new(&["WMTSCapabilities"], &[], Use::Bare),
        Sign::new(&["WMSCapabilities"], &[], Use::Bare),
        source(&["TileArcGISRest"], Use::Arcgis).layers(WMS_LAYERS),
        source(&["ImageArcGISRest"], Use::Arcgis).layers(WMS_LAYERS),
        source(&["ImageMapGuide"], Use::Loaded),
        tiles(&["source", "XYZ"], Use::Tiles),
        tiles(&["XYZ"], Use::Tiles),
        tiles(&["XYZSource"], Use::Tiles),
        tiles(&["OlSourceXYZ"], Use::Tiles),
        tiles(&["OlXYZ"], Use::Tiles),
        tiles(&["source", "OSM"], Use::Tiles),
        tiles(&["source", "TileImage"], Use::Tiles),
        tiles(&["TileImage"], Use::Tiles),
        tiles(&["source", "UrlTile"], Use::Tiles),
        tiles(&["source", "ImageTile"], Use::Tiles),
        tiles(&["ImageTile"], Use::Tiles),
        tiles(&["source", "DataTile"], Use::Tiles),
        tiles(&["DataTile"], Use::Tiles),
        tiles(&["source", "TileUTFGrid"], Use::Is("tilejson")),
        tiles(&["UTFGrid"], Use::Is("tilejson")),
        source(&["source", "TileJSON"], Use::Is("tilejson")),
        source(&["TileJSON"], Use::Is("tilejson")),
        source(&["source", "Zoomify"], Use::Bare),
        source(&["source", "IIIF"], Use::Bare),
        source(&["source", "BingMaps"], Use::Bare),
        source(&["source", "StadiaMaps"], Use::Bare),
        source(&["source", "Stamen"], Use::Bare),
        source(&["source", "CartoDB"], Use::Bare),
        source(&["source", "Google"], Use::Bare),
        tiles(&["source", "VectorTile"], Use::VectorTiles),
        tiles(&["VectorTileSource"], Use::VectorTiles),
        tiles(&["OlSourceVectorTile"], Use::VectorTiles),
        source(&["OGCMapTile"], Use::Is("ogcapi-tiles")).layers(&["collections"]),
        source(&["OGCVectorTile"], Use::Is("ogcapi-tiles")).layers(&["collections"]),
        source(&["OGCMap"], Use::Is("ogcapi-maps")).layers(&["collections"]),
        source(&["GeoZarr"], Use::Is("zarr")),
        Sign::new(&["source", "GeoTIFF"], &[Spot::Each(0, "sources", "url")], Use::File).title(TITLE),
        Sign::new(&["GeoTIFFSource"], &[Spot::Each(0, "sources", "url")], Use::File).title(TITLE),
        source(&["source", "ImageStatic"], Use::Picture),
        source(&["ImageStatic"], Use::Picture),
        source(&["source", "Static"], Use::Picture),
        Sign::new(&["source", "Vector"], VECTOR, Use::File).layers(FEATURE_TYPES).title(TITLE),
        Sign::new(&["VectorSource"], VECTOR, Use::File).layers(FEATURE_TYPES).title(TITLE),
        Sign::new(&["OlSourceVector"], VECTOR, Use::File).layers(FEATURE_TYPES).title(TITLE),
        Sign::new(&["source", "ServerVector"], VECTOR, Use::File),
        Sign::new(&["source", "GeoJSON"], VECTOR, Use::File),
        Sign::new(&["source", "KML"], VECTOR, Use::File),
        Sign::new(&["source", "TopoJSON"], VECTOR, Use::File),
        Sign::new(&["source", "GPX"], VECTOR, Use::File),
        // ol-mapbox-style.
        Sign::new(&["MapboxVectorLayer"], &[Spot::In(0, "styleUrl")], Use::Document),
        Sign::new(&["MapboxVector"], &[Spot::In(0, "styleUrl")], Use::Document),
        Sign::new(&["MapboxStyleLayer"], &[Spot::In(0, "styleUrl"), Spot::In(0, "url")], Use::Document),
        Sign::new(&["applyStyle"], &[Spot::Arg(1)], Use::Document),
        Sign::new(&["applyBackground"], &[Spot::Arg(1)], Use::Document),
        Sign::new(&["olms"], &[Spot::Arg(1)], Use::Document),
        Sign::new(&["olms", "apply"], &[Spot::Arg(1)], Use::Document),
        Sign::new(&["ol-mapbox-style", "apply"], &[Spot::Arg(1)], Use::Document),
        // ol-ext.
        Sign::new(&["control", "WMSCapabilities"], CAPABILITIES, Use::Bare),
        Sign::new(&["control", "WMTSCapabilities"], CAPABILITIES, Use::Bare),
        Sign::new(&["layer", "Geoportail"], &[], Use::Bare),
        Sign::new(&["source", "WikiCommons"], &[], Use::Bare),
        Sign::new(&["source", "TileWFS"], OPTIONS, Use::Is("wfs")).layers(FEATURE_TYPES),
        Sign::new(&["source", "GeoRSS"], OPTIONS, Use::File),
        Sign::new(&["source", "Overpass"], &[], Use::Bare),
        // Wrappers: hslayers, react-geo, ngeo, ol-cesium.
        Sign::new(&["SparqlJson"], OPTIONS, Use::Loaded),
        Sign::new(&["WfsSource"], &[Spot::In(0, "data_url"), Spot::In(0, "url")], Use::Is("wfs"))
            .layers(&["layer_name", "typeName"]),
        Sign::new(&["createBasicWMSLayer"], &[Spot::Arg(1), Spot::Arg(0)], Use::Is("wms")),
        Sign::new(&["createBasicWMSLayerFromDataSource"], &[], Use::Bare),
        Sign::new(&["createWMTSLayerFromCapabilitites"], &[Spot::Arg(0)], Use::Is("wmts")),
        Sign::new(&["createWMTSLayerFromCapabilititesObj"], &[], Use::Bare),
        Sign::new(&["parseWmsCapabilities"], FIRST, Use::Loaded),
        Sign::new(&["getWmsCapabilities"], FIRST, Use::Is("wms")),
        Sign::new(&["writeGetFeature"], &[], Use::Bare).layers(FEATURE_TYPES),
        // @camptocamp/ogc-client.
        Sign::new(&["WmsEndpoint"], FIRST, Use::Is("wms")),
        Sign::new(&["WmtsEndpoint"], FIRST, Use::Is("wmts")),
        Sign::new(&["WfsEndpoint"], FIRST, Use::Is("wfs")),
        Sign::new(&["CswEndpoint"], FIRST, Use::Is("csw")),
        Sign::new(&["OgcApiEndpoint"], FIRST, Use::Is("ogcapi-features")),
        Sign::new(&["StacEndpoint"], FIRST, Use::Is("stac-api")),
        Sign::new(&["TmsEndpoint"], FIRST, Use::Is("tms")),
    ],
};
