// The density surface as a map layer.

import ImageLayer from 'ol/layer/Image';
import { fromLonLat } from 'ol/proj';
import ImageCanvasSource from 'ol/source/ImageCanvas';
import type { HostPoint } from '../lib/mapControl';
import { colourChannels, resolveToken } from './colours';
import { computeDensity, paperRadius, type WeightedPoint } from './densityKernel';

export interface DensityLayer {
  layer: ImageLayer<ImageCanvasSource>;
  show(hosts: HostPoint[]): void;
  radius(km: number): void;
  restyle(): void;
}

const cell = 4;

export function createDensityLayer(told: (max: number) => void): DensityLayer {
  let points: WeightedPoint[] = [];
  let radius = paperRadius;
  let ramp: [number, number, number][] = [];

  const source = new ImageCanvasSource({
    ratio: 1,
    canvasFunction: (extent, _resolution, ratio, size) => {
      const width = Math.max(1, Math.round(size[0]! / ratio / cell));
      const height = Math.max(1, Math.round(size[1]! / ratio / cell));
      const grid = computeDensity(points, extent, width, height, radius);
      const small = document.createElement('canvas');
      small.width = width;
      small.height = height;
      const pixels = new ImageData(width, height);
      for (let at = 0; at < grid.values.length; at++) {
        const value = grid.values[at]!;
        if (value <= 0) continue;
        // The square root keeps areas with few services visible next to those with many.
        const share = Math.sqrt(value / grid.max);
        const place = Math.min(2.999, share * 3);
        const [from, to] = [ramp[Math.floor(place)]!, ramp[Math.floor(place) + 1]!];
        const part = place % 1;
        for (let channel = 0; channel < 3; channel++) pixels.data[at * 4 + channel] = from[channel]! + (to[channel]! - from[channel]!) * part;
        pixels.data[at * 4 + 3] = 255 * Math.min(0.88, 0.15 + share * 1.6) * Math.min(1, share * 8);
      }
      small.getContext('2d')!.putImageData(pixels, 0, 0);
      const canvas = document.createElement('canvas');
      canvas.width = size[0]!;
      canvas.height = size[1]!;
      const context = canvas.getContext('2d')!;
      context.imageSmoothingQuality = 'high';
      context.drawImage(small, 0, 0, canvas.width, canvas.height);
      told(grid.max);
      return canvas;
    },
  });
  const layer = new ImageLayer({ source, visible: false, zIndex: 400 });

  function restyle(): void {
    ramp = [0, 1, 2, 3].map((step) => colourChannels(resolveToken(`heat-${step}`)));
    source.changed();
  }
  restyle();
  return {
    layer,
    restyle,
    show: (hosts) => {
      points = hosts.map(({ lon, lat, count }) => {
        const [x = 0, y = 0] = fromLonLat([lon, lat]);
        return { x, y, lat, count };
      });
      source.changed();
    },
    radius: (km) => {
      radius = km;
      source.changed();
    },
  };
}
