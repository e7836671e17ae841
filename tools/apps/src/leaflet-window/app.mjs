import { wms, xyz } from "../../services.mjs";
export default {
  title: "Energy atlas", library: "leaflet", techniques: ["window-property", "globalThis", "inline-configuration"], level: 2, libs: ["leaflet"], builds: ["terser", "esbuild"],
  services: [wms("http://wms.__ID__.example/energy/ows", "wind_parks"), xyz("http://tiles.__ID__.example/v2/energy/{z}/{x}/{y}.png")],
};
