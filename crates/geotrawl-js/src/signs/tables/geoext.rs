//! GeoExt, gxp and Heron, with the stores of Ext JS. `Ext.create('GeoExt.data.store.X', {url})` is
//! treated like `new GeoExt.data.store.X({url})`.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FEATURE_TYPES, LibrarySignatures, OPTIONS, WMS_LAYERS,
};

const URL: &[ArgumentPath] =
    &[ArgumentPath::In(0, "url"), ArgumentPath::Deep(0, "proxy", "url"), ArgumentPath::In(0, "baseURL")];

const fn store(tail: &'static [&'static str], uses: AddressUse) -> CallSignature {
    CallSignature::new(tail, URL, uses)
}

pub const TABLE: LibrarySignatures = LibrarySignatures {
    library: "geoext",
    roots: &["GeoExt", "gxp", "Heron", "GEOR", "Ext"],
    signs: &[
        CallSignature::map_constructor(&["GeoExt", "MapPanel"]),
        CallSignature::map_constructor(&["panel", "Map"]),
        CallSignature::map_constructor(&["component", "Map"]),
        CallSignature::map_constructor(&["gxp", "Viewer"]),
        CallSignature::map_constructor(&["Heron", "App"]),
        store(&["WMSCapabilitiesStore"], AddressUse::Is("wms")),
        store(&["WMSCapabilitiesReader"], AddressUse::Is("wms")),
        store(&["WMSCapabilitiesLoader"], AddressUse::Is("wms")),
        store(&["WmsCapabilitiesTree"], AddressUse::Is("wms")),
        store(&["store", "WmsCapabilities"], AddressUse::Is("wms")),
        store(&["WMSDescribeLayerStore"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        store(&["store", "WmsDescribeLayer"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        store(&["WFSCapabilitiesStore"], AddressUse::Is("wfs")),
        store(&["store", "WfsCapabilities"], AddressUse::Is("wfs")),
        store(&["store", "WfsFeatures"], AddressUse::Is("wfs")).layers(FEATURE_TYPES),
        store(&["WMTSCapabilitiesStore"], AddressUse::Is("wmts")),
        store(&["WMCReader"], AddressUse::Loaded),
        store(&["CSWRecordsStore"], AddressUse::Is("csw")),
        store(&["store", "CswRecords"], AddressUse::Is("csw")),
        store(&["AttributeStore"], AddressUse::Is("wfs")),
        store(&["data", "FeatureStore"], AddressUse::File),
        store(&["FeatureStore"], AddressUse::File),
        store(&["WMSSource"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        store(&["WMSCSource"], AddressUse::Is("wms")).layers(WMS_LAYERS),
        store(&["WMSStylesDialog"], AddressUse::Bare),
        store(&["plugins", "ArcGISCacheSource"], AddressUse::Arcgis),
        store(&["plugins", "ArcRestSource"], AddressUse::Arcgis),
        store(&["plugins", "TMSSource"], AddressUse::Is("tms")),
        store(&["plugins", "CatalogueSource"], AddressUse::Is("csw")),
        store(&["plugins", "GeoNodeCatalogueSource"], AddressUse::Is("geonode")),
        store(&["data", "TMSCapabilitiesStore"], AddressUse::Is("tms")),
        CallSignature::new(&["MapFishPrintProvider"], OPTIONS, AddressUse::Loaded),
        CallSignature::new(&["data", "JsonStore"], URL, AddressUse::Loaded),
        CallSignature::new(&["Ajax", "request"], OPTIONS, AddressUse::Loaded),
    ],
};
