// Footprint thumbnails: the part of the world around a box, and the land in it.

import { unrollBox, isUsableBox } from './boundingBox';
import type { Box } from './mapControl';

export interface FootprintThumbnail {
  /** viewBox in degrees, north up (y = -latitude). */
  view: string;
  /** Footprint as an SVG rectangle in the same units. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Line width that looks the same at every scale. */
  line: number;
}

const ratio = 4 / 3;

/** Frames a box with its surroundings, so that the location can be recognised. */
export function frameThumbnail(box: number[] | null | undefined): FootprintThumbnail | null {
  if (!isUsableBox(box)) return null;
  const [w, s, e, n] = unrollBox(box as Box);
  const wide = Math.max(e - w, 0.01);
  const high = Math.max(n - s, 0.01);
  // At least 36 degrees wide: at closer range this coarse coastline shows nothing useful.
  let across = Math.min(360, Math.max(36, wide * 1.9, high * 1.9 * ratio));
  let tall = across / ratio;
  if (tall > 180) {
    tall = 180;
    across = tall * ratio;
  }
  if (wide > across) across = Math.min(360, wide * 1.05);
  const x = (w + e) / 2 - across / 2;
  const middle = Math.min(90 - tall / 2, Math.max(-90 + tall / 2, (s + n) / 2));
  const smallest = across / 16;
  const boxWide = Math.max(wide, smallest);
  const boxHigh = Math.max(high, smallest * 0.75);
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    view: [x, -middle - tall / 2, across, tall].map(round).join(' '),
    x: round((w + e) / 2 - boxWide / 2),
    y: round(-(s + n) / 2 - boxHigh / 2),
    width: round(boxWide),
    height: round(boxHigh),
    line: round(across / 48),
  };
}

/** Returns an SVG path of rings in degrees, simplified: skips points closer than `step` to the previous one. */
export function landPath(polygons: number[][][][], step = 0.8): string {
  let path = '';
  for (const polygon of polygons) {
    const ring = polygon[0] ?? [];
    const kept: string[] = [];
    let [lastX, lastY] = [Infinity, Infinity];
    for (const [x = 0, y = 0] of ring) {
      if (Math.abs(x - lastX) + Math.abs(y - lastY) < step) continue;
      kept.push(`${x.toFixed(1)} ${(-y).toFixed(1)}`);
      [lastX, lastY] = [x, y];
    }
    if (kept.length > 3) path += `M${kept.join('L')}Z`;
  }
  return path;
}
