// Hosts as clusters with counts; optionally with a ring that shows the families of their services.

import Feature from 'ol/Feature';
import Point from 'ol/geom/Point';
import VectorLayer from 'ol/layer/Vector';
import { fromLonLat } from 'ol/proj';
import type { State } from 'ol/render';
import Cluster from 'ol/source/Cluster';
import VectorSource from 'ol/source/Vector';
import Style from 'ol/style/Style';
import { families, familyOf, type Family } from '../lib/kinds.svelte';
import { formatNumber } from '../lib/messages.svelte';
import type { MapFind, HostPoint } from '../lib/mapControl';
import { resolveToken } from './colours';

export interface HostsLayer {
  layer: VectorLayer;
  show(hosts: HostPoint[]): void;
  add(finds: MapFind[]): void;
  all(): HostPoint[];
  byFamily(on: boolean): void;
  restyle(): void;
  /** Returns the cluster drawn at a map position, if any. */
  at(coordinate: number[], resolution: number): Feature | null;
  /** Returns the hosts of a cluster. */
  hostsOf(cluster: Feature): HostPoint[];
}

/** Half the width of the world in Web Mercator metres. */
const half = 20_037_508.342789244;

const short = (count: number) => (count < 1000 ? String(count) : count < 10_000 ? `${formatNumber(count / 1000, 1)}k` : `${Math.round(count / 1000)}k`);

const totalOf = (hosts: HostPoint[]) => hosts.reduce((sum, host) => sum + host.count, 0);
const sizeOf = (total: number) => Math.min(26, 8 + Math.log2(total + 1) * 1.9);

const letters = (pixels: number) => `600 ${pixels}px 'Inter Variable', system-ui, sans-serif`;

export function createHostsLayer(): HostsLayer {
  const source = new VectorSource<Feature<Point>>();
  const cluster = new Cluster({ source, distance: 46, minDistance: 26 });
  const byPlace = new Map<string, Feature<Point>>();
  let colours = read();
  let rings = false;

  function read(): Record<Family | 'accent' | 'ink' | 'paper', string> {
    const tokens = Object.fromEntries(families.map((family) => [family, resolveToken(`family-${family}`)]));
    return { ...tokens, accent: resolveToken('accent'), ink: resolveToken('accent-ink'), paper: resolveToken('paper') } as Record<Family | 'accent' | 'ink' | 'paper', string>;
  }
  const hostsOf = (feature: Feature) => ((feature.get('features') as Feature[] | undefined) ?? []).map((one) => one.get('host') as HostPoint);

  function shares(hosts: HostPoint[]): [Family, number][] {
    const sums = new Map<Family, number>();
    for (const host of hosts) for (const [kind, count] of Object.entries(host.kinds)) sums.set(familyOf(kind), (sums.get(familyOf(kind)) ?? 0) + count);
    return [...sums].sort((a, b) => b[1] - a[1]);
  }

  const style = new Style({
    renderer: (at, state: State) => {
      const feature = state.feature as Feature;
      const hosts = hostsOf(feature);
      const total = totalOf(hosts);
      const { context, pixelRatio } = state;
      const [x = 0, y = 0] = at as number[];
      const radius = sizeOf(total) * pixelRatio;
      context.save();
      context.beginPath();
      context.arc(x, y, radius + 2 * pixelRatio, 0, 7);
      context.fillStyle = colours.paper;
      context.globalAlpha = 0.9;
      context.fill();
      context.globalAlpha = 1;
      context.beginPath();
      context.arc(x, y, radius, 0, 7);
      context.fillStyle = rings ? colours.paper : colours.accent;
      context.fill();
      if (rings) {
        const parts = shares(hosts);
        const sum = parts.reduce((all, [, count]) => all + count, 0) || 1;
        let from = -Math.PI / 2;
        context.lineWidth = Math.max(4, radius * 0.3);
        for (const [family, count] of parts) {
          const to = from + (count / sum) * Math.PI * 2;
          context.beginPath();
          context.arc(x, y, radius - context.lineWidth / 2, from, to);
          context.strokeStyle = colours[family];
          context.stroke();
          from = to;
        }
      }
      context.fillStyle = rings ? resolveToken('ink') : colours.ink;
      context.font = letters((total > 999 ? 10 : 11) * pixelRatio);
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(short(total), x, y + 0.5 * pixelRatio);
      context.restore();
    },
    hitDetectionRenderer: () => {},
  });
  const layer = new VectorLayer({ source: cluster, style, zIndex: 500, updateWhileAnimating: true, updateWhileInteracting: true });

  // Text on a canvas is not redrawn by itself when its font loads later.
  void document.fonts.load(letters(11)).then(() => layer.changed(), () => {});

  const placeOf = (lat: number, lon: number, host: string) => `${lat.toFixed(3)},${lon.toFixed(3)},${host}`;
  function make(host: HostPoint): Feature<Point> {
    const feature = new Feature({ geometry: new Point(fromLonLat([host.lon, host.lat])), host });
    byPlace.set(placeOf(host.lat, host.lon, host.host), feature);
    return feature;
  }

  return {
    layer,
    hostsOf,
    // Compare distances: cheaper than reading back pixels, and works in every copy of the world.
    at: (coordinate, resolution) => {
      if (!layer.getVisible()) return null;
      const x = (((coordinate[0]! + half) % (2 * half)) + 2 * half) % (2 * half) - half;
      const found = cluster.getClosestFeatureToCoordinate([x, coordinate[1]!]);
      const [fx = Infinity, fy = Infinity] = found?.getGeometry() ? (found.getGeometry() as Point).getCoordinates() : [];
      return found && Math.hypot(fx - x, fy - coordinate[1]!) <= (sizeOf(totalOf(hostsOf(found))) + 4) * resolution ? found : null;
    },
    show: (hosts) => {
      byPlace.clear();
      source.clear(true);
      source.addFeatures(hosts.filter((host) => Number.isFinite(host.lat) && Number.isFinite(host.lon)).map(make));
    },
    add: (finds) => {
      const fresh: Feature<Point>[] = [];
      for (const find of finds) {
        const key = placeOf(find.lat, find.lon, find.host);
        const known = byPlace.get(key);
        if (known) {
          const host = known.get('host') as HostPoint;
          const kinds = { ...host.kinds, [find.kind]: (host.kinds[find.kind] ?? 0) + 1 };
          known.set('host', { ...host, count: host.count + 1, kinds }, true);
        } else fresh.push(make({ host: find.host, lat: find.lat, lon: find.lon, count: 1, kinds: { [find.kind]: 1 } }));
      }
      if (fresh.length) source.addFeatures(fresh);
      else layer.changed();
    },
    all: () => source.getFeatures().map((feature) => feature.get('host') as HostPoint),
    byFamily: (on) => {
      rings = on;
      layer.changed();
    },
    restyle: () => {
      colours = read();
      layer.changed();
    },
  };
}
