//! deck.gl, iTowns and Web WorldWind.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FEATURE_TYPES, FIRST, LibrarySignatures, OPTIONS, WMS_LAYERS,
    WMTS_LAYERS,
};

const DATA: &[ArgumentPath] = &[ArgumentPath::In(0, "data")];
const SERVICE: &[ArgumentPath] = &[ArgumentPath::In(0, "service"), ArgumentPath::Arg(0)];
const NAMES: &[&str] = &["name", "layers", "layer"];

const fn data(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, DATA, uses).title(&[ArgumentPath::In(0, "id")])
}

const fn source(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, OPTIONS, uses)
}

pub const DECKGL: LibrarySignatures = LibrarySignatures {
    library: "deckgl",
    roots: &["deck", "deckgl", "deck.gl", "@deck.gl", "@loaders.gl"],
    signs: &[
        CallSignature::map_constructor(&["deck", "DeckGL"]),
        CallSignature::map_constructor(&["DeckGL"]),
        CallSignature::new(&["WMSLayer"], DATA, AddressUse::Is("wms"))
            .layers(WMS_LAYERS)
            .title(&[ArgumentPath::In(0, "id")]),
        data(&["TileLayer"], AddressUse::Tiles),
        data(&["MVTLayer"], AddressUse::VectorTiles),
        data(&["Tile3DLayer"], AddressUse::Is("3dtiles")),
        data(&["GeoJsonLayer"], AddressUse::File),
        data(&["PointCloudLayer"], AddressUse::File),
        CallSignature::new(&["TerrainLayer"], &[ArgumentPath::In(0, "elevationData")], AddressUse::Tiles),
        data(&["_TerrainExtension"], AddressUse::Bare),
        CallSignature::new(&["WMSSource"], FIRST, AddressUse::Is("wms")).layers(WMS_LAYERS),
        CallSignature::new(&["ImageSource", "create"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(&["createImageSource"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(&["WMSImageSource"], OPTIONS, AddressUse::Is("wms")).layers(WMS_LAYERS),
        CallSignature::new(&["createDataSource"], &[ArgumentPath::Arg(0)], AddressUse::Loaded),
    ],
};

pub const ITOWNS: LibrarySignatures = LibrarySignatures {
    library: "itowns",
    roots: &["itowns"],
    signs: &[
        CallSignature::map_constructor(&["itowns", "GlobeView"]),
        CallSignature::map_constructor(&["itowns", "PlanarView"]),
        CallSignature::map_constructor(&["GlobeView"]),
        CallSignature::map_constructor(&["PlanarView"]),
        source(&["WMSSource"], AddressUse::Is("wms")).layers(NAMES),
        source(&["WMTSSource"], AddressUse::Is("wmts")).layers(NAMES),
        source(&["WFSSource"], AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        source(&["TMSSource"], AddressUse::Tiles),
        source(&["VectorTilesSource"], AddressUse::VectorTiles),
        source(&["C3DTilesSource"], AddressUse::Is("3dtiles")),
        source(&["OGC3DTilesSource"], AddressUse::Is("3dtiles")),
        source(&["FileSource"], AddressUse::File),
        source(&["CopcSource"], AddressUse::File),
        source(&["EntwinePointTileSource"], AddressUse::Loaded),
        source(&["PotreeSource"], AddressUse::Loaded),
        source(&["Potree2Source"], AddressUse::Loaded),
        source(&["OrientedImageSource"], AddressUse::Loaded),
    ],
};

pub const WORLDWIND: LibrarySignatures = LibrarySignatures {
    library: "worldwind",
    roots: &["WorldWind"],
    signs: &[
        CallSignature::map_constructor(&["WorldWind", "WorldWindow"]),
        CallSignature::map_constructor(&["WorldWindow"]),
        CallSignature::new(&["WmsLayer"], SERVICE, AddressUse::Is("wms"))
            .layers(&["layerNames", "layers"])
            .title(&[ArgumentPath::In(0, "title")]),
        CallSignature::new(&["WmsTimeDimensionedLayer"], SERVICE, AddressUse::Is("wms"))
            .layers(&["layerNames"]),
        CallSignature::new(&["WmtsLayer"], SERVICE, AddressUse::Is("wmts")).layers(WMTS_LAYERS),
        CallSignature::new(&["WmsUrlBuilder"], FIRST, AddressUse::Is("wms")),
        CallSignature::new(&["WcsUrlBuilder"], FIRST, AddressUse::Is("wcs")),
        CallSignature::new(&["WebCoverageService", "create"], FIRST, AddressUse::Is("wcs")),
        CallSignature::new(&["WcsElevationCoverage"], SERVICE, AddressUse::Is("wcs"))
            .layers(&["coverage", "coverageId"]),
        CallSignature::new(&["WorldWind", "GeoJSONParser"], FIRST, AddressUse::File),
        CallSignature::new(&["GeoJSONParser"], FIRST, AddressUse::File),
        CallSignature::new(&["WorldWind", "KmlFile"], FIRST, AddressUse::File),
        CallSignature::new(&["KmlFile"], FIRST, AddressUse::File),
        CallSignature::new(&["GeoTiffReader", "retrieveFromUrl"], FIRST, AddressUse::File),
        CallSignature::new(&["TiledImageLayer"], &[], AddressUse::Map),
        CallSignature::new(&["RestTiledImageLayer"], FIRST, AddressUse::Loaded),
    ],
};
