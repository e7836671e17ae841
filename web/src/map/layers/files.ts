// Files with features: KML, GeoJSON, TopoJSON, GPX. Read whole, so their size is bounded.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import GPX from 'ol/format/GPX';
import KML from 'ol/format/KML';
import TopoJSON from 'ol/format/TopoJSON';
import VectorLayer from 'ol/layer/Vector';
import { transformExtent } from 'ol/proj';
import VectorSource from 'ol/source/Vector';
import { t } from '../../lib/messages.svelte';
import { mostFeatures } from './inview';
import { plainStyle } from './style';
import { LayerProblem, type Drawn, type Wish } from './wish';

const mostBytes = 60 * 1024 * 1024;

export async function draw(wish: Wish): Promise<Drawn> {
  const { kind, url } = wish.record;
  if (kind === 'kmz') throw new LayerProblem(t('layer.kmz'));
  const response = await wish.ask(url);
  if (Number(response.headers.get('content-length')) > mostBytes) throw new LayerProblem(t('layer.big'));
  const text = await response.text();
  if (text.length > mostBytes) throw new LayerProblem(t('layer.big'));
  const format = kind === 'kml' ? new KML({ showPointNames: false }) : kind === 'gpx' ? new GPX() : kind === 'topojson' ? new TopoJSON() : new GeoJSON();
  let features: Feature[];
  try {
    features = format.readFeatures(text, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[];
  } catch {
    throw new LayerProblem(t('layer.unreadable'));
  }
  if (!features.length) throw new LayerProblem(t('layer.empty'));
  const source = new VectorSource({ features: features.slice(0, mostFeatures) });
  const [w = 0, s = 0, e = 0, n = 0] = transformExtent(source.getExtent() ?? [0, 0, 0, 0], 'EPSG:3857', 'EPSG:4326');
  wish.loaded();
  return {
    layer: new VectorLayer({ source, style: kind === 'kml' ? undefined : plainStyle(wish.colour) }),
    box: [w, s, e, n],
    note: features.length > mostFeatures ? t('layer.first', { n: mostFeatures }) : undefined,
  };
}
