//! deck.gl, iTowns and Web WorldWind.

use crate::signs::sign::{FEATURE_TYPES, FIRST, OPTIONS, Sign, Spot, Table, Use, WMS_LAYERS, WMTS_LAYERS};

const DATA: &[Spot] = &[Spot::In(0, "data")];
const SERVICE: &[Spot] = &[Spot::In(0, "service"), Spot::Arg(0)];
const NAMES: &[&str] = &["name", "layers", "layer"];

const fn data(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, DATA, uses).title(&[Spot::In(0, "id")])
}

const fn source(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, OPTIONS, uses)
}

pub const DECKGL: Table = Table {
    library: "deckgl",
    roots: &["deck", "deckgl", "deck.gl", "@deck.gl", "@loaders.gl"],
    signs: &[
        Sign::map(&["deck", "DeckGL"]),
        Sign::map(&["DeckGL"]),
        Sign::new(&["WMSLayer"], DATA, Use::Is("wms")).layers(WMS_LAYERS).title(&[Spot::In(0, "id")]),
        data(&["TileLayer"], Use::Tiles),
        data(&["MVTLayer"], Use::VectorTiles),
        data(&["Tile3DLayer"], Use::Is("3dtiles")),
        data(&["GeoJsonLayer"], Use::File),
        data(&["PointCloudLayer"], Use::File),
        Sign::new(&["TerrainLayer"], &[Spot::In(0, "elevationData")], Use::Tiles),
        data(&["_TerrainExtension"], Use::Bare),
        Sign::new(&["WMSSource"], FIRST, Use::Is("wms")).layers(WMS_LAYERS),
        Sign::new(&["ImageSource", "create"], OPTIONS, Use::Loaded),
        Sign::new(&["createImageSource"], OPTIONS, Use::Loaded),
        Sign::new(&["WMSImageSource"], OPTIONS, Use::Is("wms")).layers(WMS_LAYERS),
        Sign::new(&["createDataSource"], &[Spot::Arg(0)], Use::Loaded),
    ],
};

pub const ITOWNS: Table = Table {
    library: "itowns",
    roots: &["itowns"],
    signs: &[
        Sign::map(&["itowns", "GlobeView"]),
        Sign::map(&["itowns", "PlanarView"]),
        Sign::map(&["GlobeView"]),
        Sign::map(&["PlanarView"]),
        source(&["WMSSource"], Use::Is("wms")).layers(NAMES),
        source(&["WMTSSource"], Use::Is("wmts")).layers(NAMES),
        source(&["WFSSource"], Use::Is("wfs")).layers(FEATURE_TYPES),
        source(&["TMSSource"], Use::Tiles),
        source(&["VectorTilesSource"], Use::VectorTiles),
        source(&["C3DTilesSource"], Use::Is("3dtiles")),
        source(&["OGC3DTilesSource"], Use::Is("3dtiles")),
        source(&["FileSource"], Use::File),
        source(&["CopcSource"], Use::File),
        source(&["EntwinePointTileSource"], Use::Loaded),
        source(&["PotreeSource"], Use::Loaded),
        source(&["Potree2Source"], Use::Loaded),
        source(&["OrientedImageSource"], Use::Loaded),
    ],
};

pub const WORLDWIND: Table = Table {
    library: "worldwind",
    roots: &["WorldWind"],
    signs: &[
        Sign::map(&["WorldWind", "WorldWindow"]),
        Sign::map(&["WorldWindow"]),
        Sign::new(&["WmsLayer"], SERVICE, Use::Is("wms"))
            .layers(&["layerNames", "layers"])
            .title(&[Spot::In(0, "title")]),
        Sign::new(&["WmsTimeDimensionedLayer"], SERVICE, Use::Is("wms")).layers(&["layerNames"]),
        Sign::new(&["WmtsLayer"], SERVICE, Use::Is("wmts")).layers(WMTS_LAYERS),
        Sign::new(&["WmsUrlBuilder"], FIRST, Use::Is("wms")),
        Sign::new(&["WcsUrlBuilder"], FIRST, Use::Is("wcs")),
        Sign::new(&["WebCoverageService", "create"], FIRST, Use::Is("wcs")),
        Sign::new(&["WcsElevationCoverage"], SERVICE, Use::Is("wcs")).layers(&["coverage", "coverageId"]),
        Sign::new(&["WorldWind", "GeoJSONParser"], FIRST, Use::File),
        Sign::new(&["GeoJSONParser"], FIRST, Use::File),
        Sign::new(&["WorldWind", "KmlFile"], FIRST, Use::File),
        Sign::new(&["KmlFile"], FIRST, Use::File),
        Sign::new(&["GeoTiffReader", "retrieveFromUrl"], FIRST, Use::File),
        Sign::new(&["TiledImageLayer"], &[], Use::Map),
        Sign::new(&["RestTiledImageLayer"], FIRST, Use::Loaded),
    ],
};
