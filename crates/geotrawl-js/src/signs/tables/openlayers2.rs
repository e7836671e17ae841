//! OpenLayers 2: `new OpenLayers.Layer.WMS(title, url, {layers}, options)`, and options objects for
//! later classes.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FEATURE_TYPES, FIRST, LibrarySignatures, OPTIONS, SECOND,
    WMS_LAYERS, WMTS_LAYERS,
};

const NAME: &[ArgumentPath] = &[ArgumentPath::Arg(0)];
const OPTION_NAME: &[ArgumentPath] = &[ArgumentPath::In(0, "name"), ArgumentPath::In(0, "title")];

/// A layer with title and URL before its parameters.
const fn layer(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, SECOND, uses).title(NAME)
}

pub const TABLE: LibrarySignatures = LibrarySignatures {
    library: "openlayers2",
    roots: &["OpenLayers"],
    signs: &[
        CallSignature::map_constructor(&["OpenLayers", "Map"]),
        layer(&["Layer", "WMS"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "WMS", "Untiled"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "WMS", "Post"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "SingleTile"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        layer(&["Layer", "MapServer"], AddressUse::Loaded).layers(WMS_LAYERS),
        layer(&["Layer", "MapServer", "Untiled"], AddressUse::Loaded).layers(WMS_LAYERS),
        layer(&["Layer", "MapGuide"], AddressUse::Loaded),
        layer(&["Layer", "TMS"], AddressUse::Is("tms")).layers(&["layername"]),
        layer(&["Layer", "TileCache"], AddressUse::Tiles),
        layer(&["Layer", "XYZ"], AddressUse::Tiles),
        layer(&["Layer", "OSM"], AddressUse::Tiles),
        layer(&["Layer", "UTFGrid"], AddressUse::Tiles),
        layer(&["Layer", "KaMap"], AddressUse::Loaded),
        layer(&["Layer", "KaMapCache"], AddressUse::Loaded),
        layer(&["Layer", "WorldWind"], AddressUse::Loaded),
        layer(&["Layer", "ArcGIS93Rest"], AddressUse::Arcgis).layers(WMS_LAYERS),
        layer(&["Layer", "ArcGISCache"], AddressUse::Arcgis),
        layer(&["Layer", "AgsDynamic"], AddressUse::Arcgis),
        layer(&["Layer", "AgsTiled"], AddressUse::Arcgis),
        layer(&["Layer", "ArcIMS"], AddressUse::Is("arcims")).layers(&["serviceName"]),
        layer(&["Layer", "WFS"], AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        layer(&["Layer", "GML"], AddressUse::File),
        layer(&["Layer", "KML"], AddressUse::File),
        layer(&["Layer", "GeoRSS"], AddressUse::File),
        layer(&["Layer", "Image"], AddressUse::Picture),
        CallSignature::new(&["Layer", "WMTS"], OPTIONS, AddressUse::Is("wmts"))
            .layers(WMTS_LAYERS)
            .title(OPTION_NAME),
        CallSignature::new(&["Layer", "Bing"], &[], AddressUse::Bare),
        CallSignature::new(&["Layer", "Google"], &[], AddressUse::Bare),
        CallSignature::new(
            &["Layer", "Vector"],
            &[ArgumentPath::Deep(1, "protocol", "url")],
            AddressUse::File,
        )
        .title(NAME),
        CallSignature::new(&["Protocol", "WFS"], OPTIONS, AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        CallSignature::new(&["WFS", "v1_0_0"], OPTIONS, AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        CallSignature::new(&["WFS", "v1_1_0"], OPTIONS, AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        CallSignature::new(&["WFS", "v2_0_0"], OPTIONS, AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        CallSignature::new(&["Protocol", "CSW"], OPTIONS, AddressUse::Is("csw")),
        CallSignature::new(&["CSW", "v2_0_2"], OPTIONS, AddressUse::Is("csw")),
        CallSignature::new(&["Protocol", "SOS"], OPTIONS, AddressUse::Is("sos")),
        CallSignature::new(&["SOS", "v1_0_0"], OPTIONS, AddressUse::Is("sos")),
        CallSignature::new(&["Protocol", "HTTP"], OPTIONS, AddressUse::File),
        CallSignature::new(&["Protocol", "Script"], OPTIONS, AddressUse::File),
        CallSignature::new(&["Protocol", "MapFish"], OPTIONS, AddressUse::File),
        CallSignature::new(
            &["OpenLayers", "WPSClient"],
            &[
                ArgumentPath::In(0, "url"),
                ArgumentPath::Deep(0, "servers", "*"),
                ArgumentPath::Deep(0, "servers", "url"),
            ],
            AddressUse::Is("wps"),
        ),
        CallSignature::new(&["Control", "WMSGetFeatureInfo"], OPTIONS, AddressUse::Is("wms")),
        CallSignature::new(&["Control", "WMTSGetFeatureInfo"], OPTIONS, AddressUse::Is("wmts")),
        CallSignature::new(&["Request", "GET"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(&["Request", "POST"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(&["Request", "issue"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(&["OpenLayers", "loadURL"], FIRST, AddressUse::Loaded),
        CallSignature::new(&["WMTSCapabilities", "createLayer"], &[], AddressUse::Bare),
    ],
};
