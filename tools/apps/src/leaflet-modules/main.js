import { layers } from "./lib/layers.js";
const map = L.map("map").setView([52, 9], 9);
layers(map);
const { counters } = await import("./lib/counters.js");
counters(map);
