// OGC API Features: items of a collection, page after page, only what is in view.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import { t } from '../../lib/messages.svelte';
import { featuresInView } from './inview';
import { itemsUrl } from './urls';
import { LayerProblem, type Drawn, type Wish } from './wish';

const page = 500;
const mostPages = 4;

interface Items {
  type?: string;
  links?: { rel: string; href: string; type?: string }[];
}

export async function draw(wish: Wish): Promise<Drawn> {
  const { record, layer } = wish;
  if (!layer) throw new LayerProblem(t('layer.choose'));
  const format = new GeoJSON();
  const load = async (box: [number, number, number, number]): Promise<Feature[]> => {
    const found: Feature[] = [];
    let next: string | undefined = itemsUrl(record.url, layer, box, page);
    for (let count = 0; next && count < mostPages; count++) {
      const items = (await (await wish.ask(next, 'application/geo+json, application/json')).json()) as Items;
      found.push(...(format.readFeatures(items, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[]));
      const link: string | undefined = items.links?.find((one) => one.rel === 'next')?.href;
      next = link ? new URL(link, next).href : undefined;
    }
    return found;
  };
  await wish.ask(itemsUrl(record.url, layer, null, 1), 'application/geo+json, application/json');
  return { layer: featuresInView(wish, load), note: t('layer.first', { n: page * mostPages }) };
}
