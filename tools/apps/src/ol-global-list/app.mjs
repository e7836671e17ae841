import { wms } from "../../services.mjs";
export default {
  title: "Nature reserves", library: "openlayers", techniques: ["array", "object-member", "loop"], level: 2, libs: ["ol"], builds: ["terser", "plain"],
  services: [
    wms("http://wms.__ID__.example/cgi-bin/qgis_mapserv.fcgi?MAP=/data/parks.qgs", "parks"),
    wms("http://wms2.__ID__.example/deegree/services/wms_biotope", "biotope"),
    wms("http://karte.__ID__.example/index.php?dienst=schutz", "schutz"),
  ],
};
