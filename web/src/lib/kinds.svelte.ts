// Kinds of services and files: their names and their family, which gives the colour.

import { api } from './api';

export const families = ['wms', 'features', 'coverage', 'tiles', 'catalogue', 'process', 'sensor', 'arcgis', 'file', 'other'] as const;
export type Family = (typeof families)[number];

export interface Kind {
  id: string;
  name: string;
  family: Family;
  what: string;
}

// Enough to colour the first rows before the server has said; its list wins.
const early: Record<Exclude<Family, 'other'>, string> = {
  wms: 'wms wms-c ogcapi-maps ncwms arcims',
  features: 'wfs ogcapi-features',
  coverage: 'wcs wcps ogcapi-coverages ogcapi-edr opendap thredds erddap',
  tiles: 'wmts tms xyz ogcapi-tiles ogcapi-styles tilejson mvt maplibre-style pmtiles mbtiles 3dtiles i3s',
  catalogue: 'csw ogcapi-records stac-api stac-catalog ckan socrata opendatasoft geonetwork geonode dcat oai-pmh opensearch inspire-atom schemaorg-dataset',
  process: 'wps ogcapi-processes',
  sensor: 'sos sensorthings',
  arcgis: 'arcgis-directory arcgis-mapserver arcgis-featureserver arcgis-imageserver arcgis-geocodeserver arcgis-gpserver arcgis-vectortileserver arcgis-sceneserver arcgis-portal',
  file: 'kml kmz shapefile geojson topojson geotiff cog geopackage flatgeobuf geoparquet netcdf hdf5 grib zarr gml gpx las copc filegdb csv-geo',
};
const familyEarly = new Map<string, Family>();
for (const [family, ids] of Object.entries(early)) for (const id of ids.split(' ')) familyEarly.set(id, family as Family);

let known = $state.raw(new Map<string, Kind>());

let asked: Promise<void> | null = null;

/** Asks the server for names once; a failure is tried anew by the next one who asks. */
export function loadKinds(): Promise<void> {
  asked ??= api.get<{ kinds: Kind[] }>('/kinds').then(
    (answer) => void (known = new Map(answer.kinds.map((kind) => [kind.id, kind]))),
    () => void (asked = null),
  );
  return asked;
}

/** All that the server knows, in its order. */
export function allKinds(): Kind[] {
  return [...known.values()];
}

export function familyOf(kind: string): Family {
  const family = known.get(kind)?.family ?? familyEarly.get(kind) ?? 'other';
  return families.includes(family) ? family : 'other';
}

export function kindName(kind: string): string {
  const name = known.get(kind)?.name;
  if (name) return name;
  if (kind.startsWith('arcgis-')) return `ArcGIS ${kind.slice(7)}`;
  if (kind.startsWith('ogcapi-')) return `OGC API ${kind.slice(7)}`;
  return kind.length <= 5 ? kind.toUpperCase() : kind;
}

/** What it is, in a sentence; empty when the server has not said. */
export function kindWhat(kind: string): string {
  return known.get(kind)?.what ?? '';
}
