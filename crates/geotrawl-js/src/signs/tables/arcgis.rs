//! The ArcGIS APIs: version 3 gives the address as the first argument, version 4 as a member, and both by the
//! id of a portal's item.

use crate::signs::sign::{FIRST, OPTIONS, Sign, Spot, Table, Use, WMS_LAYERS};

const TITLE: &[Spot] = &[Spot::In(0, "title"), Spot::In(1, "title"), Spot::In(0, "id"), Spot::In(1, "id")];
const TEMPLATE: &[Spot] = &[Spot::Arg(0), Spot::In(0, "urlTemplate"), Spot::In(0, "url")];
const ITEM: &[Spot] = &[Spot::Deep(0, "portalItem", "id"), Spot::In(0, "id"), Spot::Arg(0)];

/// A layer or task of an ArcGIS server; one of a portal's item is told by its shape.
const fn server(tail: &'static [&'static str]) -> Sign {
    Sign::new(tail, FIRST, Use::Arcgis).layers(&["visibleLayers", "sublayers", "layers"]).title(TITLE)
}

const fn service(tail: &'static [&'static str], kind: &'static str) -> Sign {
    Sign::new(tail, FIRST, Use::Is(kind)).title(TITLE)
}

const fn file(tail: &'static [&'static str]) -> Sign {
    Sign::new(tail, FIRST, Use::File).title(TITLE)
}

pub const VERSION_3: Table = Table {
    library: "arcgis3",
    roots: &["esri"],
    signs: &[
        Sign::map(&["esri", "Map"]),
        Sign::map(&["esri", "map"]),
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
        Sign::new(&["esri", "dijit", "Print"], OPTIONS, Use::Arcgis),
        Sign::new(&["esri", "layers", "WebTiledLayer"], TEMPLATE, Use::Tiles),
        Sign::new(&["WebTiledLayer"], TEMPLATE, Use::Tiles).title(TITLE),
        Sign::new(&["OpenStreetMapLayer"], &[], Use::Bare),
        Sign::new(&["createMap"], &[Spot::Arg(0), Spot::Deep(0, "item", "id")], Use::Item),
        Sign::new(&["arcgisUtils", "createMap"], &[Spot::Arg(0), Spot::Deep(0, "item", "id")], Use::Item),
        Sign::new(&["arcgisUtils", "getItem"], &[Spot::Arg(0)], Use::Item),
        file(&["GeoRSSLayer"]),
        file(&["KMLLayer"]),
        file(&["CSVLayer"]),
    ],
};

pub const VERSION_4: Table = Table {
    library: "arcgis4",
    roots: &["esri", "@arcgis"],
    signs: &[
        Sign::map(&["MapView"]),
        Sign::map(&["SceneView"]),
        Sign::map(&["core", "Map"]),
        Sign::map(&["esri", "WebMap"]),
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
        Sign::new(&["WebTileLayer"], TEMPLATE, Use::Tiles).title(TITLE),
        Sign::new(&["WebMap"], &[Spot::Deep(0, "portalItem", "id")], Use::Item),
        Sign::new(&["WebScene"], &[Spot::Deep(0, "portalItem", "id")], Use::Item),
        Sign::new(&["PortalItem"], &[Spot::In(0, "id")], Use::Item),
        Sign::new(&["Layer", "fromPortalItem"], ITEM, Use::Item),
        Sign::new(&["Map", "fromPortalItem"], ITEM, Use::Item),
        Sign::new(&["loadFromPortalItem"], ITEM, Use::Item),
    ],
};
