// What pages may ask of the map. The map itself loads after the frame, so calls before it is ready are kept.

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
  /** Name of the host where it stands. */
  host: string;
  kind: string;
  title: string | null;
  lat: number;
  lon: number;
  /** Host of the page that linked it, for the arc. */
  from?: { lat: number; lon: number };
}

export interface MapControl {
  /** Hosts shown as clusters; replaces what was shown. */
  showHosts(hosts: HostPoint[]): void;
  /** Adds hosts or counts of a running task without redrawing the rest. */
  addFinds(finds: MapFind[]): void;
  /** Lights up a footprint; null puts it out. */
  highlightFootprint(box: Box | null): void;
  /** Outlines of many footprints, for the rows in view. */
  showFootprints(boxes: { id: string; box: Box }[]): void;
  /** The filter rectangle, drawn as an outline. */
  showFilterBox(box: Box | null): void;
  /** Lets the person draw a rectangle; null when they give up (Esc). */
  drawBox(): Promise<Box | null>;
  /** What is in view now. */
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

/** Does it now, or keeps the last one of this name until the map is there. */
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

/** The map is there: it gets what was asked before, one wish a frame, because each is work of its own. */
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
