import Map from "ol/Map.js";
import View from "ol/View.js";
import { base, gauges, lakes } from "./layers.js";

const map = new Map({ target: "map", view: new View({ center: [1_100_000, 6_600_000], zoom: 6 }) });
[base, lakes, gauges].forEach(make => map.addLayer(make()));
