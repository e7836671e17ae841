import { describe, expect, it } from 'vitest';
import { findValueRange } from './valueStretch';

describe('which values become black and white', () => {
  it('leaves the ends and what stands for nothing out', () => {
    const heights = Array.from({ length: 1000 }, (_, at) => at / 10);
    expect(findValueRange([[...heights, -9999, 8848]], -9999)).toEqual({ min: 2, max: 98 });
  });
  it('takes all bands together', () => {
    expect(findValueRange([Array(100).fill(10), Array(100).fill(20)], null)).toEqual({ min: 10, max: 20 });
  });
  it('sees little among much', () => {
    expect(findValueRange([[...Array(1000).fill(0), 7]], null)).toEqual({ min: 0, max: 7 });
  });
  it('says nothing of nothing', () => {
    expect(findValueRange([[]], null)).toBeNull();
    expect(findValueRange([[5, 5, 5]], null)).toBeNull();
    expect(findValueRange([[NaN, Infinity, -1]], -1)).toBeNull();
  });
});
