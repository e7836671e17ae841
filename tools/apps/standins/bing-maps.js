/* Stand-in for the Bing Maps V8 control. Written for the simulated web. */
(function (global) {
  "use strict";
  function Map() { var shown = []; this.layers = { insert: function (l) { shown.push(l); l.draw(); } }; this.entities = { push: function () {} }; }
  function TileSource(options) { this.options = options; }
  function TileLayer(options) {
    this.draw = function () {
      var c = options.mercator.options.uriConstructor;
      var url = typeof c === "function" ? c({ x: 4, y: 2, zoom: 3, levelOfDetail: 3, quadKey: "120" }) : c;
      new Image().src = url.replace("{quadkey}", "120").replace("{bbox}", "5,45,15,55").replace("{zoom}", 3).replace("{x}", 4).replace("{y}", 2);
    };
  }
  global.Microsoft = {
    Maps: {
      Map: Map, TileSource: TileSource, TileLayer: TileLayer, Location: function (a, b) { this.a = a; this.b = b; },
      GeoJson: { readFromUrl: function (url) { fetch(url).catch(function () {}); } },
      loadModule: function (name, then) { setTimeout(then, 0); }
    }
  };
  // The control calls back once the page is ready for it.
  setTimeout(function run() { global.GetMap ? global.GetMap() : setTimeout(run, 20); }, 0);
})(window);
