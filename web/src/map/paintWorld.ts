// Draws the world: graticule, land, borders and country names. Uses only a canvas context, so that a worker can do it
// while the page stays responsive.

import type { FlatLines, WorldShapes } from './worldShapes';

/** The view to draw: centre in map metres, metres per pixel, size in CSS pixels. */
export interface MapFrame {
  x: number;
  y: number;
  resolution: number;
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/** Colours as canvas strings. */
export interface WorldColours {
  land: string;
  border: string;
  coast: string;
  line: string;
  label: string;
}

export type PaintContext = Pick<OffscreenCanvasRenderingContext2D, 'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'fill' | 'stroke' | 'fillText' | 'strokeText' | 'measureText' | 'fillStyle' | 'strokeStyle' | 'lineWidth' | 'lineJoin' | 'font' | 'textAlign' | 'textBaseline'>;

/** Half the width of the world in Web Mercator metres, and the full width. */
const half = 20_037_508.342789244;
const world = 2 * half;

/** Above this resolution (metres per pixel) the coastline is not stroked. */
const coastBelow = 25_000;
/** Below this resolution (metres per pixel) the graticule is not drawn. */
const linesAbove = 2500;
const intervals = [90, 45, 30, 20, 10, 5, 2, 1, 0.5];
/** Minimum space in pixels for a country name. */
const roomForName = 46;

/** The view in drawing units: metres per device pixel, and the edges in metres. */
interface VisibleExtent {
  pixel: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  ratio: number;
  resolution: number;
}

export function visibleExtent({ x, y, resolution, width, height, ratio }: MapFrame): VisibleExtent {
  const [w, h] = [(width * resolution) / 2, (height * resolution) / 2];
  return { pixel: resolution / ratio, left: x - w, right: x + w, top: y + h, bottom: y - h, ratio, resolution };
}

/** Returns the offsets of the visible copies of the world. */
export function worldCopyShifts({ left, right }: Pick<VisibleExtent, 'left' | 'right'>): number[] {
  const first = Math.floor((left + half) / world);
  return Array.from({ length: Math.floor((right + half) / world) - first + 1 }, (_, at) => (first + at) * world);
}

/** Returns the smallest graticule interval whose lines are far enough apart. */
export function graticuleInterval(resolution: number): number {
  return intervals.findLast((degrees) => (degrees / 360) * world * Math.SQRT2 > 160 * resolution) ?? 90;
}

const isInView = ({ box: [w, s, e, n] }: FlatLines, cut: VisibleExtent, shift: number) => e + shift >= cut.left && w + shift <= cut.right && n >= cut.bottom && s <= cut.top;

/** Traces lines or rings; skips points that fall on the same pixel. */
function traceLines(canvas: PaintContext, { flat, ends }: FlatLines, cut: VisibleExtent, shift: number, closed: boolean): void {
  let at = 0;
  for (const end of ends) {
    let lastX = Infinity;
    let lastY = Infinity;
    for (const begin = at; at < end; at += 2) {
      const x = (flat[at]! + shift - cut.left) / cut.pixel;
      const y = (cut.top - flat[at + 1]!) / cut.pixel;
      if (at === begin) canvas.moveTo(x, y);
      else if (Math.abs(x - lastX) + Math.abs(y - lastY) >= 0.7 || at === end - 2) canvas.lineTo(x, y);
      else continue;
      lastX = x;
      lastY = y;
    }
    if (closed) canvas.closePath();
  }
}

function paintGraticule(canvas: PaintContext, cut: VisibleExtent): void {
  const step = graticuleInterval(cut.resolution);
  const wide = (step / 360) * world;
  const yOf = (metres: number) => (cut.top - Math.max(-half, Math.min(half, metres))) / cut.pixel;
  canvas.beginPath();
  for (let at = Math.ceil(cut.left / wide) * wide; at <= cut.right; at += wide) {
    const x = (at - cut.left) / cut.pixel;
    canvas.moveTo(x, yOf(cut.top));
    canvas.lineTo(x, yOf(cut.bottom));
  }
  for (let lat = -Math.floor(85 / step) * step; lat <= 85; lat += step) {
    const y = yOf(Math.log(Math.tan(((90 + lat) * Math.PI) / 360)) * (half / Math.PI));
    canvas.moveTo(0, y);
    canvas.lineTo((cut.right - cut.left) / cut.pixel, y);
  }
  canvas.stroke();
}

function paintNames(canvas: PaintContext, shapes: WorldShapes, cut: VisibleExtent): void {
  const taken: number[][] = [];
  canvas.font = `500 ${11 * cut.ratio}px 'Inter Variable', system-ui, sans-serif`;
  canvas.textAlign = 'center';
  canvas.textBaseline = 'middle';
  canvas.lineJoin = 'round';
  // Widest first: where two names do not fit, the larger country keeps its name.
  for (const { name, x, y, wide } of shapes.names) {
    if (wide / cut.resolution < roomForName) return;
    for (const shift of worldCopyShifts(cut)) {
      const [px, py] = [(x + shift - cut.left) / cut.pixel, (cut.top - y) / cut.pixel];
      if (x + shift < cut.left || x + shift > cut.right || y < cut.bottom || y > cut.top) continue;
      const [w, h] = [canvas.measureText(name).width / 2 + 2 * cut.ratio, 8 * cut.ratio];
      if (taken.some(([l = 0, t = 0, r = 0, b = 0]) => px - w < r && px + w > l && py - h < b && py + h > t)) continue;
      taken.push([px - w, py - h, px + w, py + h]);
      canvas.strokeText(name, px, py);
      canvas.fillText(name, px, py);
    }
  }
}

export function paintWorld(canvas: PaintContext, shapes: WorldShapes, frame: MapFrame, look: WorldColours): void {
  const cut = visibleExtent(frame);
  if (cut.resolution >= linesAbove) {
    canvas.strokeStyle = look.line;
    canvas.lineWidth = cut.ratio;
    paintGraticule(canvas, cut);
  }
  canvas.fillStyle = look.land;
  canvas.strokeStyle = look.coast;
  canvas.lineWidth = 0.6 * cut.ratio;
  for (const shift of worldCopyShifts(cut)) {
    for (const land of shapes.land) {
      if (!isInView(land, cut, shift)) continue;
      canvas.beginPath();
      traceLines(canvas, land, cut, shift, true);
      canvas.fill('evenodd');
      if (cut.resolution < coastBelow) canvas.stroke();
    }
  }
  canvas.strokeStyle = look.border;
  canvas.lineWidth = 0.8 * cut.ratio;
  canvas.beginPath();
  for (const shift of worldCopyShifts(cut)) for (const border of shapes.borders) if (isInView(border, cut, shift)) traceLines(canvas, border, cut, shift, false);
  canvas.stroke();
  canvas.fillStyle = look.label;
  canvas.strokeStyle = look.land;
  canvas.lineWidth = 2.5 * cut.ratio;
  paintNames(canvas, shapes, cut);
}
