// Density of services as a smooth surface around every host, in services per 10,000 square kilometres.
// Uses the quartic kernel of common GIS tools, so that maps can be compared.

/** 150 miles, the search radius of the density map in the PolarHub paper. */
export const paperRadius = 241;
export const searchRadii = [50, 100, 150, 241, 400, 800];

export interface WeightedPoint {
  /** Web Mercator coordinates. */
  x: number;
  y: number;
  lat: number;
  count: number;
}

export interface DensityGrid {
  width: number;
  height: number;
  values: Float32Array;
  max: number;
}

const around = 40_075_016.685578488;

/** Computes the surface over an extent in Web Mercator metres, one value per cell, north first. */
export function computeDensity(points: WeightedPoint[], extent: number[], width: number, height: number, radiusKm: number): DensityGrid {
  const [west = 0, south = 0, east = 1, north = 1] = extent;
  const values = new Float32Array(width * height);
  const cellX = (east - west) / width;
  const cellY = (north - south) / height;
  const top = (3 / (Math.PI * radiusKm * radiusKm)) * 10_000;
  let max = 0;
  for (const point of points) {
    // Web Mercator stretches distances away from the equator.
    const reach = (radiusKm * 1000) / Math.max(0.08, Math.cos((point.lat * Math.PI) / 180));
    const firstCopy = Math.ceil((west - reach - point.x) / around);
    const lastCopy = Math.floor((east + reach - point.x) / around);
    for (let copy = firstCopy; copy <= lastCopy; copy++) {
      const x = point.x + copy * around;
      const left = Math.max(0, Math.floor((x - reach - west) / cellX));
      const right = Math.min(width - 1, Math.ceil((x + reach - west) / cellX));
      const upper = Math.max(0, Math.floor((north - point.y - reach) / cellY));
      const lower = Math.min(height - 1, Math.ceil((north - point.y + reach) / cellY));
      for (let row = upper; row <= lower; row++) {
        const dy = (north - (row + 0.5) * cellY - point.y) / reach;
        for (let column = left; column <= right; column++) {
          const dx = (west + (column + 0.5) * cellX - x) / reach;
          const rest = 1 - dx * dx - dy * dy;
          if (rest <= 0) continue;
          const at = row * width + column;
          const value = values[at]! + point.count * top * rest * rest;
          values[at] = value;
          if (value > max) max = value;
        }
      }
    }
  }
  return { width, height, values, max };
}
