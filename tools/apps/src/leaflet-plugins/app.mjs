import { wms, mapServer, featureServer, geojson, imageServer } from "../../services.mjs";
export default {
  title: "Air quality", library: "leaflet-plugins", techniques: ["global", "plug-in"], level: 2,
  libs: ["leaflet", "leaflet.wms", "leaflet.nontiledlayer", "iso8601-js-period", "leaflet-timedimension", "leaflet-ajax", "esri-leaflet"], builds: ["plain", "terser"],
  services: [
    wms("http://wms1.__ID__.example/geoserver/air/wms", ["no2", "pm10"]),
    wms("http://wms2.__ID__.example/wms/ozone", "o3"),
    wms("http://wms3.__ID__.example/marine/forecast/wms", "wind"),
    mapServer("http://gis.__ID__.example/arcgis/rest/services/Air/MapServer", "0"),
    featureServer("http://gis.__ID__.example/arcgis/rest/services/Sensors/FeatureServer", "Sensors"),
    imageServer("http://gis.__ID__.example/arcgis/rest/services/Temperature/ImageServer"),
    geojson("http://data.__ID__.example/sensors.geojson"),
  ],
};
