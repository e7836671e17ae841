/* Stand-in for the bundle of a TerriaMap: reads config.json, the initialisation files, and shows their catalogues. */
(function (global) {
  "use strict";
  function json(url) { return fetch(url).then(function (r) { return r.json(); }); }
  var asks = { wms: { service: "WMS", request: "GetCapabilities" }, "wms-group": { service: "WMS", request: "GetCapabilities" },
    "wfs-group": { service: "WFS", request: "GetCapabilities" }, wfs: { service: "WFS", request: "GetCapabilities" },
    "wmts-group": { service: "WMTS", request: "GetCapabilities" }, "esri-mapServer": { f: "json" }, "esri-featureServer": { f: "json" },
    "esri-mapServer-group": { f: "json" } };
  function walk(members) {
    (members || []).forEach(function (m) {
      if (m.members) return walk(m.members);
      if (!m.url) return;
      var params = asks[m.type];
      fetch(params ? m.url + (m.url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params) : m.url).catch(function () {});
    });
  }
  global.startTerria = function (options) {
    json(options.configUrl).then(function (config) {
      (config.initializationUrls || []).forEach(function (name) {
        json(/[/.]/.test(name) ? name : "init/" + name + ".json").then(function (init) { walk(init.catalog); });
      });
    });
  };
})(window);
