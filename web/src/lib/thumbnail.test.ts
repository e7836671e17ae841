import { describe, expect, it } from 'vitest';
import { landPath, frameThumbnail } from './thumbnail';

const view = (box: number[]) => frameThumbnail(box)!.view.split(' ').map(Number);

describe('thumbnails', () => {
  it('frames a small place with what is around it', () => {
    const [x = 0, y = 0, w = 0, h = 0] = view([16.1, 48.1, 16.6, 48.35]);
    expect(w).toBe(36);
    expect(h).toBe(27);
    expect(x).toBeCloseTo(16.35 - 18, 1);
    expect(y).toBeCloseTo(-48.22 - 13.5, 1);
    expect(frameThumbnail([16.1, 48.1, 16.6, 48.35])!.width).toBeGreaterThan(0.5);
  });
  it('keeps the poles and the whole world inside', () => {
    const [, y = 0, , h = 0] = view([-180, 60, 180, 90]);
    expect(y).toBeGreaterThanOrEqual(-90);
    expect(y + h).toBeLessThanOrEqual(90);
    expect(view([-180, -90, 180, 90])[3]).toBe(180);
  });
  it('draws a box over the antimeridian in one piece', () => {
    const picture = frameThumbnail([165, -48, -175, -33])!;
    expect(picture.x).toBe(165);
    expect(picture.width).toBe(20);
  });
  it('has nothing to draw for what is no box', () => {
    expect(frameThumbnail(null)).toBeNull();
    expect(frameThumbnail([0, 0, Infinity, 1])).toBeNull();
  });
  it('writes land as a coarse path, north up', () => {
    const ring = [[0, 0], [10, 0], [10.1, 0.1], [10, 10], [0, 10], [0, 0]];
    expect(landPath([[ring]])).toBe('M0.0 0.0L10.0 0.0L10.0 -10.0L0.0 -10.0L0.0 0.0Z'.replaceAll('-0.0', '0.0'));
  });
});
