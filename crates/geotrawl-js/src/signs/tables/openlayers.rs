//! OpenLayers 3 to 10 and what is built on it: `new TileWMS({url, params: {LAYERS}})`.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FEATURE_TYPES, FIRST, LibrarySignatures, OPTIONS, WMS_LAYERS,
    WMTS_LAYERS,
};

const TILE_FUNCTION: &[ArgumentPath] = &[
    ArgumentPath::In(0, "url"),
    ArgumentPath::In(0, "urls"),
    ArgumentPath::In(0, "tileUrlFunction"),
    ArgumentPath::In(0, "loader"),
];
const VECTOR: &[ArgumentPath] = &[ArgumentPath::In(0, "url"), ArgumentPath::In(0, "loader")];
const TITLE: &[ArgumentPath] = &[ArgumentPath::In(0, "title"), ArgumentPath::In(0, "name")];
const CAPABILITIES: &[ArgumentPath] = &[ArgumentPath::In(0, "url"), ArgumentPath::In(0, "capabilitiesUrl")];

const fn source(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, OPTIONS, uses).title(TITLE)
}

const fn tiles(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, TILE_FUNCTION, uses).title(TITLE)
}

pub const TABLE: LibrarySignatures = LibrarySignatures {
    library: "openlayers",
    roots: &["ol", "ngeo", "gmf", "olms", "olext", "olExt"],
    signs: &[
        CallSignature::map_constructor(&["ol", "Map"]),
        CallSignature::map_constructor(&["ol", "PluggableMap"]),
        CallSignature::map_constructor(&["OlMap"]),
        CallSignature::map_constructor(&["OLMap"]),
        CallSignature::map_constructor(&["ol", "View"]),
        source(&["TileWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["ImageWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["TileWMSSource"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["ImageWMSSource"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["SingleImageWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["OlSourceTileWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["OlSourceImageWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["OlTileWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["OlImageWMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["source", "WMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        // ol/source/wms: createLoader({url, params}), getFeatureInfoUrl.
        source(&["wms", "createLoader"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        source(&["arcgisRest", "createLoader"], AddressUse::Arcgis),
        source(&["mapguide", "createLoader"], AddressUse::Loaded),
        source(&["static", "createLoader"], AddressUse::Picture),
        source(&["source", "WMTS"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        source(&["WMTS"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        source(&["WMTSSource"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        source(&["OlSourceWMTS"], AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        CallSignature::new(&["optionsFromCapabilities"], &[], AddressUse::Bare).layers(WMTS_LAYERS),
        CallSignature::new(&["WMTSCapabilities"], &[], AddressUse::Bare),
        CallSignature::new(&["WMSCapabilities"], &[], AddressUse::Bare),
        source(&["TileArcGISRest"], AddressUse::Arcgis).layers(WMS_LAYERS),
        source(&["ImageArcGISRest"], AddressUse::Arcgis).layers(WMS_LAYERS),
        source(&["ImageMapGuide"], AddressUse::Loaded),
        tiles(&["source", "XYZ"], AddressUse::Tiles),
        tiles(&["XYZ"], AddressUse::Tiles),
        tiles(&["XYZSource"], AddressUse::Tiles),
        tiles(&["OlSourceXYZ"], AddressUse::Tiles),
        tiles(&["OlXYZ"], AddressUse::Tiles),
        tiles(&["source", "OSM"], AddressUse::Tiles),
        tiles(&["source", "TileImage"], AddressUse::Tiles),
        tiles(&["TileImage"], AddressUse::Tiles),
        tiles(&["source", "UrlTile"], AddressUse::Tiles),
        tiles(&["source", "ImageTile"], AddressUse::Tiles),
        tiles(&["ImageTile"], AddressUse::Tiles),
        tiles(&["source", "DataTile"], AddressUse::Tiles),
        tiles(&["DataTile"], AddressUse::Tiles),
        tiles(&["source", "TileUTFGrid"], AddressUse::Is("tilejson")),
        tiles(&["UTFGrid"], AddressUse::Is("tilejson")),
        source(&["source", "TileJSON"], AddressUse::Is("tilejson")),
        source(&["TileJSON"], AddressUse::Is("tilejson")),
        source(&["source", "Zoomify"], AddressUse::Bare),
        source(&["source", "IIIF"], AddressUse::Bare),
        source(&["source", "BingMaps"], AddressUse::Bare),
        source(&["source", "StadiaMaps"], AddressUse::Bare),
        source(&["source", "Stamen"], AddressUse::Bare),
        source(&["source", "CartoDB"], AddressUse::Bare),
        source(&["source", "Google"], AddressUse::Bare),
        tiles(&["source", "VectorTile"], AddressUse::VectorTiles),
        tiles(&["VectorTileSource"], AddressUse::VectorTiles),
        tiles(&["OlSourceVectorTile"], AddressUse::VectorTiles),
        source(&["OGCMapTile"], AddressUse::Is("ogcapi-tiles")).layers(&["collections"]),
        source(&["OGCVectorTile"], AddressUse::Is("ogcapi-tiles")).layers(&["collections"]),
        source(&["OGCMap"], AddressUse::Is("ogcapi-maps")).layers(&["collections"]),
        source(&["GeoZarr"], AddressUse::Is("zarr")),
        CallSignature::new(
            &["source", "GeoTIFF"],
            &[ArgumentPath::Each(0, "sources", "url")],
            AddressUse::File,
        )
        .title(TITLE),
        CallSignature::new(&["GeoTIFFSource"], &[ArgumentPath::Each(0, "sources", "url")], AddressUse::File)
            .title(TITLE),
        source(&["source", "ImageStatic"], AddressUse::Picture),
        source(&["ImageStatic"], AddressUse::Picture),
        source(&["source", "Static"], AddressUse::Picture),
        CallSignature::new(&["source", "Vector"], VECTOR, AddressUse::File)
            .layers(FEATURE_TYPES)
            .title(TITLE),
        CallSignature::new(&["VectorSource"], VECTOR, AddressUse::File).layers(FEATURE_TYPES).title(TITLE),
        CallSignature::new(&["OlSourceVector"], VECTOR, AddressUse::File).layers(FEATURE_TYPES).title(TITLE),
        CallSignature::new(&["source", "ServerVector"], VECTOR, AddressUse::File),
        CallSignature::new(&["source", "GeoJSON"], VECTOR, AddressUse::File),
        CallSignature::new(&["source", "KML"], VECTOR, AddressUse::File),
        CallSignature::new(&["source", "TopoJSON"], VECTOR, AddressUse::File),
        CallSignature::new(&["source", "GPX"], VECTOR, AddressUse::File),
        // ol-mapbox-style.
        CallSignature::new(&["MapboxVectorLayer"], &[ArgumentPath::In(0, "styleUrl")], AddressUse::Document),
        CallSignature::new(&["MapboxVector"], &[ArgumentPath::In(0, "styleUrl")], AddressUse::Document),
        CallSignature::new(
            &["MapboxStyleLayer"],
            &[ArgumentPath::In(0, "styleUrl"), ArgumentPath::In(0, "url")],
            AddressUse::Document,
        ),
        CallSignature::new(&["applyStyle"], &[ArgumentPath::Arg(1)], AddressUse::Document),
        CallSignature::new(&["applyBackground"], &[ArgumentPath::Arg(1)], AddressUse::Document),
        CallSignature::new(&["olms"], &[ArgumentPath::Arg(1)], AddressUse::Document),
        CallSignature::new(&["olms", "apply"], &[ArgumentPath::Arg(1)], AddressUse::Document),
        CallSignature::new(&["ol-mapbox-style", "apply"], &[ArgumentPath::Arg(1)], AddressUse::Document),
        // ol-ext.
        CallSignature::new(&["control", "WMSCapabilities"], CAPABILITIES, AddressUse::Bare),
        CallSignature::new(&["control", "WMTSCapabilities"], CAPABILITIES, AddressUse::Bare),
        CallSignature::new(&["layer", "Geoportail"], &[], AddressUse::Bare),
        CallSignature::new(&["source", "WikiCommons"], &[], AddressUse::Bare),
        CallSignature::new(&["source", "TileWFS"], OPTIONS, AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        CallSignature::new(&["source", "GeoRSS"], OPTIONS, AddressUse::File),
        CallSignature::new(&["source", "Overpass"], &[], AddressUse::Bare),
        // Wrappers: hslayers, react-geo, ngeo, ol-cesium.
        CallSignature::new(&["SparqlJson"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(
            &["WfsSource"],
            &[ArgumentPath::In(0, "data_url"), ArgumentPath::In(0, "url")],
            AddressUse::Is("wfs"),
        )
        .layers(&["layer_name", "typeName"]),
        CallSignature::new(
            &["createBasicWMSLayer"],
            &[ArgumentPath::Arg(1), ArgumentPath::Arg(0)],
            AddressUse::Is("wms"),
        ),
        CallSignature::new(&["createBasicWMSLayerFromDataSource"], &[], AddressUse::Bare),
        CallSignature::new(
            &["createWMTSLayerFromCapabilitites"],
            &[ArgumentPath::Arg(0)],
            AddressUse::Is("wmts"),
        ),
        CallSignature::new(&["createWMTSLayerFromCapabilititesObj"], &[], AddressUse::Bare),
        CallSignature::new(&["parseWmsCapabilities"], FIRST, AddressUse::Loaded),
        CallSignature::new(&["getWmsCapabilities"], FIRST, AddressUse::Is("wms")),
        CallSignature::new(&["writeGetFeature"], &[], AddressUse::Bare).layers(FEATURE_TYPES),
        // @camptocamp/ogc-client.
        CallSignature::new(&["WmsEndpoint"], FIRST, AddressUse::Is("wms")),
        CallSignature::new(&["WmtsEndpoint"], FIRST, AddressUse::Is("wmts")),
        CallSignature::new(&["WfsEndpoint"], FIRST, AddressUse::Is("wfs")),
        CallSignature::new(&["CswEndpoint"], FIRST, AddressUse::Is("csw")),
        CallSignature::new(&["OgcApiEndpoint"], FIRST, AddressUse::Is("ogcapi-features")),
        CallSignature::new(&["StacEndpoint"], FIRST, AddressUse::Is("stac-api")),
        CallSignature::new(&["TmsEndpoint"], FIRST, AddressUse::Is("tms")),
    ],
};
