import Map from "ol/Map.js";
import View from "ol/View.js";

const map = new Map({ target: "map", view: new View({ center: [1_000_000, 6_500_000], zoom: 8 }) });
const themes = { noise: () => import("./themes/noise.js"), stations: () => import("./themes/stations.js") };
for (const load of Object.values(themes)) load().then(theme => theme.addTo(map));
