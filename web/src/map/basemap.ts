// The offline world under everything else. A worker reads and draws it; here its pictures are put where they belong,
// moved along with the map until the next one is there.

import Layer from 'ol/layer/Layer';
import type { FrameState } from 'ol/Map';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';
import { faded, token } from './colours';
import type { Frame, Look } from './paint';
import type { Answer, Order } from './world.worker';

export interface BaseWorld {
  layer: Layer;
  restyle(): void;
  /** Land for thumbnails. */
  land: Promise<string>;
}

/** Drawn around what is seen, so that a map that is being moved has no empty edge. Whole pixels of any screen. */
const margin = 64;
/** The world in web mercator metres. */
const world = 40_075_016.68557849;

const absolute = (url: string) => new URL(url, location.href).href;
const same = (one: Frame | null, other: Frame) => one !== null && (Object.keys(other) as (keyof Frame)[]).every((key) => one[key] === other[key]);

export function createWorld(): BaseWorld {
  const worker = new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' });
  const tell = (order: Order) => worker.postMessage(order);
  tell({ begin: { coarse: absolute(coarse), fine: absolute(fine), font: absolute(inter) } });

  const frame = document.createElement('div');
  frame.className = 'world';
  frame.style.cssText = 'position:absolute;inset:0;overflow:hidden;contain:strict';
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;left:0;top:0;transform-origin:0 0;visibility:hidden';
  frame.append(canvas);
  const picture = canvas.getContext('bitmaprenderer')!;

  let look = read();
  /** What should be seen, what was asked for last, and what the picture shows. */
  let now: Frame | null = null;
  let asked: Frame | null = null;
  let shown: Frame | null = null;
  let busy = false;

  function read(): Look {
    const border = token('map-border');
    return { land: token('map-land'), border, coast: faded(border, 0.55), line: token('map-line'), label: token('map-label') };
  }

  function ask(): void {
    // One at a time; but before the first, only the last that is asked for is drawn.
    if ((busy && shown) || !now || same(asked, now)) return;
    busy = true;
    asked = now;
    tell({ frame: now, look });
  }

  function place(): void {
    if (!shown || !now) return;
    const scale = shown.resolution / now.resolution;
    // The copy of the world that is nearest.
    const aside = shown.x + Math.round((now.x - shown.x) / world) * world - now.x;
    const x = now.width / 2 - margin + aside / now.resolution - (shown.width * scale) / 2;
    const y = now.height / 2 - margin + (now.y - shown.y) / now.resolution - (shown.height * scale) / 2;
    canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  const land = new Promise<string>((resolve, reject) => {
    worker.onerror = () => reject(new Error('The base map could not be drawn.'));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ('land' in data) resolve(data.land);
      else if ('failed' in data) reject(new Error(data.failed));
      else if ('finer' in data) {
        asked = null;
        ask();
      } else {
        busy = false;
        shown = data.frame;
        canvas.style.width = `${data.picture.width / shown.ratio}px`;
        canvas.style.height = `${data.picture.height / shown.ratio}px`;
        picture.transferFromImageBitmap(data.picture);
        canvas.style.visibility = '';
        place();
        ask();
      }
    };
  });

  const layer = new Layer({
    render: ({ viewState, size, pixelRatio }: FrameState) => {
      now = { x: viewState.center[0]!, y: viewState.center[1]!, resolution: viewState.resolution, width: size[0]! + 2 * margin, height: size[1]! + 2 * margin, ratio: pixelRatio };
      place();
      ask();
      return frame;
    },
  });

  return {
    layer,
    land,
    restyle: () => {
      look = read();
      asked = null;
      ask();
    },
  };
}
