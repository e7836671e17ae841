// Boxes in degrees. A box whose west is greater than its east crosses the antimeridian.

import type { Box } from './mapControl';

export const worldBox: Box = [-180, -90, 180, 90];

/** Wraps a longitude into -180..180. */
export function wrapLongitude(lon: number): number {
  if (lon >= -180 && lon <= 180) return lon;
  const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
  return turned === -180 && lon > 0 ? 180 : turned;
}

/** Parses "w,s,e,n"; returns null if it is not a valid box. */
export function parseBox(text: string | null | undefined): Box | null {
  if (!text) return null;
  const parts = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (parts.length !== 4 || !parts.every(Number.isFinite)) return null;
  const [w, s, e, n] = parts as Box;
  if (s > n || Math.abs(s) > 90 || Math.abs(n) > 90) return null;
  return boxFromMap(w, s, e, n);
}

/** Formats a box with a precision that fits its size. */
export function formatBox(box: Box): string {
  const digits = boxWidth(box) > 20 ? 1 : boxWidth(box) > 1 ? 2 : 4;
  return box.map((value) => String(Number(value.toFixed(digits)))).join(',');
}

/** Creates a box from coordinates that may lie in a repeated world (beyond ±180). */
export function boxFromMap(w: number, s: number, e: number, n: number): Box {
  const south = Math.max(-90, Math.min(s, n));
  const north = Math.min(90, Math.max(s, n));
  if (e - w >= 360) return [-180, south, 180, north];
  return [wrapLongitude(w), south, wrapLongitude(e), north];
}

export function crossesAntimeridian(box: Box): boolean {
  return box[0] > box[2];
}

export function boxWidth(box: Box): number {
  return crossesAntimeridian(box) ? 360 - box[0] + box[2] : box[2] - box[0];
}

/** Splits a box at the antimeridian into one or two boxes. */
export function splitAtAntimeridian(box: Box): Box[] {
  return crossesAntimeridian(box)
    ? [
        [box[0], box[1], 180, box[3]],
        [-180, box[1], box[2], box[3]],
      ]
    : [box];
}

/** Returns the box with east beyond 180 instead of a jump, as maps draw it. */
export function unrollBox(box: Box): Box {
  return crossesAntimeridian(box) ? [box[0], box[1], box[2] + 360, box[3]] : box;
}

export function boxContains(box: Box, lon: number, lat: number): boolean {
  const at = wrapLongitude(lon);
  return lat >= box[1] && lat <= box[3] && splitAtAntimeridian(box).some((part) => at >= part[0] && at <= part[2]);
}

/** Checks that a box gives a location: finite, on Earth, not an empty placeholder. */
export function isUsableBox(box: number[] | null | undefined): box is Box {
  return !!box && box.length === 4 && box.every(Number.isFinite) && box[1]! <= box[3]! && Math.abs(box[1]!) <= 90 && Math.abs(box[3]!) <= 90;
}

export function isWorldBox(box: Box): boolean {
  return boxWidth(box) >= 300 && box[3] - box[1] >= 120;
}
