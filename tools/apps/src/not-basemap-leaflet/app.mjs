import { mustNot } from "../../services.mjs";
export default { title: "How to find us", library: "leaflet", techniques: ["base-map-of-others"], libs: ["leaflet"], builds: ["plain", "terser"],
  mustNotFind: [mustNot("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "base-map"), mustNot("https://{s}.basemaps.cartocdn.com/light_all/{z}/{x}/{y}.png", "base-map")] };
