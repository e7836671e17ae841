//! Mapbox GL, MapLibre GL and what shares their style: `new Map({style})`, `addSource(id, {type, tiles})`.

use crate::signs::sign::{FIRST, Sign, Spot, Table, Use};

const STYLE: &[Spot] = &[Spot::In(0, "style")];
const SOURCE: &[Spot] = &[Spot::In(1, "tiles"), Spot::In(1, "url"), Spot::In(1, "data")];

pub const TABLE: Table = Table {
    library: "maplibre",
    roots: &["mapboxgl", "maplibregl", "maplibre", "mapbox", "maptilersdk", "maptiler", "goong", "trackasia"],
    signs: &[
        Sign::new(&["mapboxgl", "Map"], STYLE, Use::Document),
        Sign::new(&["maplibregl", "Map"], STYLE, Use::Document),
        Sign::new(&["maplibre-gl", "Map"], STYLE, Use::Document),
        Sign::new(&["mapbox-gl", "Map"], STYLE, Use::Document),
        Sign::new(&["maptilersdk", "Map"], STYLE, Use::Document),
        Sign::new(&["setStyle"], &[Spot::Arg(0)], Use::Document),
        // What the source is stands in its object: shapes read it. Its name makes a title.
        Sign::new(&["addSource"], SOURCE, Use::Bare).title(&[Spot::Arg(0)]),
        Sign::new(&["setTiles"], &[Spot::Arg(0)], Use::Tiles),
        Sign::new(&["PMTiles"], FIRST, Use::File),
        Sign::new(&["pmtiles", "FetchSource"], FIRST, Use::File),
        Sign::new(&["setRTLTextPlugin"], &[], Use::Map),
    ],
};
