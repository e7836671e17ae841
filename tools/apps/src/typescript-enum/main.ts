import L from "leaflet";
import { dynamicMapLayer } from "esri-leaflet";

enum Server { Maps = "http://wms.__ID__.example", Esri = "http://gis.__ID__.example/arcgis/rest/services" }
interface Theme { server: Server; path: string; layers?: string }
const themes: Record<string, Theme> = { plans: { server: Server.Maps, path: "/deegree/services/plan", layers: "plans" }, esri: { server: Server.Esri, path: "/Plans/MapServer" } };
const map = L.map("map").setView([50, 9], 9);
const { plans, esri } = themes;
L.tileLayer.wms(plans.server + plans.path, { layers: plans?.layers ?? "", transparent: true }).addTo(map);
dynamicMapLayer({ url: `${esri.server}${esri.path}` }).addTo(map);
