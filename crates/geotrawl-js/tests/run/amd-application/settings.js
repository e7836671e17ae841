define(["dojo/has"], function (has) {
  var root = "https://gis.example.org/arcgis/rest/services/";
  return { arcgis: root, wms: ["https://a.example.org/wms", root.replace("/rest", "") + "Land/MapServer/WMSServer"] };
});
