import Map from "@arcgis/core/Map.js";
import FeatureLayer from "@arcgis/core/layers/FeatureLayer.js";
import WMSLayer from "@arcgis/core/layers/WMSLayer.js";
import WFSLayer from "@arcgis/core/layers/WFSLayer.js";
import { education } from "./services.js";

const map = new Map({ layers: [new FeatureLayer({ url: education.features }), new WMSLayer({ url: education.wms, sublayers: [{ name: "catchments" }] })] });
map.add(new WFSLayer({ url: education.wfs, name: "edu:routes" }));
