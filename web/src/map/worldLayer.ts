// The offline world map below all layers. A worker parses and draws it; its images are positioned here and moved with
// the map until the next one arrives.

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
  /** Called when the world data is loaded, with the land for thumbnails. */
  land(path: string): void;
  /** Called when drawing of the visible part starts or ends. */
  painting(on: boolean): void;
  /** Called when loading failed. It is retried automatically; `land` is called when that succeeds. */
  failed(): void;
}

/** Delay before a retry, in milliseconds: doubles each time, at most one minute. */
const retryDelay = { first: 1000, last: 60_000 };

/** Margin around the view, so that a moving map has no empty edge. Whole pixels at any pixel ratio. */
const margin = 64;
/** Width of the world in Web Mercator metres. */
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
  /** The current view, the view requested last, and the view of the image shown. */
  let now: MapFrame | null = null;
  let asked: MapFrame | null = null;
  let shown: MapFrame | null = null;
  let busy = false;
  /** Finer data than shown is being loaded. */
  let coming = false;
  let worker = begin(retryDelay.first);

  /** Starts a worker; replaces it if it fails, because the server may be temporarily unavailable. */
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
    // One request at a time; before the first image, only the latest view is drawn.
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
    // Use the nearest copy of the world.
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
