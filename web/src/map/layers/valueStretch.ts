// Which values of a raster become black and white. Heights and temperatures fill a small part of what their type can
// hold: shown from end to end of that they are grey on grey.

export interface ValueRange {
  min: number;
  max: number;
}

/** Share of the values that may lie below and above. */
const beyond = 0.02;
/** So many are enough to tell. */
const most = 200_000;

/** Between which values nearly all lie, without what stands for nothing; null where there is nothing to tell. */
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
  // Hardly anything but one value: what there is besides should be seen.
  const [first, last] = [kept[0]!, kept.at(-1)!];
  return first < last ? { min: first, max: last } : null;
}
