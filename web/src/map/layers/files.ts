// Files with features: KML, also zipped, GeoJSON, TopoJSON, GPX. Read whole, so their size is bounded.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import GPX from 'ol/format/GPX';
import TopoJSON from 'ol/format/TopoJSON';
import VectorLayer from 'ol/layer/Vector';
import { get as getProjection, transformExtent } from 'ol/proj';
import VectorSource from 'ol/source/Vector';
import { t } from '../../lib/messages.svelte';
import { mostFeatures } from './featuresInView';
import { plainStyle } from './featureStyle';
import { crsCode } from './requestUrls';
import { LayerProblem, type Drawn, type Wish } from './layerRequest';
import { xmlText } from './xmlText';

const mostBytes = 60 * 1024 * 1024;
const into = 'EPSG:3857';

export async function draw(wish: Wish): Promise<Drawn> {
  const { kind, url } = wish.record;
  const response = await wish.ask(url);
  if (Number(response.headers.get('content-length')) > mostBytes) throw new LayerProblem(t('layer.big'));
  const styled = kind === 'kml' || kind === 'kmz';
  const read = styled ? (await import('./kml')).readKml(wish, url, response, mostBytes) : kind === 'gpx' ? readGpx(response) : readJson(response, kind);
  const all = await read.catch((problem: unknown) => {
    throw problem instanceof LayerProblem ? problem : new LayerProblem(t('layer.unreadable'));
  });
  const features = all.filter((feature) => feature.getGeometry());
  if (!features.length) throw new LayerProblem(t('layer.empty'));
  const source = new VectorSource({ features: features.slice(0, mostFeatures) });
  const [w = 0, s = 0, e = 0, n = 0] = transformExtent(source.getExtent() ?? [0, 0, 0, 0], into, 'EPSG:4326');
  wish.loaded();
  return {
    layer: new VectorLayer({ source, style: styled ? undefined : plainStyle(wish.colour) }),
    box: [w, s, e, n],
    note: features.length > mostFeatures ? t('layer.first', { n: mostFeatures }) : undefined,
  };
}

async function readGpx(response: Response): Promise<Feature[]> {
  return new GPX().readFeatures(await xmlText(response), { dataProjection: 'EPSG:4326', featureProjection: into }) as Feature[];
}

async function readJson(response: Response, kind: string): Promise<Feature[]> {
  const text = await response.text();
  if (text.length > mostBytes) throw new LayerProblem(t('layer.big'));
  const value = JSON.parse(text) as { crs?: { properties?: { name?: unknown } } };
  // Files from before 2016 may be in any system, and say so; degrees east and north otherwise.
  const named = value.crs?.properties?.name;
  const dataProjection = typeof named === 'string' ? crsCode(named) : 'EPSG:4326';
  if (!getProjection(dataProjection)) (await import('./crs')).projection(dataProjection);
  return (kind === 'topojson' ? new TopoJSON() : new GeoJSON()).readFeatures(value, { dataProjection, featureProjection: into }) as Feature[];
}
