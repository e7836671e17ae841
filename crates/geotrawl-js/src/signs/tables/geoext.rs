//! GeoExt, gxp and Heron, with the stores of Ext JS. `Ext.create('GeoExt.data.store.X', {url})` is read as
//! `new GeoExt.data.store.X({url})`.

use crate::signs::sign::{FEATURE_TYPES, OPTIONS, Sign, Spot, Table, Use, WMS_LAYERS};

const URL: &[Spot] = &[Spot::In(0, "url"), Spot::Deep(0, "proxy", "url"), Spot::In(0, "baseURL")];

const fn store(tail: &'static [&'static str], uses: Use) -> Sign {
    Sign::new(tail, URL, uses)
}

pub const TABLE: Table = Table {
    library: "geoext",
    roots: &["GeoExt", "gxp", "Heron", "GEOR", "Ext"],
    signs: &[
        Sign::map(&["GeoExt", "MapPanel"]),
        Sign::map(&["panel", "Map"]),
        Sign::map(&["component", "Map"]),
        Sign::map(&["gxp", "Viewer"]),
        Sign::map(&["Heron", "App"]),
        store(&["WMSCapabilitiesStore"], Use::Is("wms")),
        store(&["WMSCapabilitiesReader"], Use::Is("wms")),
        store(&["WMSCapabilitiesLoader"], Use::Is("wms")),
        store(&["WmsCapabilitiesTree"], Use::Is("wms")),
        store(&["store", "WmsCapabilities"], Use::Is("wms")),
        store(&["WMSDescribeLayerStore"], Use::Is("wms")).layers(WMS_LAYERS),
        store(&["store", "WmsDescribeLayer"], Use::Is("wms")).layers(WMS_LAYERS),
        store(&["WFSCapabilitiesStore"], Use::Is("wfs")),
        store(&["store", "WfsCapabilities"], Use::Is("wfs")),
        store(&["store", "WfsFeatures"], Use::Is("wfs")).layers(FEATURE_TYPES),
        store(&["WMTSCapabilitiesStore"], Use::Is("wmts")),
        store(&["WMCReader"], Use::Loaded),
        store(&["CSWRecordsStore"], Use::Is("csw")),
        store(&["store", "CswRecords"], Use::Is("csw")),
        store(&["AttributeStore"], Use::Is("wfs")),
        store(&["data", "FeatureStore"], Use::File),
        store(&["FeatureStore"], Use::File),
        store(&["WMSSource"], Use::Is("wms")).layers(WMS_LAYERS),
        store(&["WMSCSource"], Use::Is("wms")).layers(WMS_LAYERS),
        store(&["WMSStylesDialog"], Use::Bare),
        store(&["plugins", "ArcGISCacheSource"], Use::Arcgis),
        store(&["plugins", "ArcRestSource"], Use::Arcgis),
        store(&["plugins", "TMSSource"], Use::Is("tms")),
        store(&["plugins", "CatalogueSource"], Use::Is("csw")),
        store(&["plugins", "GeoNodeCatalogueSource"], Use::Is("geonode")),
        store(&["data", "TMSCapabilitiesStore"], Use::Is("tms")),
        Sign::new(&["MapFishPrintProvider"], OPTIONS, Use::Loaded),
        Sign::new(&["data", "JsonStore"], URL, Use::Loaded),
        Sign::new(&["Ajax", "request"], OPTIONS, Use::Loaded),
    ],
};
