/* Stand-in for Ext, GeoExt and gxp. Written for the simulated web. */
(function (global) {
  "use strict";
  function load(url, params) {
    var request = new XMLHttpRequest();
    request.open("GET", url + (url.indexOf("?") < 0 ? "?" : "&") + new URLSearchParams(params), true);
    request.send();
  }
  function store(service) {
    return function (options) {
      this.url = options.url;
      this.load = function () { load(options.url, { SERVICE: service, REQUEST: "GetCapabilities" }); };
      if (options.autoLoad) this.load();
    };
  }
  global.Ext = {
    onReady: function (then) { setTimeout(then, 0); },
    create: function (name, options) {
      var at = name.split(".").reduce(function (o, k) { return o && o[k]; }, global);
      return at ? new at(options) : options;
    },
    Ajax: { request: function (options) { load(options.url, options.params || {}); } },
    Viewport: function (options) { this.items = options.items; }
  };
  var WMS = store("WMS"), WFS = store("WFS");
  global.GeoExt = {
    data: { WMSCapabilitiesStore: WMS, WFSCapabilitiesStore: WFS, LayerStore: function (o) { this.map = o.map; },
      store: { WmsCapabilities: WMS, WfsCapabilities: WFS } },
    MapPanel: function (options) { this.map = options.map; (options.layers || []).forEach(function (l) { options.map.addLayer(l); }); }
  };
  var ptypes = { gxp_wmscsource: "WMS", gxp_wmssource: "WMS", gxp_wfssource: "WFS", gxp_arcgiscachesource: null, gxp_olsource: null };
  global.gxp = {
    Viewer: function (options) {
      Object.keys(options.sources || {}).forEach(function (key) {
        var source = options.sources[key], service = ptypes[source.ptype];
        if (source.url) load(source.url, service ? { SERVICE: service, REQUEST: "GetCapabilities" } : { f: "json" });
      });
    }
  };
})(window);
