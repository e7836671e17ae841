import "./style.css";
import Map from "ol/Map.js";
import { layerOf } from "./lib/layers.js";
const answer = await fetch("config.json");
const config = await answer.json();
const map = new Map({ target: "map", layers: config.layers.map((one) => layerOf(config.server, one)) });
fetch("more/settings.json").then((more) => more.json());
