// The map engine. Created once, after the frame; pages use it through lib/mapControl.

import type Feature from 'ol/Feature';
import OlMap from 'ol/Map';
import type MapBrowserEvent from 'ol/MapBrowserEvent';
import View from 'ol/View';
import ScaleLine from 'ol/control/ScaleLine';
import { easeOut } from 'ol/easing';
import { boundingExtent, intersects } from 'ol/extent';
import { defaults as defaultInteractions } from 'ol/interaction/defaults';
import type BaseLayer from 'ol/layer/Base';
import LayerGroup from 'ol/layer/Group';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj';
import type Geometry from 'ol/geom/Geometry';
import { boxFromMap } from '../lib/boundingBox';
import { yieldToBrowser } from '../lib/scheduling';
import type { Box, MapFind, HostPoint, MapControl } from '../lib/mapControl';
import { colourTheme } from '../lib/colourTheme.svelte';
import { createWorldLayer, type WorldHooks } from './worldLayer';
import { createDensityLayer } from './densityLayer';
import { startDrawingBox } from './drawBox';
import { createHostsLayer } from './hostsLayer';
import { createFootprintLayer, boxExtent } from './footprintLayer';
import { createFindPulses } from './findPulses';

export interface EngineHooks extends WorldHooks {
  /** `home`: the user has not moved the map from its initial view yet. */
  moved(box: Box, at: { lon: number; lat: number; zoom: number }, home: boolean): void;
  pointed(at: { lon: number; lat: number; hosts: string[] } | null): void;
  clicked(hosts: HostPoint[], pixel: number[]): void;
  drawing(on: boolean): void;
  densest(max: number): void;
  /** Images or features in view are being loaded. */
  loading(on: boolean): void;
}

export interface MapEngine extends MapControl {
  zoom(by: number): void;
  /** Moves to a box that is out of view or too small to be seen. */
  reveal(box: Box): void;
  goTo(at: { lon: number; lat: number; zoom: number }): void;
  padding(left: number, right: number, bottom: number): void;
  restyle(): void;
  byFamily(on: boolean): void;
  radius(km: number): void;
  put(key: string, layer: BaseLayer): void;
  take(key: string): void;
  order(keys: string[]): void;
  opacity(key: string, value: number): void;
  base(layer: BaseLayer | null): void;
  stopDrawing(): void;
}

export async function createMapEngine(target: HTMLElement, hooks: EngineHooks, start: { lon: number; lat: number; zoom: number } | null, covered: [left: number, right: number, bottom: number]): Promise<MapEngine> {
  const world = createWorldLayer(hooks);
  await yieldToBrowser();
  const hosts = createHostsLayer();
  const heat = createDensityLayer((max) => hooks.densest(max));
  await yieldToBrowser();
  const outlines = createFootprintLayer();
  const chosen = new LayerGroup({ zIndex: 200 });
  const bases = new LayerGroup({ zIndex: 100 });
  const byKey = new Map<string, BaseLayer>();
  await yieldToBrowser();

  /** Fits the world into the uncovered part of the map. */
  const worldZoom = (left: number, right: number) => Math.max(0.9, Math.log2(Math.max(1, target.clientWidth - left - right) / 256) + 0.22);
  // Until the user moves the map, it shows the world in the space that panels leave.
  let home = start === null;
  const view = new View({
    center: fromLonLat(start ? [start.lon, start.lat] : [8, 26]),
    zoom: start?.zoom ?? worldZoom(covered[0], covered[1]),
    minZoom: 0.5,
    maxZoom: 20,
    constrainResolution: false,
    extent: [-Infinity, -20_037_508, Infinity, 20_037_508],
    constrainOnlyCenter: true,
    smoothExtentConstraint: true,
    enableRotation: false,
    padding: [0, covered[1], covered[2], covered[0]],
  });
  await yieldToBrowser();
  // The area that a link, filter or layer shows stays centred in the uncovered part while panels open, until the user
  // interacts with the page: a panel that loads after the map must not change what a link shows.
  let aim: (() => void) | null = null;
  for (const input of ['pointerdown', 'keydown', 'wheel']) addEventListener(input, () => (aim = null), { capture: true, passive: true });
  function show(what: () => void): void {
    home = false;
    aim = what;
    what();
  }
  const fitTo = (extent: number[], duration: number) => show(() => view.fit(extent, { padding: [48, 48, 48, 48], maxZoom: 14, duration, easing: easeOut }));
  const goTo = ({ lon, lat, zoom }: { lon: number; lat: number; zoom: number }) =>
    show(() => {
      view.setCenter(fromLonLat([lon, lat]));
      view.setZoom(zoom);
    });
  if (start) goTo(start);
  await yieldToBrowser();
  const map = new OlMap({
    target,
    layers: [world.layer, bases, chosen, ...outlines.layers, heat.layer, hosts.layer],
    view,
    controls: [new ScaleLine({ minWidth: 72 })],
    interactions: defaultInteractions({ altShiftDragRotate: false, pinchRotate: false }),
    maxTilesLoading: 12,
  });
  await yieldToBrowser();
  const pulse = createFindPulses(map);

  // No animation before the first image.
  let settled = false;
  const calm = () => (colourTheme.reducedMotion || !settled ? 0 : 260);
  function viewBox(): Box {
    const [w = -180, s = -85, e = 180, n = 85] = transformExtent(view.calculateExtent(), 'EPSG:3857', 'EPSG:4326');
    return boxFromMap(w, s, e, n);
  }

  let reporting: ReturnType<typeof setTimeout> | undefined;
  function reportView(): void {
    clearTimeout(reporting);
    const [lon = 0, lat = 0] = toLonLat(view.getCenter() ?? [0, 0]);
    hooks.moved(viewBox(), { lon, lat, zoom: view.getZoom() ?? 2 }, home);
  }
  map.on('moveend', () => {
    settled = true;
    reportView();
  });

  map.on('loadstart', () => hooks.loading(true));
  map.on('loadend', () => hooks.loading(false));

  map.on('pointerdrag', () => (home = false));
  target.addEventListener('wheel', () => (home = false), { passive: true });
  target.addEventListener('keydown', () => (home = false));
  target.addEventListener('dblclick', () => (home = false));

  // Look up the host under the pointer at most once per frame.
  let waiting: MapBrowserEvent | null = null;
  map.on('pointermove', (event) => {
    if (event.dragging) return;
    if (!waiting) requestAnimationFrame(look);
    waiting = event as MapBrowserEvent;
  });
  const clusterAt = (coordinate: number[]) => hosts.at(coordinate, view.getResolution() ?? 1);
  function look(): void {
    const event = waiting;
    waiting = null;
    if (!event) return;
    const cluster = clusterAt(event.coordinate);
    target.style.cursor = cluster ? 'pointer' : '';
    const [lon = 0, lat = 0] = toLonLat(event.coordinate);
    hooks.pointed({ lon, lat, hosts: cluster ? hosts.hostsOf(cluster).map((host) => host.host) : [] });
  }
  map.getViewport().addEventListener('pointerleave', () => {
    waiting = null;
    hooks.pointed(null);
  });

  map.on('singleclick', (event) => {
    // The click that completes a rectangle is not also a click on the map; reported late, when no second click can follow.
    if (drawing || performance.now() - drawnAt < 600) return;
    const cluster = clusterAt(event.coordinate);
    const members = (cluster?.get('features') as Feature<Geometry>[] | undefined) ?? [];
    if (!cluster) return hooks.clicked([], []);
    const spread = boundingExtent(members.map((one) => (one.getGeometry() as unknown as { getCoordinates(): number[] }).getCoordinates()));
    // A click on a cluster zooms in; hosts at the same location are listed.
    if (members.length > 1 && Math.max(spread[2]! - spread[0]!, spread[3]! - spread[1]!) > (view.getResolution() ?? 1) * 4 && (view.getZoom() ?? 0) < 16) {
      hooks.clicked([], []);
      home = false;
      view.fit(spread, { padding: [90, 90, 90, 90], maxZoom: 12, duration: calm(), easing: easeOut });
    } else hooks.clicked(hosts.hostsOf(cluster), event.pixel);
  });

  let drawing: { stop: (box: Box | null) => void } | null = null;
  let drawnAt = -Infinity;
  let mode: 'clusters' | 'density' = 'clusters';
  let pending: MapFind[] = [];
  function flush(): void {
    const finds = pending;
    pending = [];
    hosts.add(finds);
    if (mode === 'density') heat.show(hosts.all());
  }

  return {
    showHosts: (points) => {
      pending = [];
      hosts.show(points);
      heat.show(points);
    },
    addFinds: (finds) => {
      const placed = finds.filter((find) => Number.isFinite(find.lat) && Number.isFinite(find.lon));
      if (!placed.length) return;
      if (!colourTheme.reducedMotion && document.visibilityState === 'visible') pulse(placed);
      // Recompute clusters at most four times a second: pulses move every frame, counts need not. A timer rather than an
      // animation frame, because frames stop in a hidden tab and updates must not accumulate there.
      if (!pending.length) setTimeout(flush, document.visibilityState === 'visible' ? 250 : 1000);
      pending = pending.concat(placed);
    },
    highlightFootprint: (box) => outlines.one(box),
    showFootprints: (boxes) => outlines.many(boxes.map((one) => one.box)),
    showFilterBox: (box) => outlines.filter(box),
    drawBox: () => {
      drawing?.stop(null);
      return new Promise((resolve) => {
        const end = startDrawingBox(map, (extent) => {
          const [w = 0, s = 0, e = 0, n = 0] = transformExtent(extent, 'EPSG:3857', 'EPSG:4326');
          stop(boxFromMap(w, s, e, n));
        });
        const stop = (box: Box | null) => {
          end();
          drawing = null;
          drawnAt = performance.now();
          hooks.drawing(false);
          target.style.cursor = '';
          resolve(box);
        };
        drawing = { stop };
        target.style.cursor = 'crosshair';
        hooks.drawing(true);
      });
    },
    stopDrawing: () => drawing?.stop(null),
    currentView: viewBox,
    reveal: (box) => {
      const seen = view.calculateExtent();
      const wanted = boxExtent(box);
      const share = (wanted[2]! - wanted[0]!) / (seen[2]! - seen[0]!);
      if (share > 0.06 && intersects(seen, wanted)) return;
      fitTo(wanted, calm() * 2);
    },
    fitBox: (box) => fitTo(boxExtent(box), calm()),
    setMode: (next) => {
      mode = next;
      heat.show(hosts.all());
      heat.layer.setVisible(next === 'density');
      hosts.layer.setVisible(next === 'clusters');
    },
    zoom: (by) => {
      home = false;
      view.animate({ zoom: (view.getZoom() ?? 2) + by, duration: calm(), easing: easeOut });
    },
    goTo,
    padding: (left, right, bottom) => {
      view.padding = [0, right, bottom, left];
      if (home) {
        view.setCenter(fromLonLat([8, 26]));
        view.setZoom(worldZoom(left, right));
      } else if (aim) aim();
      else if (settled) {
        // The view stays, but the centre of the uncovered part moves. Reported once the panel has its final width, because
        // browsers limit the number of address changes per second.
        clearTimeout(reporting);
        reporting = setTimeout(reportView, 200);
      }
    },
    restyle: () => {
      world.restyle();
      hosts.restyle();
      heat.restyle();
      outlines.restyle();
    },
    byFamily: (on) => hosts.byFamily(on),
    radius: (km) => heat.radius(km),
    put: (key, layer) => {
      const before = byKey.get(key);
      if (before) chosen.getLayers().remove(before);
      byKey.set(key, layer);
      chosen.getLayers().push(layer);
    },
    take: (key) => {
      const layer = byKey.get(key);
      if (layer) chosen.getLayers().remove(layer);
      byKey.delete(key);
    },
    order: (keys) => keys.forEach((key, at) => byKey.get(key)?.setZIndex(200 + at)),
    opacity: (key, value) => byKey.get(key)?.setOpacity(value),
    base: (layer) => {
      bases.getLayers().clear();
      if (layer) bases.getLayers().push(layer);
    },
  };
}
