// What pages may ask of the map. The map itself loads after the frame, so calls before it is ready are kept.

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

export const stage: StageApi = {
  showHosts() {},
  addFinds() {},
  footprint() {},
  footprints() {},
  filterBox() {},
  drawBox: async () => null,
  view: () => [-180, -90, 180, 90],
  fit() {},
  mode() {},
};
