(function () {
  const query = new URLSearchParams({ service: "WFS", version: "2.0.0", request: "GetFeature", typeNames: "pop:grid", count: "100" });
  fetch("http://wfs.__ID__.example/geoserver/pop/wfs?" + query.toString()).then(r => r.text()).catch(() => {});
  const request = new XMLHttpRequest();
  request.open("GET", "http://gis.__ID__.example/arcgis/rest/services/Pop/FeatureServer/0/query?where=1%3D1&f=json", true);
  request.send();
  const address = new URL("http://wms.__ID__.example/wms/population");
  address.searchParams.set("SERVICE", "WMS");
  address.searchParams.set("REQUEST", "GetMap");
  address.searchParams.set("LAYERS", "density");
  const image = document.createElement("img");
  image.src = address.href + "&VERSION=1.1.1&SRS=EPSG:4326&BBOX=5,45,15,55&WIDTH=300&HEIGHT=300&STYLES=&FORMAT=image/png";
  document.getElementById("map").appendChild(image);
  fetch(new Request("http://data.__ID__.example/borders.geojson")).then(r => r.json()).then(data => { document.title = data.features.length + " features"; });
})();
