import { Map, View } from "ol";
import ImageLayer from "ol/layer/Image.js";
import ImageWMS from "ol/source/ImageWMS.js";

const plan = new ImageWMS({ url: "/geoserver/plan/wms", params: { LAYERS: "plan:bplan", FORMAT: "image/png" }, serverType: "geoserver" });
new Map({ target: "map", layers: [new ImageLayer({ source: plan })], view: new View({ center: [1_200_000, 6_500_000], zoom: 12 }) });
