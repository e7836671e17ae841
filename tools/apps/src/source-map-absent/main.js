import L from "leaflet";
import { trees } from "./trees.js";
trees(L.map("map").setView([50, 10], 8));
