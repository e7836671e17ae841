// Operations that pages can request of the map. The map loads after the frame, so earlier calls are queued.

import { nextPaint } from './scheduling';

export type Box = [west: number, south: number, east: number, north: number];

export interface HostPoint {
  host: string;
  lat: number;
  lon: number;
  count: number;
  kinds: Record<string, number>;
}

export interface MapFind {
  id: string;
  /** Name of the host that serves it. */
  host: string;
  kind: string;
  title: string | null;
  lat: number;
  lon: number;
  /** Location of the host of the linking page, for the arc. */
  from?: { lat: number; lon: number };
}

export interface MapControl {
  /** Shows hosts as clusters; replaces those shown before. */
  showHosts(hosts: HostPoint[]): void;
  /** Adds finds of a running task without redrawing the rest. */
  addFinds(finds: MapFind[]): void;
  /** Highlights a footprint; null removes the highlight. */
  highlightFootprint(box: Box | null): void;
  /** Outlines the footprints of the visible rows. */
  showFootprints(boxes: { id: string; box: Box }[]): void;
  /** Outlines the area filter; null removes it. */
  showFilterBox(box: Box | null): void;
  /** Lets the user draw a rectangle; resolves to null when they cancel (Esc). */
  drawBox(): Promise<Box | null>;
  /** Returns the current view. */
  currentView(): Box;
  /** Moves the view to a box. */
  fitBox(box: Box): void;
  /** Shows services as clusters or as density. */
  setMode(mode: 'clusters' | 'density'): void;
}

let engine: MapControl | null = null;
const kept = new Map<string, (engine: MapControl) => void>();
let finds: MapFind[] = [];
const mostFindsKept = 2000;

/** Runs the call now, or keeps the last call of this name until the map is ready. */
function callOrQueue(name: string, act: (engine: MapControl) => void): void {
  if (engine) act(engine);
  else kept.set(name, act);
}

export const mapControl: MapControl = {
  showHosts: (hosts) => {
    finds = [];
    callOrQueue('hosts', (map) => map.showHosts(hosts));
  },
  addFinds: (more) => {
    if (engine) engine.addFinds(more);
    else finds = finds.concat(more).slice(-mostFindsKept);
  },
  highlightFootprint: (box) => callOrQueue('footprint', (map) => map.highlightFootprint(box)),
  showFootprints: (boxes) => callOrQueue('footprints', (map) => map.showFootprints(boxes)),
  showFilterBox: (box) => callOrQueue('filter', (map) => map.showFilterBox(box)),
  drawBox: () => new Promise((resolve) => callOrQueue('draw', (map) => void map.drawBox().then(resolve))),
  currentView: () => engine?.currentView() ?? [-180, -85, 180, 85],
  fitBox: (box) => callOrQueue('fit', (map) => map.fitBox(box)),
  setMode: (mode) => callOrQueue('mode', (map) => map.setMode(mode)),
};

/** Connects the map and replays queued calls, one per frame because each is expensive. */
export async function connectMap(ready: MapControl | null): Promise<void> {
  engine = null;
  if (ready) {
    for (let next = kept.entries().next(); !next.done; next = kept.entries().next()) {
      const [name, act] = next.value;
      kept.delete(name);
      act(ready);
      await nextPaint();
    }
    if (finds.length) ready.addFinds(finds);
    finds = [];
  }
  engine = ready;
}
