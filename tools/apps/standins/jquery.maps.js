/* Stand-ins for the jQuery plug-ins geomap (jQuery Geo) and mapQuery. Written for the simulated web. */
(function ($) {
  "use strict";
  function join(url, params) { return url + (url.indexOf("?") < 0 ? "?" : "&") + $.param(params); }
  var getMap = { SERVICE: "WMS", VERSION: "1.1.1", REQUEST: "GetMap", SRS: "EPSG:4326", BBOX: "5,45,15,55", WIDTH: 256, HEIGHT: 256, FORMAT: "image/png", STYLES: "" };
  $.fn.geomap = function (options) {
    (options.services || []).forEach(function (s) {
      var src = typeof s.src === "function" ? s.src({ bbox: [5, 45, 15, 55], width: 256, height: 256, tile: { row: 2, column: 4 }, zoom: 3 }) : s.src;
      new Image().src = src.replace("{{:zoom}}", 3).replace("{{:tile.column}}", 4).replace("{{:tile.row}}", 2);
    });
    return this;
  };
  $.fn.mapQuery = function (options) {
    (options.layers || []).forEach(function (l) {
      if (l.type === "wms") new Image().src = join(l.url, $.extend({}, getMap, { LAYERS: [].concat(l.layers).join(",") }));
      else if (l.url) $.ajax({ url: [].concat(l.url)[0] });
    });
    return this;
  };
})(jQuery);
