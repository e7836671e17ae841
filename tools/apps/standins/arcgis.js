/* Stand-in for the loader and the layers of the ArcGIS API for JavaScript, 3.x and 4.x, as AMD modules.
 * The real one is far too large for an install. Written for the simulated web. */
(function (global) {
  "use strict";
  function join(url, params) {
    return url.replace(/[?&]$/, "") + (url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params);
  }
  function load(url) {
    var proxy = config.defaults.io.proxyUrl;
    fetch(proxy && config.defaults.io.alwaysUseProxy ? proxy + "?" + url : url).catch(function () {});
  }
  var config = { defaults: { io: { proxyUrl: "", alwaysUseProxy: false } }, request: { proxyUrl: "", interceptors: [] } };
  /** In 3.x the address is the first argument, in 4.x a member of it. */
  function layer(ask) {
    return function (first, options) {
      var settings = typeof first === "string" ? Object.assign({}, options, { url: first }) : first || {};
      Object.assign(this, settings);
      var self = this;
      this.draw = function () { if (self.url || self.urlTemplate) ask(self); };
    };
  }
  var rest = layer(function (l) { load(join(l.url, { f: "json" })); });
  var wms = layer(function (l) { load(join(l.url, { SERVICE: "WMS", REQUEST: "GetCapabilities" })); });
  var wmts = layer(function (l) { load(join(l.url, { SERVICE: "WMTS", REQUEST: "GetCapabilities" })); });
  var wfs = layer(function (l) { load(join(l.url, { SERVICE: "WFS", REQUEST: "GetCapabilities" })); });
  var file = layer(function (l) { load(l.url); });
  var web = layer(function (l) {
    load((l.url || l.urlTemplate).replace(/\$?\{(level|z)\}/, 3).replace(/\$?\{(col|x)\}/, 4).replace(/\$?\{(row|y)\}/, 2));
  });
  function Map(a) {
    var list = (a && a.layers) || [];
    this.layers = [];
    for (var i = 0; i < list.length; i++) this.add(list[i]);
  }
  Map.prototype.add = Map.prototype.addLayer = function (l) { this.layers.push(l); if (l.draw) l.draw(); };
  Map.prototype.addMany = Map.prototype.addLayers = function (all) { all.forEach(this.add, this); };
  Map.prototype.on = function (name, then) { setTimeout(then, 0); };
  function Nothing(o) { Object.assign(this, o); }
  Nothing.prototype.when = function (then) { setTimeout(then, 0); };
  function Task(url) { this.url = url; }
  Task.prototype.execute = function () { load(join(this.url + "/query", { f: "json", where: "1=1" })); };
  var modules = {
    "esri/config": config, "esri/Map": Map, "esri/map": Map, "esri/WebMap": Map,
    "esri/views/MapView": Nothing, "esri/views/SceneView": Nothing, "esri/widgets/LayerList": Nothing,
    "esri/tasks/QueryTask": Task, "esri/tasks/query": Nothing, "esri/tasks/support/Query": Nothing,
    "dojo/domReady!": null, "dojo/parser": { parse: function () {} }
  };
  ["ArcGISDynamicMapServiceLayer", "ArcGISTiledMapServiceLayer", "ArcGISImageServiceLayer", "FeatureLayer", "MapImageLayer",
    "TileLayer", "ImageryLayer", "VectorTileLayer", "SceneLayer"].forEach(function (n) { modules["esri/layers/" + n] = rest; });
  modules["esri/layers/WMSLayer"] = wms;
  modules["esri/layers/WMTSLayer"] = wmts;
  modules["esri/layers/WFSLayer"] = wfs;
  ["KMLLayer", "GeoJSONLayer", "CSVLayer"].forEach(function (n) { modules["esri/layers/" + n] = file; });
  modules["esri/layers/WebTiledLayer"] = modules["esri/layers/WebTileLayer"] = web;
  global.require = function (names, then) {
    then.apply(null, names.map(function (name) { return name in modules ? modules[name] : Nothing; }));
  };
  global.require.config = function () {};
  global.esriConfig = config;
})(window);
