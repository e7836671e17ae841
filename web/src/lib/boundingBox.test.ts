import { describe, expect, it } from 'vitest';
import { boxContains, crossesAntimeridian, formatBox, boxFromMap, isWorldBox, parseBox, splitAtAntimeridian, unrollBox, isUsableBox, boxWidth, wrapLongitude } from './boundingBox';

describe('boxes', () => {
  it('reads and writes w,s,e,n', () => {
    expect(parseBox('5.9,47.2,15.1,55.1')).toEqual([5.9, 47.2, 15.1, 55.1]);
    expect(parseBox(' 5.9; 47.2 15.1,55.1 ')).toEqual([5.9, 47.2, 15.1, 55.1]);
    expect(formatBox([5.91234567, 47.2, 15.1, 55.1])).toBe('5.91,47.2,15.1,55.1');
    for (const wrong of ['', null, '1,2,3', '1,60,3,50', '1,2,3,95', 'a,b,c,d', 'NaN,1,2,3', '1,2,3,Infinity']) expect(parseBox(wrong)).toBeNull();
  });
  it('keeps boxes that cross the antimeridian', () => {
    const fiji = parseBox('165,-48,-175,-33')!;
    expect(crossesAntimeridian(fiji)).toBe(true);
    expect(boxWidth(fiji)).toBe(20);
    expect(splitAtAntimeridian(fiji)).toEqual([
      [165, -48, 180, -33],
      [-180, -48, -175, -33],
    ]);
    expect(unrollBox(fiji)).toEqual([165, -48, 185, -33]);
    expect(boxContains(fiji, 179, -40)).toBe(true);
    expect(boxContains(fiji, -179, -40)).toBe(true);
    expect(boxContains(fiji, 181, -40)).toBe(true);
    expect(boxContains(fiji, 0, -40)).toBe(false);
  });
  it('takes views of copied worlds back', () => {
    expect(boxFromMap(170, -10, 200, 10)).toEqual([170, -10, -160, 10]);
    expect(boxFromMap(-200, -10, -190, 10)).toEqual([160, -10, 170, 10]);
    expect(boxFromMap(-400, -99, 400, 99)).toEqual([-180, -90, 180, 90]);
    expect([wrapLongitude(180), wrapLongitude(540), wrapLongitude(-180), wrapLongitude(190)]).toEqual([180, 180, -180, -170]);
  });
  it('knows boxes that say nothing', () => {
    expect(isUsableBox([0, 0, Number.NaN, 1])).toBe(false);
    expect(isUsableBox([0, 5, 1, 1])).toBe(false);
    expect(isUsableBox(undefined)).toBe(false);
    expect(isWorldBox([-180, -90, 180, 90])).toBe(true);
    expect(isWorldBox([165, -48, -175, -33])).toBe(false);
  });
});
