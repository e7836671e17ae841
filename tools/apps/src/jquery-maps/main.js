$(function () {
  $("#map").mapQuery({ layers: [{ type: "wms", label: "Pools", url: "http://wms1.__ID__.example/ows/leisure", layers: "pools" }] });
  $("#map").geomap({ center: [10, 50], zoom: 8, services: [{ id: "playgrounds", type: "shingled", src: function (view) {
    return "http://wms2.__ID__.example/cgi-bin/mapserv?map=/maps/leisure.map&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=playgrounds&STYLES=&SRS=EPSG:4326&FORMAT=image/png&BBOX=" + view.bbox + "&WIDTH=" + view.width + "&HEIGHT=" + view.height;
  } }] });
  $.ajax({ url: "http://wfs.__ID__.example/geoserver/leisure/wfs", data: { service: "WFS", version: "1.1.0", request: "GetFeature", typeName: "leisure:paths", outputFormat: "json" }, dataType: "text" });
  $.getJSON("http://data.__ID__.example/events.geojson", function (data) { $("#count").text(data.features.length); });
  $.get("http://gis.__ID__.example/arcgis/rest/services/Parks/FeatureServer/0/query", { where: "1=1", outFields: "*", f: "geojson" });
});
