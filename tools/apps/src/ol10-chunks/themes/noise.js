import ImageLayer from "ol/layer/Image.js";
import ImageWMS from "ol/source/ImageWMS.js";

const mapfile = "/srv/noise.map";
export function addTo(map) {
  map.addLayer(new ImageLayer({ source: new ImageWMS({ url: "http://wms.__ID__.example/cgi-bin/mapserv?map=" + mapfile, params: { LAYERS: "noise_day", VERSION: "1.1.1" } }) }));
}
