// Library files that pages load with a script element: from npm if available, otherwise stand-ins from this repository.

import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

/** Maps names in `libs` of an application to the path on the library host and the source file. */
export const LIBRARIES = {
  leaflet: ["leaflet/1.9.4/leaflet.js", "node_modules/leaflet/dist/leaflet.js"],
  "leaflet.wms": ["leaflet.wms/0.2.0/leaflet.wms.js", "node_modules/leaflet.wms/dist/leaflet.wms.js"],
  "leaflet.nontiledlayer": ["leaflet.nontiledlayer/1.0.9/NonTiledLayer.js", "node_modules/leaflet.nontiledlayer/dist/NonTiledLayer.js"],
  "leaflet-timedimension": ["leaflet-timedimension/1.1.1/leaflet.timedimension.min.js", "node_modules/leaflet-timedimension/dist/leaflet.timedimension.min.js"],
  "iso8601-js-period": ["iso8601-js-period/0.2.1/iso8601.js", "node_modules/iso8601-js-period/iso8601.js"],
  "leaflet-ajax": ["leaflet-ajax/2.1.0/leaflet.ajax.min.js", "node_modules/leaflet-ajax/dist/leaflet.ajax.min.js"],
  "esri-leaflet": ["esri-leaflet/3.1.0/esri-leaflet.js", "node_modules/esri-leaflet/dist/esri-leaflet.js"],
  ol: ["openlayers/10.10.0/ol.js", "node_modules/ol/dist/ol.js"],
  "mapbox-gl": ["mapbox-gl-js/v1.13.3/mapbox-gl.js", "node_modules/mapbox-gl/dist/mapbox-gl.js"],
  "maplibre-gl": ["maplibre-gl/4.7.1/maplibre-gl.js", "node_modules/maplibre-gl/dist/maplibre-gl.js"],
  jquery: ["jquery/3.7.1/jquery.min.js", "node_modules/jquery/dist/jquery.min.js"],
  openlayers2: ["openlayers/2.13.1/OpenLayers.js", "standins/OpenLayers.js"],
  arcgis3: ["arcgis/3.46/init.js", "standins/arcgis.js"],
  arcgis4: ["arcgis/4.30/init.js", "standins/arcgis.js"],
  cesium: ["cesium/1.121/Build/Cesium/Cesium.js", "standins/Cesium.js"],
  geoext: ["geoext/1.1/GeoExt.js", "standins/GeoExt.js"],
  "google-maps": ["maps/api/js", "standins/google-maps.js"],
  "bing-maps": ["api/maps/mapcontrol", "standins/bing-maps.js"],
  itowns: ["itowns/2.44/itowns.js", "standins/itowns.js"],
  deck: ["deck.gl/9.0/dist.min.js", "standins/deck.js"],
  terria: ["terriamap/8.7/TerriaMap.js", "standins/TerriaMap.js"],
  mapstore: ["mapstore/2024.02/dist/ms2-api.js", "standins/MapStore2.js"],
  "jquery.maps": ["jquery.maps/1.0/jquery.maps.js", "standins/jquery.maps.js"],
  amd: ["amd/1.0/loader.js", "standins/amd.js"],
};

/** Copies every library file into `into`. */
export async function copyLibraries(into) {
  for (const [target, from] of Object.values(LIBRARIES)) {
    await mkdir(path.dirname(path.join(into, target)), { recursive: true });
    await cp(path.join(here, from), path.join(into, target));
  }
  await cp(path.join(here, "standins/arcgis-core"), path.join(into, "arcgis-core/4.30"), { recursive: true });
}
