// Helpers for the descriptions of applications.

/** Describes a service or file that an application uses; the simulated web serves it at exactly this address. */
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

/** Marks a service that the code names but a browser does not request (the other branch of a condition). */
export const notAsked = { requested: false };

/** Marks a service that requires a higher level of analysis than the others of its application. */
export const needs = level => ({ level });

/** Marks a service that a browser requests only through a proxy. */
export const proxied = { proxied: true };

/** Marks an optional finding: a style, the tiles of a TileJSON. */
export const optional = { optional: true, requested: false };

/** Describes a decoy that must not be reported: the reason, and whether something responds there. */
export const mustNot = (url, reason, live = false) => ({ url, reason, live });
