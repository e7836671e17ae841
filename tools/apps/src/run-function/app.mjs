import { wms } from "../../services.mjs";
export default { title: "Packed", library: "leaflet", techniques: ["eval", "new-Function", "packer"], level: 3, libs: ["leaflet"], builds: ["plain", "terser"],
  services: [wms("http://wms.__ID__.example/geoserver/packed/wms", "packed"), wms("http://made.__ID__.example/ows/made", "made")] };
