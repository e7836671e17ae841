import L from "leaflet";
import { dynamicMapLayer } from "esri-leaflet";

class Service {
  #host;
  constructor(host) { this.#host = host; }
  get root() { return ["http:", "", `${this.#host}.__ID__.example`].join("/"); }
  get path() { return "/"; }
  get url() { return this.root + this.path; }
  static of(...args) { return new this(...args); }
}
class GeoServer extends Service {
  constructor(workspace) { super("wms"); this.workspace = workspace; }
  get path() { return `/geoserver/${this.workspace}/wms`; }
  layer(options) { return L.tileLayer.wms(this.url, { transparent: true, ...options }); }
}
class Secure extends GeoServer {
  constructor() { super(["se", "cu", "re"].join("")); }
  layer(options) { return super.layer({ ...options, layers: this.workspace }); }
}
class Esri extends Service {
  get path() { return `${super.path}arcgis/rest/services/${this.constructor.title}/MapServer`; }
  static title = "Derived";
}
const map = L.map("map").setView([50, 10], 7);
GeoServer.of("base").layer({ layers: "base" }).addTo(map);
Secure.of().layer({}).addTo(map);
dynamicMapLayer({ url: Esri.of("gis").url }).addTo(map);
