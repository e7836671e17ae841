/* Stand-in for Cesium as a global. The real one is far too large for an install. Written for the simulated web. */
(function (global) {
  "use strict";
  function address(url) { return typeof url === "string" ? url : url.url; }
  function join(url, params) { return url + (url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params); }
  function picture(url) { new Image().src = url; }
  function load(url) { fetch(url).catch(function () {}); }
  function provider(ask) {
    function Provider(options) { this.options = options; this.draw = function () { ask(options); }; }
    Provider.fromUrl = function (url, options) {
      return Promise.resolve(new Provider(Object.assign({ url: url }, options)));
    };
    return Provider;
  }
  function source(name) {
    function Source() { this.name = name; }
    Source.load = function (url) { load(address(url)); return Promise.resolve(new Source()); };
    return Source;
  }
  function Imagery() { this.list = []; }
  Imagery.prototype.addImageryProvider = function (p) { this.list.push(p); p.draw(); return p; };
  function Viewer() {
    this.imageryLayers = new Imagery();
    this.dataSources = { add: function () {} };
    this.scene = { primitives: { add: function (p) { return p; } }, globe: {} };
    this.camera = { flyTo: function () {} };
  }
  global.Cesium = {
    VERSION: "1.121", Viewer: Viewer, CesiumWidget: Viewer,
    Resource: function (options) { this.url = options.url; },
    WebMapServiceImageryProvider: provider(function (o) {
      picture(join(address(o.url), Object.assign({ service: "WMS", version: "1.1.1", request: "GetMap", styles: "", layers: o.layers,
        format: "image/png", srs: "EPSG:4326", bbox: "5,45,15,55", width: 256, height: 256 }, o.parameters)));
    }),
    WebMapTileServiceImageryProvider: provider(function (o) {
      picture(join(address(o.url), { service: "WMTS", request: "GetTile", version: "1.0.0", layer: o.layer, style: o.style,
        tilematrixset: o.tileMatrixSetID, tilematrix: 3, tilerow: 2, tilecol: 4, format: o.format || "image/png" }));
    }),
    ArcGisMapServerImageryProvider: provider(function (o) { load(join(address(o.url), { f: "json" })); }),
    UrlTemplateImageryProvider: provider(function (o) {
      picture(address(o.url).replace("{z}", 3).replace("{x}", 4).replace("{y}", 2));
    }),
    Cesium3DTileset: provider(function (o) { load(address(o.url)); }),
    GeoJsonDataSource: source("geojson"), KmlDataSource: source("kml"), CzmlDataSource: source("czml"),
    Credit: function (text) { this.html = text; }, Ion: { defaultAccessToken: "" },
    ImageryLayer: function (p) { this.provider = p; if (p.draw) p.draw(); },
    Rectangle: { fromDegrees: function () { return {}; } }
  };
})(window);
