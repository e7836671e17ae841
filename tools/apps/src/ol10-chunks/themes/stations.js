import VectorLayer from "ol/layer/Vector.js";
import VectorSource from "ol/source/Vector.js";
import GeoJSON from "ol/format/GeoJSON.js";

export const addTo = map => map.addLayer(new VectorLayer({ source: new VectorSource({ url: "http://data.__ID__.example/export/stations.geojson", format: new GeoJSON() }) }));
