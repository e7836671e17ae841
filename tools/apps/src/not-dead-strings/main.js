const help = {
  wms: `To add a map service, enter an address such as http://your-server.__ID__.example/geoserver/wms?service=WMS&request=GetCapabilities and press Add.`,
  local: "For tests use new ol.source.TileWMS({url: 'http://localhost:8080/geoserver/wms', params: {LAYERS: 'topp:states'}}).",
  esri: `The placeholder is http://example.com/arcgis/rest/services/Sample/MapServer; replace it with yours.`,
};
const placeholder = () => `https://<host>/<path>?SERVICE=WMS`;
document.getElementById("map").innerHTML = Object.values(help).map(text => `<p>${text.replace(/</g, "&lt;")}</p>`).join("") + `<input placeholder="${placeholder().replace(/</g, "&lt;")}">`;
