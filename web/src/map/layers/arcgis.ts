// ArcGIS: maps and images as images, feature layers as features, vector tiles as tiles.

import type Feature from 'ol/Feature';
import EsriJSON from 'ol/format/EsriJSON';
import ImageLayer from 'ol/layer/Image';
import ImageArcGISRest from 'ol/source/ImageArcGISRest';
import { t } from '../../lib/messages.svelte';
import { createViewLayer } from './featuresInView';
import { createTileLayer } from './tiles';
import { splitArcgisUrl, arcgisQueryUrl, appendPath, setParams } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';

const page = 1000;

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { service, layer } = splitArcgisUrl(request.record.url);
  const id = /(\d+)$/.exec(request.layer)?.[1] ?? layer;
  if (request.record.kind === 'arcgis-featureserver') return features(request, service, id ?? '0');
  if (request.record.kind === 'arcgis-vectortileserver') {
    const about = await askArcgis<{ tiles?: string[]; maxzoom?: number }>(request, setParams(service, { f: 'json' }));
    return { layer: createTileLayer(request, { template: appendPath(service, about.tiles?.[0] ?? 'tile/{z}/{y}/{x}.pbf'), flip: false }, { maxzoom: about.maxzoom }, true) };
  }
  const isMap = request.record.kind === 'arcgis-mapserver';
  const source = new ImageArcGISRest({
    url: service,
    ratio: 1.2,
    params: isMap && id !== null ? { LAYERS: `show:${id}` } : {},
    crossOrigin: null,
    imageLoadFunction: (image, url) => {
      const element = image.getImage() as HTMLImageElement;
      element.onerror = () => request.imageFailed(url);
      element.src = request.routeUrl(url);
    },
  });
  source.on('imageloadstart', () => request.loadStarted());
  source.on('imageloadend', () => request.loadFinished());
  source.on('imageloaderror', () => request.imageFailed(service));
  return { layer: new ImageLayer({ source }) };
}

/** Parses a response. ArcGIS reports errors with status 200. */
async function askArcgis<T>(request: LayerRequest, url: string): Promise<T> {
  const answer = (await (await request.fetch(url, 'application/json')).json()) as T & { error?: { message?: string; code?: number } };
  if (answer.error) throw new LayerError(t('layer.said', { words: answer.error.message || String(answer.error.code ?? '') }));
  return answer;
}

async function features(request: LayerRequest, service: string, id: string): Promise<DrawnLayer> {
  const format = new EsriJSON();
  await askArcgis(request, setParams(appendPath(service, id), { f: 'json' }));
  const load = async (box: [number, number, number, number]): Promise<Feature[]> => {
    const found: Feature[] = [];
    for (let at = 0; at < 3; at++) {
      const answer = await askArcgis<{ features?: unknown[]; exceededTransferLimit?: boolean }>(request, arcgisQueryUrl(service, id, box, page, found.length));
      found.push(...(format.readFeatures(answer, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[]));
      if (!answer.exceededTransferLimit || !answer.features?.length) break;
    }
    return found;
  };
  return { layer: createViewLayer(request, load), note: t('layer.first', { n: page * 3 }) };
}
