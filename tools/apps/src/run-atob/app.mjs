import { wms, featureServer } from "../../services.mjs";
export default { title: "Base sixty-four", library: "leaflet", techniques: ["atob", "hex", "xor"], level: 3, libs: ["leaflet", "esri-leaflet"], builds: ["terser", "plain"],
  services: [wms("http://wms.__ID__.example/geoserver/b64/wms", "b64"), featureServer("http://gis.__ID__.example/arcgis/rest/services/Hex/FeatureServer", "Hex"), wms("http://third.__ID__.example/wms/xor", "xor")] };
