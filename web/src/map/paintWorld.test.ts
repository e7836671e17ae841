import { expect, test } from 'vitest';
import { worldCopyShifts, visibleExtent, graticuleInterval, paintWorld, type PaintContext } from './paintWorld';
import type { FlatLines, WorldShapes } from './worldShapes';

const world = 40_075_016.68557849;
const square = (w: number, s: number, e: number, n: number): FlatLines => ({ flat: [w, s, e, s, e, n, w, n, w, s], ends: [10], box: [w, s, e, n] });
const look = { land: 'land', border: 'border', coast: 'coast', line: 'line', label: 'label' };

/** Records what is drawn: polygons as points, names with their positions. */
function drawnBy(shapes: WorldShapes, frame: Parameters<typeof paintWorld>[2]) {
  const filled: number[][][] = [];
  const names: [string, number, number][] = [];
  let path: number[][] = [];
  const canvas = {
    beginPath: () => (path = []),
    moveTo: (x: number, y: number) => path.push([x, y]),
    lineTo: (x: number, y: number) => path.push([x, y]),
    closePath: () => {},
    fill: () => filled.push(path),
    stroke: () => {},
    strokeText: () => {},
    fillText: (name: string, x: number, y: number) => names.push([name, x, y]),
    measureText: (name: string) => ({ width: name.length * 6 }),
  } as unknown as PaintContext;
  paintWorld(canvas, shapes, frame, look);
  return { filled, names };
}

test('a frame in metres', () => {
  expect(visibleExtent({ x: 100, y: 50, resolution: 2, width: 40, height: 20, ratio: 2 })).toMatchObject({ pixel: 1, left: 60, right: 140, top: 70, bottom: 30 });
});

test('the world goes on to both sides', () => {
  expect(worldCopyShifts({ left: -100, right: 100 })).toEqual([0]);
  expect(worldCopyShifts({ left: world * 0.4, right: world * 0.6 })).toEqual([0, world]);
  expect(worldCopyShifts({ left: -world * 1.2, right: 0 })).toEqual([-world, 0]);
});

test('meshes get narrower on the way down', () => {
  const steps = [150_000, 50_000, 20_000, 5000].map(graticuleInterval);
  expect(steps).toEqual([...steps].sort((a, b) => b - a));
  expect(graticuleInterval(1e9)).toBe(90);
});

test('land is drawn where it is, once for each copy in view, and not when it is out of view', () => {
  const shapes: WorldShapes = { land: [square(0, 0, 1000, 1000), square(9e6, 9e6, 9.1e6, 9.1e6)], borders: [], names: [], path: '' };
  const near = drawnBy(shapes, { x: 500, y: 500, resolution: 100, width: 20, height: 20, ratio: 1 });
  expect(near.filled).toEqual([[[5, 15], [15, 15], [15, 5], [5, 5], [5, 15]]]);
  const wide = drawnBy({ ...shapes, land: [square(-1e7, -1e7, 1e7, 1e7)] }, { x: world / 2, y: 0, resolution: 100_000, width: 400, height: 200, ratio: 1 });
  expect(wide.filled).toHaveLength(2);
});

test('of two names that do not fit the greater country has its own', () => {
  const name = (text: string, x: number, wide: number) => ({ name: text, x, y: 0, wide });
  const shapes: WorldShapes = { land: [], borders: [], names: [name('Greater', 0, 9e6), name('Smaller', 1e5, 8e6), name('Elsewhere', 5e6, 7e6), name('Tiny', -5e6, 1e5)], path: '' };
  const { names } = drawnBy(shapes, { x: 0, y: 0, resolution: 50_000, width: 400, height: 400, ratio: 1 });
  expect(names.map(([text]) => text)).toEqual(['Greater', 'Elsewhere']);
  expect(names[0]).toEqual(['Greater', 200, 200]);
});
