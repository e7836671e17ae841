var dojoConfig = { packages: [{ name: "app", location: "js/app" }] };
require(["app/settings", "esri/Map", "esri/layers/MapImageLayer", "esri/layers/WMSLayer", "dojo/_base/lang", "dojo/domReady!"],
  function (settings, Map, Image, WMS, lang) {
    var options = lang.mixin({ opacity: 0.5 }, { url: settings.arcgis + "Land/MapServer" });
    var map = new Map({ layers: [new Image(options)] });
    settings.wms.forEach(function (url) { map.add(new WMS({ url: url })); });
  });
