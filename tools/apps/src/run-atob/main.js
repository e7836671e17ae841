(function () {
  function unhex(hex) { return hex.replace(/../g, function (pair) { return String.fromCharCode(parseInt(pair, 16)); }); }
  function unxor(numbers) { return numbers.map(function (n, i) { return String.fromCharCode(n ^ ((i * 5 + 23) & 63)); }).join(""); }
  var map = L.map("map").setView([50, 10], 7);
  L.tileLayer.wms(atob("@b64{{http://wms.__ID__.example/geoserver/b64/wms}}"), { layers: "b64" }).addTo(map);
  L.esri.featureLayer({ url: unhex("@hex{{http://gis.__ID__.example/arcgis/rest/services/Hex/FeatureServer/0}}") }).addTo(map);
  L.tileLayer.wms(unxor([@xor{{http://third.__ID__.example/wms/xor}}]), { layers: "xor" }).addTo(map);
})();
