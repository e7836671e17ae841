// Feature files: KML and KMZ, GeoJSON, TopoJSON, GPX. Loaded completely, so their size is limited.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import GPX from 'ol/format/GPX';
import TopoJSON from 'ol/format/TopoJSON';
import VectorLayer from 'ol/layer/Vector';
import { get as getProjection, transformExtent } from 'ol/proj';
import VectorSource from 'ol/source/Vector';
import { t } from '../../lib/messages.svelte';
import { maxFeatures } from './featuresInView';
import { plainStyle } from './featureStyle';
import { normalizeCrs } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';
import { readXmlText } from './xmlText';

const mostBytes = 60 * 1024 * 1024;
const into = 'EPSG:3857';

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { kind, url } = request.record;
  const response = await request.fetch(url);
  if (Number(response.headers.get('content-length')) > mostBytes) throw new LayerError(t('layer.big'));
  const styled = kind === 'kml' || kind === 'kmz';
  const read = styled ? (await import('./kml')).readKml(request, url, response, mostBytes) : kind === 'gpx' ? readGpx(response) : readJson(response, kind);
  const all = await read.catch((problem: unknown) => {
    throw problem instanceof LayerError ? problem : new LayerError(t('layer.unreadable'));
  });
  const features = all.filter((feature) => feature.getGeometry());
  if (!features.length) throw new LayerError(t('layer.empty'));
  const source = new VectorSource({ features: features.slice(0, maxFeatures) });
  const [w = 0, s = 0, e = 0, n = 0] = transformExtent(source.getExtent() ?? [0, 0, 0, 0], into, 'EPSG:4326');
  request.loadFinished();
  return {
    layer: new VectorLayer({ source, style: styled ? undefined : plainStyle(request.colour) }),
    box: [w, s, e, n],
    note: features.length > maxFeatures ? t('layer.first', { n: maxFeatures }) : undefined,
  };
}

async function readGpx(response: Response): Promise<Feature[]> {
  return new GPX().readFeatures(await readXmlText(response), { dataProjection: 'EPSG:4326', featureProjection: into }) as Feature[];
}

async function readJson(response: Response, kind: string): Promise<Feature[]> {
  const text = await response.text();
  if (text.length > mostBytes) throw new LayerError(t('layer.big'));
  const value = JSON.parse(text) as { crs?: { properties?: { name?: unknown } } };
  // GeoJSON before 2016 may use any system and names it; otherwise it is WGS 84.
  const named = value.crs?.properties?.name;
  const dataProjection = typeof named === 'string' ? normalizeCrs(named) : 'EPSG:4326';
  if (!getProjection(dataProjection)) (await import('./crs')).findProjection(dataProjection);
  return (kind === 'topojson' ? new TopoJSON() : new GeoJSON()).readFeatures(value, { dataProjection, featureProjection: into }) as Feature[];
}
