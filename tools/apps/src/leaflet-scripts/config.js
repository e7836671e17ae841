var Denkmal = {};
Denkmal.config = {
  base: { host: "wms.__ID__.example", root: "/arcgis/services/" },
  old: ["http://old.__ID__.example", "/mapguide/mapagent", "/mapagent.fcgi"]
};
