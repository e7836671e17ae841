// What the descriptions of applications are written with.

/** A service or file that an application uses; the simulated web serves it at exactly this address. */
function service(kind, url, layers, more) {
  return { kind, url, layers, requested: true, ...more };
}

const kindOf = kind => (url, layers = [], more = {}) => service(kind, url, [layers].flat(), more);

export const wms = kindOf("wms");
export const wfs = kindOf("wfs");
export const wmts = kindOf("wmts");
export const mapServer = kindOf("arcgis-mapserver");
export const featureServer = kindOf("arcgis-featureserver");
export const imageServer = kindOf("arcgis-imageserver");
export const xyz = kindOf("xyz");
export const mvt = kindOf("mvt");
export const geojson = kindOf("geojson");
export const kml = kindOf("kml");
export const tilejson = kindOf("tilejson");
export const style = kindOf("maplibre-style");

/** For a service that the code names but that a browser does not ask as the page stands (the other arm of a choice). */
export const notAsked = { requested: false };

/** For a service that takes more than the others of its application. */
export const needs = level => ({ level });

/** For a service that a browser asks only through a proxy. */
export const proxied = { proxied: true };

/** For what is rightly found along the way but need not be: a style, the tiles behind a TileJSON. */
export const optional = { optional: true, requested: false };

/** What must not be found: why, and whether something answers there. */
export const mustNot = (url, reason, live = false) => ({ url, reason, live });
