$(function () {
  $.post("/theme", { theme: "default" }, function (html) {
    var item = $(html).find("li").first();
    require(["esri/Map", "esri/layers/MapImageLayer"], function (Map, MapImageLayer) {
      new Map({ layers: [new MapImageLayer({ url: "http://" + item.data("server") + "/arcgis/rest/services/" + item.data("name") + "/MapServer" })] });
    });
  });
});
