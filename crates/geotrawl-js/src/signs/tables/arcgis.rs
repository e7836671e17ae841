//! ArcGIS APIs: version 3 takes the URL as the first argument, version 4 as a member, and both
//! accept the id of a portal item.

use crate::signs::sign::{
    AddressUse, ArgumentPath, CallSignature, FIRST, LibrarySignatures, OPTIONS, WMS_LAYERS,
};

const TITLE: &[ArgumentPath] = &[
    ArgumentPath::In(0, "title"),
    ArgumentPath::In(1, "title"),
    ArgumentPath::In(0, "id"),
    ArgumentPath::In(1, "id"),
];
const TEMPLATE: &[ArgumentPath] =
    &[ArgumentPath::Arg(0), ArgumentPath::In(0, "urlTemplate"), ArgumentPath::In(0, "url")];
const ITEM: &[ArgumentPath] =
    &[ArgumentPath::Deep(0, "portalItem", "id"), ArgumentPath::In(0, "id"), ArgumentPath::Arg(0)];

/// A layer or task of an ArcGIS server; layers of portal items are recognised by shape.
const fn server(tail: &'static [&'static str]) -> CallSignature {
    CallSignature::new(tail, FIRST, AddressUse::Arcgis)
        .layers(&["visibleLayers", "sublayers", "layers"])
        .title(TITLE)
}

const fn service(tail: &'static [&'static str], kind: &'static str) -> CallSignature {
    CallSignature::new(tail, FIRST, AddressUse::Is(kind)).title(TITLE)
}

const fn file(tail: &'static [&'static str]) -> CallSignature {
    CallSignature::new(tail, FIRST, AddressUse::File).title(TITLE)
}

pub const VERSION_3: LibrarySignatures = LibrarySignatures {
    library: "arcgis3",
    roots: &["esri"],
    signs: &[
        CallSignature::map_constructor(&["esri", "Map"]),
        CallSignature::map_constructor(&["esri", "map"]),
        server(&["ArcGISDynamicMapServiceLayer"]),
        server(&["ArcGISTiledMapServiceLayer"]),
        server(&["ArcGISImageServiceLayer"]),
        server(&["ArcGISImageServiceVectorLayer"]),
        server(&["DynamicMapServiceLayer"]),
        server(&["DynamicLayer"]),
        server(&["MapImageLayer"]),
        server(&["RasterLayer"]),
        server(&["esri", "layers", "FeatureLayer"]),
        server(&["QueryTask"]),
        server(&["IdentifyTask"]),
        server(&["FindTask"]),
        server(&["StatisticsTask"]),
        server(&["Locator"]),
        server(&["Geoprocessor"]),
        server(&["GeometryService"]),
        server(&["PrintTask"]),
        server(&["RouteTask"]),
        server(&["ClosestFacilityTask"]),
        server(&["ServiceAreaTask"]),
        server(&["GenerateRendererTask"]),
        server(&["ImageServiceIdentifyTask"]),
        server(&["RelationshipQuery"]),
        server(&["ArcGISImageServiceLayer", "fromUrl"]),
        CallSignature::new(&["esri", "dijit", "Print"], OPTIONS, AddressUse::Arcgis),
        CallSignature::new(&["esri", "layers", "WebTiledLayer"], TEMPLATE, AddressUse::Tiles),
        CallSignature::new(&["WebTiledLayer"], TEMPLATE, AddressUse::Tiles).title(TITLE),
        CallSignature::new(&["OpenStreetMapLayer"], &[], AddressUse::Bare),
        CallSignature::new(
            &["createMap"],
            &[ArgumentPath::Arg(0), ArgumentPath::Deep(0, "item", "id")],
            AddressUse::Item,
        ),
        CallSignature::new(
            &["arcgisUtils", "createMap"],
            &[ArgumentPath::Arg(0), ArgumentPath::Deep(0, "item", "id")],
            AddressUse::Item,
        ),
        CallSignature::new(&["arcgisUtils", "getItem"], &[ArgumentPath::Arg(0)], AddressUse::Item),
        file(&["GeoRSSLayer"]),
        file(&["KMLLayer"]),
        file(&["CSVLayer"]),
    ],
};

pub const VERSION_4: LibrarySignatures = LibrarySignatures {
    library: "arcgis4",
    roots: &["esri", "@arcgis"],
    signs: &[
        CallSignature::map_constructor(&["MapView"]),
        CallSignature::map_constructor(&["SceneView"]),
        CallSignature::map_constructor(&["core", "Map"]),
        CallSignature::map_constructor(&["esri", "WebMap"]),
        server(&["FeatureLayer"]),
        server(&["TileLayer"]),
        server(&["ImageryLayer"]),
        server(&["ImageryTileLayer"]),
        server(&["SceneLayer"]),
        server(&["IntegratedMeshLayer"]),
        server(&["PointCloudLayer"]),
        server(&["BuildingSceneLayer"]),
        server(&["VoxelLayer"]),
        server(&["StreamLayer"]),
        server(&["SubtypeGroupLayer"]),
        server(&["OrientedImageryLayer"]),
        server(&["CatalogLayer"]),
        server(&["KnowledgeGraphLayer"]),
        server(&["ElevationLayer"]),
        server(&["RouteLayer"]),
        server(&["esri", "layers", "VectorTileLayer"]),
        server(&["layers", "VectorTileLayer"]),
        server(&["Layer", "fromArcGISServerUrl"]),
        server(&["executeQueryJSON"]),
        server(&["query", "executeQueryJSON"]),
        server(&["identify", "identify"]),
        server(&["find", "find"]),
        server(&["locator", "addressToLocations"]),
        server(&["locator", "locationToAddress"]),
        server(&["geoprocessor", "execute"]),
        server(&["geoprocessor", "submitJob"]),
        service(&["WMSLayer"], "wms").layers(&["sublayers", "visibleLayers", "layers", "layerNames"]),
        service(&["WMTSLayer"], "wmts").layers(&["activeLayer", "layer"]),
        service(&["WFSLayer"], "wfs").layers(&["name", "typeName", "typename", "layers"]),
        service(&["WCSLayer"], "wcs").layers(&["coverageId"]),
        service(&["OGCFeatureLayer"], "ogcapi-features").layers(&["collectionId"]),
        service(&["OGCFeatureServer"], "ogcapi-features").layers(WMS_LAYERS),
        service(&["esri", "layers", "WMTSLayer"], "wmts").layers(&["layer", "layerInfo", "activeLayer"]),
        file(&["GeoJSONLayer"]),
        CallSignature::new(&["WebTileLayer"], TEMPLATE, AddressUse::Tiles).title(TITLE),
        CallSignature::new(&["WebMap"], &[ArgumentPath::Deep(0, "portalItem", "id")], AddressUse::Item),
        CallSignature::new(&["WebScene"], &[ArgumentPath::Deep(0, "portalItem", "id")], AddressUse::Item),
        CallSignature::new(&["PortalItem"], &[ArgumentPath::In(0, "id")], AddressUse::Item),
        CallSignature::new(&["Layer", "fromPortalItem"], ITEM, AddressUse::Item),
        CallSignature::new(&["Map", "fromPortalItem"], ITEM, AddressUse::Item),
        CallSignature::new(&["loadFromPortalItem"], ITEM, AddressUse::Item),
    ],
};
