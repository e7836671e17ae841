/* OpenLayers.js -- stand-in for OpenLayers 2.13: the calls that applications make, and the requests that follow.
 * The library is not on npm. Written for the simulated web. */
(function (global) {
  "use strict";
  function join(url, params) {
    var pairs = [];
    for (var key in params) pairs.push(encodeURIComponent(key) + "=" + encodeURIComponent(params[key]));
    var mark = url.indexOf("?") < 0 ? "?" : /[?&]$/.test(url) ? "" : "&";
    return url + mark + pairs.join("&");
  }
  function first(url) { return Array.isArray(url) ? url[0] : url; }
  function picture(url) { var image = new global.Image(); image.src = url; }
  function through(url) { return OpenLayers.ProxyHost ? OpenLayers.ProxyHost + encodeURIComponent(url) : url; }
  function load(url) {
    var request = new global.XMLHttpRequest();
    request.open("GET", through(url), true);
    request.send(null);
  }
  function upper(params) {
    var out = {};
    for (var key in params) out[key.toUpperCase()] = params[key];
    return out;
  }
  function extend(target, source) { for (var key in source) target[key] = source[key]; return target; }
  var OpenLayers = { VERSION_NUMBER: "Release 2.13.1", ProxyHost: "" };
  OpenLayers.Util = { extend: extend, getParameterString: function (p) { return join("", p).slice(1); } };
  OpenLayers.LonLat = function (lon, lat) { this.lon = lon; this.lat = lat; };
  OpenLayers.Bounds = function (l, b, r, t) { this.left = l; this.bottom = b; this.right = r; this.top = t; };
  OpenLayers.Projection = function (code) { this.projCode = code; };
  OpenLayers.Map = function (div, options) { this.div = div; this.layers = []; this.options = options || {}; };
  OpenLayers.Map.prototype = {
    addLayer: function (layer) { this.layers.push(layer); if (layer.draw) layer.draw(this); },
    addLayers: function (layers) { for (var i = 0; i < layers.length; i++) this.addLayer(layers[i]); },
    addControl: function () {}, setCenter: function () {}, zoomToMaxExtent: function () {}, zoomToExtent: function () {}
  };
  OpenLayers.Layer = {};
  OpenLayers.Layer.WMS = function (name, url, params, options) {
    this.name = name; this.url = url; this.params = upper(params || {}); this.options = options || {};
  };
  OpenLayers.Layer.WMS.prototype.draw = function () {
    picture(join(first(this.url), extend({ SERVICE: "WMS", VERSION: "1.1.1", REQUEST: "GetMap", STYLES: "",
      FORMAT: "image/png", SRS: "EPSG:4326", BBOX: "5,45,15,55", WIDTH: 256, HEIGHT: 256 }, this.params)));
  };
  OpenLayers.Layer.WMS.Untiled = OpenLayers.Layer.WMS;
  OpenLayers.Layer.WMTS = function (options) { extend(this, options); };
  OpenLayers.Layer.WMTS.prototype.draw = function () {
    picture(join(first(this.url), { SERVICE: "WMTS", REQUEST: "GetTile", VERSION: "1.0.0", LAYER: this.layer,
      STYLE: this.style, TILEMATRIXSET: this.matrixSet, TILEMATRIX: 3, TILEROW: 2, TILECOL: 4, FORMAT: "image/png" }));
  };
  OpenLayers.Layer.XYZ = function (name, url) { this.name = name; this.url = url; };
  OpenLayers.Layer.XYZ.prototype.draw = function () {
    picture(first(this.url).replace("${z}", 3).replace("${x}", 4).replace("${y}", 2));
  };
  OpenLayers.Layer.ArcGIS93Rest = function (name, url, params) { this.name = name; this.url = url; this.params = params; };
  OpenLayers.Layer.ArcGIS93Rest.prototype.draw = function () {
    picture(join(this.url, extend({ F: "image", BBOX: "5,45,15,55", SIZE: "256,256" }, upper(this.params))));
  };
  OpenLayers.Layer.Vector = function (name, options) { this.name = name; extend(this, options || {}); };
  OpenLayers.Layer.Vector.prototype.draw = function () { if (this.protocol) this.protocol.read(); };
  OpenLayers.Strategy = { Fixed: function () {}, BBOX: function () {} };
  OpenLayers.Format = { KML: function () {}, GeoJSON: function () {}, WMSCapabilities: function () {} };
  OpenLayers.Control = { LayerSwitcher: function () {}, MousePosition: function () {} };
  OpenLayers.Protocol = {};
  OpenLayers.Protocol.WFS = function (options) { extend(this, options); };
  OpenLayers.Protocol.WFS.prototype.read = function () {
    load(join(this.url, { SERVICE: "WFS", VERSION: this.version || "1.0.0", REQUEST: "GetFeature", TYPENAME: this.featureType }));
  };
  OpenLayers.Protocol.HTTP = function (options) { extend(this, options); };
  OpenLayers.Protocol.HTTP.prototype.read = function () { load(this.url); };
  OpenLayers.Request = { GET: function (options) { load(join(options.url, options.params || {})); } };
  global.OpenLayers = OpenLayers;
})(this);
