// The offline world under everything else. A worker reads and draws it; here its pictures are put where they belong,
// moved along with the map until the next one is there.

import Layer from 'ol/layer/Layer';
import type { FrameState } from 'ol/Map';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';
import { withAlpha, resolveToken } from './colours';
import type { MapFrame, WorldColours } from './paintWorld';
import type { WorldWorkerResponse, WorldWorkerRequest } from './world.worker';

export interface WorldLayer {
  layer: Layer;
  restyle(): void;
}

export interface WorldHooks {
  /** It is there; with the land for thumbnails. */
  land(path: string): void;
  /** The world in view is not drawn yet, or not as finely as it will be. */
  painting(on: boolean): void;
  /** It did not come. It is tried again by itself; `land` tells when that has helped. */
  failed(): void;
}

/** How long until it is tried again, in milliseconds: twice as long each time, a minute at most. */
const retryDelay = { first: 1000, last: 60_000 };

/** Drawn around what is seen, so that a map that is being moved has no empty edge. Whole pixels of any screen. */
const margin = 64;
/** The world in web mercator metres. */
const world = 40_075_016.68557849;

const absolute = (url: string) => new URL(url, location.href).href;
const same = (one: MapFrame | null, other: MapFrame) => one !== null && (Object.keys(other) as (keyof MapFrame)[]).every((key) => one[key] === other[key]);

export function createWorldLayer(hooks: WorldHooks): WorldLayer {
  const frame = document.createElement('div');
  frame.className = 'world';
  frame.style.cssText = 'position:absolute;inset:0;overflow:hidden;contain:strict';
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;left:0;top:0;transform-origin:0 0;visibility:hidden';
  frame.append(canvas);
  const picture = canvas.getContext('bitmaprenderer')!;

  let look = read();
  /** What should be seen, what was asked for last, and what the picture shows. */
  let now: MapFrame | null = null;
  let asked: MapFrame | null = null;
  let shown: MapFrame | null = null;
  let busy = false;
  /** Finer data than what is shown is on its way. */
  let coming = false;
  let worker = begin(retryDelay.first);

  /** Puts a worker to work, and another in its place if it cannot: the server may be away just now. */
  function begin(wait: number): Worker {
    const one = new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' });
    const failed = () => {
      one.terminate();
      one.onerror = one.onmessage = null;
      hooks.failed();
      setTimeout(() => {
        worker = begin(Math.min(wait * 2, retryDelay.last));
        busy = false;
        asked = null;
        ask();
      }, wait);
    };
    one.onerror = failed;
    one.onmessage = ({ data }: MessageEvent<WorldWorkerResponse>) => {
      if ('land' in data) hooks.land(data.land);
      else if ('failed' in data) failed();
      else if ('finer' in data) {
        coming = false;
        if (data.finer) asked = null;
        ask();
        report();
      } else {
        coming = data.coming;
        show(data.picture, data.frame);
        report();
      }
    };
    const order: WorldWorkerRequest = { begin: { coarse: absolute(coarse), fine: absolute(fine), font: absolute(inter) } };
    one.postMessage(order);
    return one;
  }

  function read(): WorldColours {
    const border = resolveToken('map-border');
    return { land: resolveToken('map-land'), border, coast: withAlpha(border, 0.55), line: resolveToken('map-line'), label: resolveToken('map-label') };
  }

  function ask(): void {
    // One at a time; but before the first, only the last that is asked for is drawn.
    if ((busy && shown) || !now || same(asked, now)) return;
    busy = true;
    asked = now;
    const order: WorldWorkerRequest = { frame: now, look };
    worker.postMessage(order);
    report();
  }

  function report(): void {
    hooks.painting(busy || coming);
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

  function show(drawn: ImageBitmap, of: MapFrame): void {
    busy = false;
    shown = of;
    canvas.style.width = `${drawn.width / shown.ratio}px`;
    canvas.style.height = `${drawn.height / shown.ratio}px`;
    picture.transferFromImageBitmap(drawn);
    canvas.style.visibility = '';
    place();
    ask();
  }

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
    restyle: () => {
      look = read();
      asked = null;
      ask();
    },
  };
}
