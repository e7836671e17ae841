// What pages may ask of the map. The map itself loads after the frame, so calls before it is ready are kept.

import { drawn } from './scheduling';

export type Box = [west: number, south: number, east: number, north: number];

export interface HostPoint {
  host: string;
  lat: number;
  lon: number;
  count: number;
  kinds: Record<string, number>;
}

export interface Find {
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

export interface StageApi {
  /** Hosts shown as clusters; replaces what was shown. */
  showHosts(hosts: HostPoint[]): void;
  /** Adds hosts or counts of a running task without redrawing the rest. */
  addFinds(finds: Find[]): void;
  /** Lights up a footprint; null puts it out. */
  footprint(box: Box | null): void;
  /** Outlines of many footprints, for the rows in view. */
  footprints(boxes: { id: string; box: Box }[]): void;
  /** The filter rectangle, drawn as an outline. */
  filterBox(box: Box | null): void;
  /** Lets the person draw a rectangle; null when they give up (Esc). */
  drawBox(): Promise<Box | null>;
  /** What is in view now. */
  view(): Box;
  /** Moves the view to a box. */
  fit(box: Box): void;
  /** Shows services as clusters or as density. */
  mode(mode: 'clusters' | 'density'): void;
}

let engine: StageApi | null = null;
const kept = new Map<string, (engine: StageApi) => void>();
let finds: Find[] = [];
const mostFindsKept = 2000;

/** Does it now, or keeps the last one of this name until the map is there. */
function ask(name: string, act: (engine: StageApi) => void): void {
  if (engine) act(engine);
  else kept.set(name, act);
}

export const stage: StageApi = {
  showHosts: (hosts) => {
    finds = [];
    ask('hosts', (map) => map.showHosts(hosts));
  },
  addFinds: (more) => {
    if (engine) engine.addFinds(more);
    else finds = finds.concat(more).slice(-mostFindsKept);
  },
  footprint: (box) => ask('footprint', (map) => map.footprint(box)),
  footprints: (boxes) => ask('footprints', (map) => map.footprints(boxes)),
  filterBox: (box) => ask('filter', (map) => map.filterBox(box)),
  drawBox: () => new Promise((resolve) => ask('draw', (map) => void map.drawBox().then(resolve))),
  view: () => engine?.view() ?? [-180, -85, 180, 85],
  fit: (box) => ask('fit', (map) => map.fit(box)),
  mode: (mode) => ask('mode', (map) => map.mode(mode)),
};

/** The map is there: it gets what was asked before, one wish a frame, because each is work of its own. */
export async function setStage(ready: StageApi | null): Promise<void> {
  engine = null;
  if (ready) {
    for (let next = kept.entries().next(); !next.done; next = kept.entries().next()) {
      const [name, act] = next.value;
      kept.delete(name);
      act(ready);
      await drawn();
    }
    if (finds.length) ready.addFinds(finds);
    finds = [];
  }
  engine = ready;
}
