/* Stand-in for deck.gl as a global. The real one brings several hundred megabytes. Written for the simulated web. */
(function (global) {
  "use strict";
  function join(url, params) { return url + (url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params); }
  function layer(ask) {
    return function () {
      var props = Object.assign.apply(Object, [{}].concat([].slice.call(arguments)));
      this.props = props; this.id = props.id;
      this.draw = function () { if (typeof props.data === "string") fetch(ask(props)).catch(function () {}); };
    };
  }
  function tile(p) { return p.data.replace("{z}", 3).replace("{x}", 4).replace("{y}", 2); }
  function whole(p) { return p.data; }
  function Deck(options) { this.setProps = function (o) { (o.layers || []).forEach(function (l) { l.draw(); }); }; this.setProps(options); }
  global.deck = {
    Deck: Deck, DeckGL: Deck, BitmapLayer: layer(whole), GeoJsonLayer: layer(whole), MVTLayer: layer(tile), TileLayer: layer(tile),
    Tile3DLayer: layer(whole), ScatterplotLayer: layer(whole),
    WMSLayer: layer(function (p) { return join(p.data, { SERVICE: "WMS", REQUEST: "GetMap", VERSION: "1.3.0", LAYERS: p.layers.join(","),
      STYLES: "", CRS: "EPSG:4326", BBOX: "45,5,55,15", WIDTH: 256, HEIGHT: 256, FORMAT: "image/png" }); })
  };
  global.deck._WMSLayer = global.deck.WMSLayer;
})(window);
