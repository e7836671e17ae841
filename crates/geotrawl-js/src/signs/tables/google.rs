//! Google Maps, Bing, HERE, Yandex, AMap and Baidu: these have built-in base maps, and can show
//! other tiles and files.

use crate::signs::sign::{AddressUse, ArgumentPath, CallSignature, FIRST, LibrarySignatures};

const TILE_URL: &[ArgumentPath] = &[ArgumentPath::In(0, "getTileUrl"), ArgumentPath::In(0, "url")];

pub const GOOGLE: LibrarySignatures = LibrarySignatures {
    library: "google",
    roots: &["google"],
    signs: &[
        CallSignature::map_constructor(&["google", "maps", "Map"]),
        CallSignature::map_constructor(&["maps", "Map"]),
        CallSignature::new(&["ImageMapType"], TILE_URL, AddressUse::Tiles)
            .title(&[ArgumentPath::In(0, "name")]),
        CallSignature::new(&["KmlLayer"], FIRST, AddressUse::File),
        CallSignature::new(&["GGeoXml"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["loadGeoJson"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["GroundOverlay"], &[ArgumentPath::Arg(0)], AddressUse::Picture),
        CallSignature::new(&["maps", "GroundOverlay"], &[ArgumentPath::Arg(0)], AddressUse::Picture),
    ],
};

pub const OTHERS: LibrarySignatures = LibrarySignatures {
    library: "basemap-api",
    roots: &["Microsoft", "H", "ymaps", "AMap", "BMap", "atlas"],
    signs: &[
        CallSignature::map_constructor(&["Microsoft", "Maps", "Map"]),
        CallSignature::map_constructor(&["H", "Map"]),
        CallSignature::map_constructor(&["ymaps", "Map"]),
        CallSignature::map_constructor(&["AMap", "Map"]),
        CallSignature::map_constructor(&["BMap", "Map"]),
        CallSignature::map_constructor(&["atlas", "Map"]),
        CallSignature::new(
            &["Maps", "TileSource"],
            &[ArgumentPath::In(0, "uriConstructor")],
            AddressUse::Tiles,
        ),
        CallSignature::new(&["TileSource"], &[ArgumentPath::In(0, "uriConstructor")], AddressUse::Tiles),
        CallSignature::new(
            &["SpatialDataService", "GeoDataLayer"],
            &[ArgumentPath::Arg(0)],
            AddressUse::File,
        ),
        CallSignature::new(&["GeoXml", "readFromUrl"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["GeoXmlLayer"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["readFromUrl"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["OgcMapLayer"], FIRST, AddressUse::Loaded),
        CallSignature::new(
            &["ImageTileProvider"],
            &[ArgumentPath::In(0, "getURL"), ArgumentPath::In(0, "url")],
            AddressUse::Tiles,
        ),
        CallSignature::new(&["H", "data", "kml", "Reader"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["kml", "Reader"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["geojson", "Reader"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["ymaps", "Layer"], &[ArgumentPath::Arg(0)], AddressUse::Tiles),
        CallSignature::new(&["geoXml", "load"], &[ArgumentPath::Arg(0)], AddressUse::File),
        CallSignature::new(&["TileLayer", "WMS"], &[ArgumentPath::In(0, "url")], AddressUse::Is("wms"))
            .layers(&["LAYERS", "layers"]),
        CallSignature::new(&["TileLayer", "WMTS"], &[ArgumentPath::In(0, "url")], AddressUse::Is("wmts"))
            .layers(&["Layer", "layer"]),
    ],
};
