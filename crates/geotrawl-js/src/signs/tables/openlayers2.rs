//! OpenLayers 2: `new OpenLayers.Layer.WMS(title, url, {layers}, options)`, and objects for the later classes.

use crate::signs::sign::{
    FEATURE_TYPES, FIRST, OPTIONS, SECOND, Sign, Spot, Table, Use, WMS_LAYERS, WMTS_LAYERS,
};

const NAME: &[Spot] = &[Spot::Arg(0)];
const OPTION_NAME: &[Spot] = &[Spot::In(0, "name"), Spot::In(0, "title")];

/// A layer with title and address before its parameters.
const fn layer(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, SECOND, uses).title(NAME)
}

pub const TABLE: Table = Table {
    library: "openlayers2",
    roots: &["OpenLayers"],
    signs: &[
        Sign::map(&["OpenLayers", "Map"]),
        layer(&["Layer", "WMS"], Use::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "WMS", "Untiled"], Use::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "WMS", "Post"], Use::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "SingleTile"], Use::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "MapServer"], Use::Loaded).layers(WMS_LAYERS),
        layer(&["Layer", "MapServer", "Untiled"], Use::Loaded).layers(WMS_LAYERS),
        layer(&["Layer", "MapGuide"], Use::Loaded),
        layer(&["Layer", "TMS"], Use::Is("tms")).layers(&["layername"]),
        layer(&["Layer", "TileCache"], Use::Tiles),
        layer(&["Layer", "XYZ"], Use::Tiles),
        layer(&["Layer", "OSM"], Use::Tiles),
        layer(&["Layer", "UTFGrid"], Use::Tiles),
        layer(&["Layer", "KaMap"], Use::Loaded),
        layer(&["Layer", "KaMapCache"], Use::Loaded),
        layer(&["Layer", "WorldWind"], Use::Loaded),
        layer(&["Layer", "ArcGIS93Rest"], Use::Arcgis).layers(WMS_LAYERS),
        layer(&["Layer", "ArcGISCache"], Use::Arcgis),
        layer(&["Layer", "AgsDynamic"], Use::Arcgis),
        layer(&["Layer", "AgsTiled"], Use::Arcgis),
        layer(&["Layer", "ArcIMS"], Use::Is("arcims")).layers(&["serviceName"]),
        layer(&["Layer", "WFS"], Use::Is("wfs")).layers(FEATURE_TYPES),
        layer(&["Layer", "GML"], Use::File),
        layer(&["Layer", "KML"], Use::File),
        layer(&["Layer", "GeoRSS"], Use::File),
        layer(&["Layer", "Image"], Use::Picture),
        Sign::new(&["Layer", "WMTS"], OPTIONS, Use::Is("wmts")).layers(WMTS_LAYERS).title(OPTION_NAME),
        Sign::new(&["Layer", "Bing"], &[], Use::Bare),
        Sign::new(&["Layer", "Google"], &[], Use::Bare),
        Sign::new(&["Layer", "Vector"], &[Spot::Deep(1, "protocol", "url")], Use::File).title(NAME),
        Sign::new(&["Protocol", "WFS"], OPTIONS, Use::Is("wfs")).layers(FEATURE_TYPES),
        Sign::new(&["WFS", "v1_0_0"], OPTIONS, Use::Is("wfs")).layers(FEATURE_TYPES),
        Sign::new(&["WFS", "v1_1_0"], OPTIONS, Use::Is("wfs")).layers(FEATURE_TYPES),
        Sign::new(&["WFS", "v2_0_0"], OPTIONS, Use::Is("wfs")).layers(FEATURE_TYPES),
        Sign::new(&["Protocol", "CSW"], OPTIONS, Use::Is("csw")),
        Sign::new(&["CSW", "v2_0_2"], OPTIONS, Use::Is("csw")),
        Sign::new(&["Protocol", "SOS"], OPTIONS, Use::Is("sos")),
        Sign::new(&["SOS", "v1_0_0"], OPTIONS, Use::Is("sos")),
        Sign::new(&["Protocol", "HTTP"], OPTIONS, Use::File),
        Sign::new(&["Protocol", "Script"], OPTIONS, Use::File),
        Sign::new(&["Protocol", "MapFish"], OPTIONS, Use::File),
        Sign::new(
            &["OpenLayers", "WPSClient"],
            &[Spot::In(0, "url"), Spot::Deep(0, "servers", "*"), Spot::Deep(0, "servers", "url")],
            Use::Is("wps"),
        ),
        Sign::new(&["Control", "WMSGetFeatureInfo"], OPTIONS, Use::Is("wms")),
        Sign::new(&["Control", "WMTSGetFeatureInfo"], OPTIONS, Use::Is("wmts")),
        Sign::new(&["Request", "GET"], OPTIONS, Use::Loaded),
        Sign::new(&["Request", "POST"], OPTIONS, Use::Loaded),
        Sign::new(&["Request", "issue"], OPTIONS, Use::Loaded),
        Sign::new(&["OpenLayers", "loadURL"], FIRST, Use::Loaded),
        Sign::new(&["WMTSCapabilities", "createLayer"], &[], Use::Bare),
    ],
};
