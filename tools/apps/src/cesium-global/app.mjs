import { wms, wmts, mapServer, xyz, geojson, kml } from "../../services.mjs";
export default {
  title: "City in 3D", library: "cesium", techniques: ["global", "object-shape"], level: 2, libs: ["cesium"], builds: ["plain", "terser", "esbuild"],
  services: [
    wms("http://wms.__ID__.example/geoserver/city/wms", ["city:trees"]),
    wmts("http://wmts.__ID__.example/geoserver/gwc/service/wmts", "city:ortho"),
    mapServer("http://gis.__ID__.example/arcgis/rest/services/City/MapServer", "0"),
    xyz("http://tiles.__ID__.example/lidar/{z}/{x}/{y}.png"),
    geojson("http://data.__ID__.example/3d/buildings.geojson"),
    kml("http://data.__ID__.example/3d/views.kml"),
  ],
};
