//! Google Maps, Bing, HERE, Yandex, AMap and Baidu: base maps of their own, with tiles and files of others.

use crate::signs::sign::{FIRST, Sign, Spot, Table, Use};

const TILE_URL: &[Spot] = &[Spot::In(0, "getTileUrl"), Spot::In(0, "url")];

pub const GOOGLE: Table = Table {
    library: "google",
    roots: &["google"],
    signs: &[
        Sign::map(&["google", "maps", "Map"]),
        Sign::map(&["maps", "Map"]),
        Sign::new(&["ImageMapType"], TILE_URL, Use::Tiles).title(&[Spot::In(0, "name")]),
        Sign::new(&["KmlLayer"], FIRST, Use::File),
        Sign::new(&["GGeoXml"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["loadGeoJson"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["GroundOverlay"], &[Spot::Arg(0)], Use::Picture),
        Sign::new(&["maps", "GroundOverlay"], &[Spot::Arg(0)], Use::Picture),
    ],
};

pub const OTHERS: Table = Table {
    library: "basemap-api",
    roots: &["Microsoft", "H", "ymaps", "AMap", "BMap", "atlas"],
    signs: &[
        Sign::map(&["Microsoft", "Maps", "Map"]),
        Sign::map(&["H", "Map"]),
        Sign::map(&["ymaps", "Map"]),
        Sign::map(&["AMap", "Map"]),
        Sign::map(&["BMap", "Map"]),
        Sign::map(&["atlas", "Map"]),
        Sign::new(&["Maps", "TileSource"], &[Spot::In(0, "uriConstructor")], Use::Tiles),
        Sign::new(&["TileSource"], &[Spot::In(0, "uriConstructor")], Use::Tiles),
        Sign::new(&["SpatialDataService", "GeoDataLayer"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["GeoXml", "readFromUrl"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["GeoXmlLayer"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["readFromUrl"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["OgcMapLayer"], FIRST, Use::Loaded),
        Sign::new(&["ImageTileProvider"], &[Spot::In(0, "getURL"), Spot::In(0, "url")], Use::Tiles),
        Sign::new(&["H", "data", "kml", "Reader"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["kml", "Reader"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["geojson", "Reader"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["ymaps", "Layer"], &[Spot::Arg(0)], Use::Tiles),
        Sign::new(&["geoXml", "load"], &[Spot::Arg(0)], Use::File),
        Sign::new(&["TileLayer", "WMS"], &[Spot::In(0, "url")], Use::Is("wms")).layers(&["LAYERS", "layers"]),
        Sign::new(&["TileLayer", "WMTS"], &[Spot::In(0, "url")], Use::Is("wmts")).layers(&["Layer", "layer"]),
    ],
};
