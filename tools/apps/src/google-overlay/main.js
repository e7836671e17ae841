function initMap() {
  var map = new google.maps.Map(document.getElementById("map"), { center: new google.maps.LatLng(47, 10), zoom: 7, mapTypeId: google.maps.MapTypeId.TERRAIN });
  var snow = new google.maps.ImageMapType({
    getTileUrl: function (coord, zoom) {
      var proj = map.getProjection(), zfactor = Math.pow(2, zoom);
      var top = proj.fromPointToLatLng(new google.maps.Point(coord.x * 256 / zfactor, coord.y * 256 / zfactor));
      var bottom = proj.fromPointToLatLng(new google.maps.Point((coord.x + 1) * 256 / zfactor, (coord.y + 1) * 256 / zfactor));
      var bbox = top.lng() + "," + bottom.lat() + "," + bottom.lng() + "," + top.lat();
      var url = "http://wms.__ID__.example/geoserver/snow/wms?";
      url += "REQUEST=GetMap&SERVICE=WMS&VERSION=1.1.1";
      url += "&LAYERS=" + "snow:depth";
      url += "&FORMAT=image/png&STYLES=&SRS=EPSG:4326&TRANSPARENT=TRUE";
      url += "&BBOX=" + bbox + "&WIDTH=256&HEIGHT=256";
      return url;
    },
    tileSize: new google.maps.Size(256, 256), isPng: true
  });
  map.overlayMapTypes.push(snow);
  map.overlayMapTypes.push(new google.maps.ImageMapType({ getTileUrl: function (c, z) { return "http://tiles.__ID__.example/snow/" + z + "/" + c.x + "/" + c.y + ".png"; }, tileSize: new google.maps.Size(256, 256) }));
  map.data.loadGeoJson("http://data.__ID__.example/stations.json");
  new google.maps.KmlLayer({ url: "http://data.__ID__.example/lifts.kml", map: map });
}
window.initMap = initMap;
