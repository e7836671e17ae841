import { wms, wmts, wfs, xyz } from "../../services.mjs";
export default {
  title: "Terrain", library: "itowns", techniques: ["global", "object-shape"], level: 2, libs: ["itowns"], builds: ["plain", "terser"],
  services: [wms("http://wms.__ID__.example/geoserver/terrain/wms", "terrain:slope"), wmts("http://wmts.__ID__.example/mapproxy/service", "ortho"), wfs("http://wfs.__ID__.example/geoserver/terrain/ows", "terrain:peaks"), xyz("http://tiles.__ID__.example/osm/{z}/{x}/{y}.png")],
};
