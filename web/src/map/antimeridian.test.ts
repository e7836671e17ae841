import { describe, expect, it } from 'vitest';
import { cutAtAntimeridian, unrollPolygons, unrollRing } from './antimeridian';

describe('shapes over the antimeridian', () => {
  it('lays a ring out beyond 180 and draws it on both sides', () => {
    const ring = [[170, 60], [-170, 60], [-170, 70], [170, 70], [170, 60]];
    expect(unrollRing(ring)).toEqual([[170, 60], [190, 60], [190, 70], [170, 70], [170, 60]]);
    expect(unrollPolygons([[ring]]).map((polygon) => polygon[0]![0])).toEqual([[170, 60], [-190, 60]]);
  });
  it('closes a ring around the pole along it', () => {
    const ring = [[-180, -80], [-90, -70], [0, -75], [90, -70], [179, -80], [-180, -80]];
    const laid = unrollRing(ring);
    expect(laid.slice(-3)).toEqual([[180, -90], [-180, -90], [-180, -80]]);
  });
  it('leaves others as they are and cuts lines', () => {
    const ring = [[0, 0], [1, 0], [1, 1], [0, 0]];
    expect(unrollPolygons([[ring]])).toEqual([[ring]]);
    expect(cutAtAntimeridian([[[179, 0], [180, 1], [-180, 1], [-179, 2]]])).toEqual([[[179, 0], [180, 1]], [[-180, 1], [-179, 2]]]);
  });
});
