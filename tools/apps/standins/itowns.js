/* Stand-in for iTowns. Written for the simulated web. */
(function (global) {
  "use strict";
  function join(url, params) { return url + (url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params); }
  function source(ask) { return function (options) { Object.assign(this, options); this.load = function () { fetch(ask(options)).catch(function () {}); }; }; }
  function Layer(id, options) { this.id = id; this.source = options.source; }
  global.itowns = {
    WMSSource: source(function (o) { return join(o.url, { SERVICE: "WMS", REQUEST: "GetMap", LAYERS: o.name, VERSION: o.version || "1.3.0",
      STYLES: "", CRS: o.crs || "EPSG:4326", BBOX: "45,5,55,15", WIDTH: 256, HEIGHT: 256, FORMAT: o.format || "image/png" }); }),
    WMTSSource: source(function (o) { return join(o.url, { SERVICE: "WMTS", REQUEST: "GetTile", VERSION: "1.0.0", LAYER: o.name,
      STYLE: o.style || "default", TILEMATRIXSET: o.tileMatrixSet, TILEMATRIX: 3, TILEROW: 2, TILECOL: 4, FORMAT: o.format || "image/png" }); }),
    WFSSource: source(function (o) { return join(o.url, { SERVICE: "WFS", REQUEST: "GetFeature", VERSION: o.version || "2.0.2", typeName: o.typeName,
      outputFormat: "application/json" }); }),
    TMSSource: source(function (o) { return o.url.replace("${z}", 3).replace("${x}", 4).replace("${y}", 2); }),
    FileSource: source(function (o) { return o.url; }),
    ColorLayer: Layer, ElevationLayer: Layer, FeatureGeometryLayer: Layer,
    Extent: function () {}, Coordinates: function () {},
    GlobeView: function () { this.addLayer = function (l) { l.source.load(); return Promise.resolve(l); }; }
  };
  global.itowns.PlanarView = global.itowns.GlobeView;
})(window);
