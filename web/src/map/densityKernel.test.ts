import { describe, expect, it } from 'vitest';
import { computeDensity } from './densityKernel';

const world = 20_037_508.342789244;

describe('density', () => {
  it('sums to the number of services', () => {
    const side = 1_000_000;
    const grid = computeDensity([{ x: 0, y: 0, lat: 0, count: 7 }], [-side, -side, side, side], 400, 400, 241);
    const cellKm2 = ((2 * side) / 400 / 1000) ** 2;
    const total = grid.values.reduce((sum, value) => sum + (value / 10_000) * cellKm2, 0);
    expect(total).toBeCloseTo(7, 1);
    expect(grid.max).toBeCloseTo((7 * 3 * 10_000) / (Math.PI * 241 * 241), 1);
  });
  it('reaches over the antimeridian', () => {
    const grid = computeDensity([{ x: world - 1000, y: 0, lat: 0, count: 1 }], [-world - 300_000, -300_000, -world + 300_000, 300_000], 60, 60, 241);
    expect(grid.max).toBeGreaterThan(0);
  });
  it('is wider on the map towards the poles', () => {
    const count = (lat: number) => computeDensity([{ x: 0, y: 0, lat, count: 1 }], [-2e6, -2e6, 2e6, 2e6], 100, 100, 241).values.filter((value) => value > 0).length;
    expect(count(60)).toBeGreaterThan(count(0) * 3);
  });
  it('has nothing where nothing is', () => expect(computeDensity([], [0, 0, 1, 1], 4, 4, 241).max).toBe(0));
});
