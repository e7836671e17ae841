import Map from "http://cdn.maplibs.example/arcgis-core/4.30/Map.js";
import FeatureLayer from "http://cdn.maplibs.example/arcgis-core/4.30/layers/FeatureLayer.js";
import MapImageLayer from "http://cdn.maplibs.example/arcgis-core/4.30/layers/MapImageLayer.js";

const server = { root: "http://gis.__ID__.example/arcgis/rest/services", of(name, type) { return [this.root, name, type].join("/"); } };
new Map({ layers: [new MapImageLayer({ url: server.of("Waste", "MapServer") }), new FeatureLayer({ url: server.of("Bins", "FeatureServer") + "/0" })] });
