//! Mapbox GL, MapLibre GL and libraries with the same style format: `new Map({style})`,
//! `addSource(id, {type, tiles})`.

use crate::signs::sign::{AddressUse, ArgumentPath, CallSignature, FIRST, LibrarySignatures};

const STYLE: &[ArgumentPath] = &[ArgumentPath::In(0, "style")];
const SOURCE: &[ArgumentPath] =
    &[ArgumentPath::In(1, "tiles"), ArgumentPath::In(1, "url"), ArgumentPath::In(1, "data")];

pub const TABLE: LibrarySignatures = LibrarySignatures {
    library: "maplibre",
    roots: &["mapboxgl", "maplibregl", "maplibre", "mapbox", "maptilersdk", "maptiler", "goong", "trackasia"],
    signs: &[
        CallSignature::new(&["mapboxgl", "Map"], STYLE, AddressUse::Document),
        CallSignature::new(&["maplibregl", "Map"], STYLE, AddressUse::Document),
        CallSignature::new(&["maplibre-gl", "Map"], STYLE, AddressUse::Document),
        CallSignature::new(&["mapbox-gl", "Map"], STYLE, AddressUse::Document),
        CallSignature::new(&["maptilersdk", "Map"], STYLE, AddressUse::Document),
        CallSignature::new(&["setStyle"], &[ArgumentPath::Arg(0)], AddressUse::Document),
        // The object of the source is read by its shape; the name of the source serves as its
        // title.
        CallSignature::new(&["addSource"], SOURCE, AddressUse::Bare).title(&[ArgumentPath::Arg(0)]),
        CallSignature::new(&["setTiles"], &[ArgumentPath::Arg(0)], AddressUse::Tiles),
        CallSignature::new(&["PMTiles"], FIRST, AddressUse::File),
        CallSignature::new(&["pmtiles", "FetchSource"], FIRST, AddressUse::File),
        CallSignature::new(&["setRTLTextPlugin"], &[], AddressUse::Map),
    ],
};
