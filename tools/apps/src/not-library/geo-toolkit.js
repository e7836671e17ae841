/*!
 * geo-toolkit 2.4.1, a small map library
 * (c) the authors, MIT licence
 */
(function (global, factory) {
  typeof exports === "object" && typeof module !== "undefined" ? factory(exports) : typeof define === "function" && define.amd ? define(["exports"], factory) : factory((global.geoToolkit = {}));
})(this, function (exports) {
  "use strict";
  /**
   * A layer of a web map service.
   * @example
   * new geoToolkit.WmsLayer({ url: "http://demo.__ID__.example/geoserver/wms", layers: "topp:states" }).addTo(map);
   * @param {Object} options
   * @param {string} options.url address of the service, e.g. `http://demo.__ID__.example/geoserver/wms`
   */
  function WmsLayer(options) {
    if (!options || !options.url) throw new Error("geo-toolkit: a WmsLayer needs a url, e.g. new WmsLayer({ url: '…/wms' })");
    this.url = options.url; this.params = { SERVICE: "WMS", REQUEST: "GetMap", VERSION: "1.3.0", LAYERS: options.layers || "" };
  }
  WmsLayer.prototype.addTo = function (map) { map.layers.push(this); return this; };
  /** Tiles, e.g. `http://demo.__ID__.example/tiles/{z}/{x}/{y}.png`. */
  function TileLayer(template) { this.template = template; }
  function Sketch(node) { this.node = node; this.layers = []; }
  Sketch.prototype.line = function (points) { this.node.textContent = points.length + " points"; return this; };
  exports.WmsLayer = WmsLayer; exports.TileLayer = TileLayer; exports.Sketch = Sketch;
});
