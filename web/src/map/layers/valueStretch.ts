// Finds the raster values that are drawn as black and white. Elevations and temperatures use a small part of the range
// of their data type; without stretching they would be uniformly grey.

export interface ValueRange {
  min: number;
  max: number;
}

/** Share of values that may be clipped at each end. */
const beyond = 0.02;
/** Number of values in the sample. */
const most = 200_000;

/** Finds the range of nearly all values, without the no-data value; returns null if there is none. */
export function findValueRange(bands: ArrayLike<number>[], nothing: number | null): ValueRange | null {
  const kept: number[] = [];
  for (const band of bands) {
    const step = Math.max(1, Math.ceil((band.length * bands.length) / most));
    for (let at = 0; at < band.length; at += step) {
      const value = band[at]!;
      if (Number.isFinite(value) && value !== nothing) kept.push(value);
    }
  }
  kept.sort((a, b) => a - b);
  const at = (share: number) => kept[Math.min(kept.length - 1, Math.floor(share * kept.length))];
  const [min, max] = [at(beyond), at(1 - beyond)];
  if (min === undefined || max === undefined) return null;
  if (min < max) return { min, max };
  // Nearly all values are equal: use the full range, so that the others are visible.
  const [first, last] = [kept[0]!, kept.at(-1)!];
  return first < last ? { min: first, max: last } : null;
}
