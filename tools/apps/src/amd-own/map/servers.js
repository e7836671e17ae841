define({ species: { root: "http://wms.__ID__.example", path: "/ows/species" } });
