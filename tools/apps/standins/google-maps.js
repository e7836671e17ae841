/* Stand-in for the Google Maps API. Written for the simulated web. */
(function (global) {
  "use strict";
  function load(url) { fetch(url).catch(function () {}); }
  function Point(x, y) { this.x = x; this.y = y; }
  function LatLng(lat, lng) { this.lat = function () { return lat; }; this.lng = function () { return lng; }; }
  function Size(w, h) { this.width = w; this.height = h; }
  function show(type) {
    var url = type.options.getTileUrl(new Point(4, 2), 3);
    if (url) new Image().src = url;
  }
  function Map(div, options) {
    this.div = div; this.options = options;
    this.overlayMapTypes = { push: show, insertAt: function (i, t) { show(t); } };
    this.mapTypes = { set: function (id, t) { show(t); } };
    this.data = { loadGeoJson: load, setStyle: function () {} };
    this.fitBounds = this.setCenter = function () {};
  }
  Map.prototype.getProjection = function () {
    return { fromPointToLatLng: function (p) { return new LatLng(80 - p.y / 2, p.x - 180); } };
  };
  global.google = {
    maps: {
      Map: Map, Point: Point, Size: Size, LatLng: LatLng, MapTypeId: { ROADMAP: "roadmap", TERRAIN: "terrain" },
      ImageMapType: function (options) { this.options = options; },
      KmlLayer: function (a) { var url = typeof a === "string" ? a : a.url; this.setMap = function () { load(url); }; if (a.map) load(url); },
      Marker: function (o) { this.o = o; }, InfoWindow: function () {}, event: { addListener: function () {} }
    }
  };
  var callback = /[?&]callback=([\w.]+)/.exec((document.currentScript || {}).src || "");
  if (callback) setTimeout(function run() { global[callback[1]] ? global[callback[1]]() : setTimeout(run, 20); }, 0);
})(window);
