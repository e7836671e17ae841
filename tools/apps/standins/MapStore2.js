/* Stand-in for the bundle of a MapStore: reads localConfig.json and the map configuration, and shows its layers. */
(function (global) {
  "use strict";
  function json(url) { return fetch(url).then(function (r) { return r.json(); }); }
  function join(url, params) { return url + (url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params); }
  var ask = {
    wms: function (l) { return join(l.url, { SERVICE: "WMS", VERSION: "1.3.0", REQUEST: "GetMap", LAYERS: l.name, STYLES: "", FORMAT: "image/png",
      CRS: "EPSG:3857", WIDTH: 256, HEIGHT: 256, BBOX: "0,0,1,1" }); },
    wmts: function (l) { return join(l.url, { SERVICE: "WMTS", REQUEST: "GetCapabilities" }); },
    wfs: function (l) { return join(l.url, { SERVICE: "WFS", VERSION: "1.1.0", REQUEST: "GetFeature", TYPENAME: l.name }); },
    arcgis: function (l) { return join(l.url, { f: "json" }); }
  };
  global.MapStore2 = {
    create: function (id, options) {
      json(options.localConfig).then(function (local) {
        Object.values((local.initialState || {}).catalogServices || {}).forEach(function (s) {
          fetch(join(s.url, { service: s.type, request: "GetCapabilities" })).catch(function () {});
        });
      });
      json(options.configUrl).then(function (config) {
        config.map.layers.forEach(function (l) { if (ask[l.type]) fetch(ask[l.type](l)).catch(function () {}); });
      });
    }
  };
})(window);
