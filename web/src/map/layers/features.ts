// OGC API Features: items of a collection in view, page by page.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import { t } from '../../lib/messages.svelte';
import { createViewLayer } from './featuresInView';
import { itemsUrl } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';

const page = 500;
const mostPages = 4;

interface Items {
  type?: string;
  features?: unknown[];
  links?: { rel: string; href: string }[];
}

const accept = 'application/geo+json, application/json;q=0.5';

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { record, layer } = request;
  if (!layer) throw new LayerError(t('layer.choose'));
  const reader = new GeoJSON();
  const read = async (url: string) => (await (await request.fetch(url, accept)).json().catch(() => ({}))) as Items;
  const format = await formatOf(read, (named) => itemsUrl(record.url, layer, null, 1, named));
  const load = async (box: [number, number, number, number]): Promise<Feature[]> => {
    const found: Feature[] = [];
    let next: string | undefined = itemsUrl(record.url, layer, box, page, format);
    for (let count = 0; next && count < mostPages; count++) {
      const items = await read(next);
      found.push(...(reader.readFeatures(items, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[]));
      const link: string | undefined = items.links?.find((one) => one.rel === 'next')?.href;
      next = link ? new URL(link, next).href : undefined;
    }
    return found;
  };
  return { layer: createViewLayer(request, load), note: t('layer.first', { n: page * mostPages }) };
}

/** Returns how to request GeoJSON: by header, as the standard says, or by a common format parameter. */
async function formatOf(read: (url: string) => Promise<Items>, url: (format: string | null) => string): Promise<string | null> {
  let problem: unknown = null;
  for (const format of [null, 'json', 'geojson']) {
    try {
      if ((await read(url(format))).type === 'FeatureCollection') return format;
    } catch (error) {
      if (error instanceof LayerError && error.blocked) throw error;
      problem ??= error;
    }
  }
  throw problem ?? new LayerError(t('layer.unreadable'));
}
