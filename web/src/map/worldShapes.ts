// Prepares world data for drawing: flat coordinates in map metres, names with positions. Does not use the page, so
// that it can run in a worker.

import { getInteriorPointOfArray } from 'ol/geom/flat/interiorpoint';
import { linearRings as areaOfRings } from 'ol/geom/flat/area';
import { fromEPSG4326 } from 'ol/proj/epsg3857';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { landPath } from '../lib/thumbnail';
import { cutAtAntimeridian, unrollPolygons } from './antimeridian';

export type WorldTopology = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

/** Lines or rings: flat coordinates x, y, x, y; the end index of each; the extent west, south, east, north. */
export interface FlatLines {
  flat: number[];
  ends: number[];
  box: [number, number, number, number];
}

export interface WorldShapes {
  land: FlatLines[];
  borders: FlatLines[];
  /** Widest first; `wide`: space for the name, in metres. */
  names: { name: string; x: number; y: number; wide: number }[];
  /** Land as an SVG path, for thumbnails. */
  path: string;
}

function polygonsOf(geometry: { type: string; coordinates?: unknown } | null): number[][][][] {
  if (geometry?.type === 'Polygon') return [geometry.coordinates as number[][][]];
  return geometry?.type === 'MultiPolygon' ? (geometry.coordinates as number[][][][]) : [];
}

function flatten(lines: number[][][]): FlatLines {
  const flat: number[] = [];
  const ends: number[] = [];
  for (const line of lines) {
    for (const [lon = 0, lat = 0] of line) flat.push(lon, lat);
    ends.push(flat.length);
  }
  const placed = fromEPSG4326(flat, undefined, 2) as number[];
  const box: FlatLines['box'] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < placed.length; at += 2) {
    box[0] = Math.min(box[0], placed[at]!);
    box[1] = Math.min(box[1], placed[at + 1]!);
    box[2] = Math.max(box[2], placed[at]!);
    box[3] = Math.max(box[3], placed[at + 1]!);
  }
  return { flat: placed, ends, box };
}

const areaOf = (polygon: FlatLines) => areaOfRings(polygon.flat, 0, polygon.ends, 2);

export function prepareShapes(world: WorldTopology): WorldShapes {
  const land = unrollPolygons(feature(world, world.objects.land).features.flatMap((one) => polygonsOf(one.geometry)));
  const names = feature(world, world.objects.countries).features.flatMap((country) => {
    const name = country.properties.name;
    if (!name || name === 'Antarctica') return [];
    // Of a polygon drawn twice, the first copy is enough to place the name.
    const polygons = polygonsOf(country.geometry).map((polygon) => flatten(unrollPolygons([polygon])[0]!));
    const largest = polygons.reduce<FlatLines | null>((best, one) => (best && areaOf(best) >= areaOf(one) ? best : one), null);
    if (!largest) return [];
    const xs = largest.flat.filter((_, at) => at % 2 === 0 && at < largest.ends[0]!);
    const ys = largest.flat.filter((_, at) => at % 2 === 1 && at < largest.ends[0]!);
    const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
    const [x = 0, y = 0, across = 0] = getInteriorPointOfArray(largest.flat, 0, largest.ends, 2, [middle(xs), middle(ys)], 0);
    return [{ name, x, y, wide: Math.min(across, Math.sqrt(areaOf(largest)) * 1.4) }];
  });
  return {
    land: land.map(flatten),
    borders: cutAtAntimeridian(mesh(world, world.objects.countries, (a, b) => a !== b).coordinates).map((line) => flatten([line])),
    names: names.sort((a, b) => b.wide - a.wide),
    path: landPath(land),
  };
}

/** Fetches world data and prepares it for drawing. */
export async function fetchWorldShapes(url: string): Promise<WorldShapes> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Cannot load the world map: HTTP status ${response.status}.`);
  return prepareShapes((await response.json()) as WorldTopology);
}
