// Cloud-optimised GeoTIFF: only the parts in view are fetched, by ranges.

import WebGLTileLayer from 'ol/layer/WebGLTile';
import { transformExtent } from 'ol/proj';
import GeoTIFF from 'ol/source/GeoTIFF';
import './crs';
import { t } from '../../lib/messages.svelte';
import { LayerProblem, whole, type Drawn, type Wish } from './wish';

export async function draw(wish: Wish): Promise<Drawn> {
  // Asked first, so that a refusal has words.
  await wish.ask(wish.record.url, 'range');
  const source = new GeoTIFF({ sources: [{ url: whole(wish) }], convertToRGB: 'auto', normalize: true });
  const view = await source.getView();
  const code = source.getProjection();
  if (!code || !view.extent) throw new LayerProblem(t('layer.nowhere'));
  const [w = 0, s = 0, e = 0, n = 0] = transformExtent(view.extent, code, 'EPSG:4326');
  wish.loaded();
  source.on('tileloaderror', () => wish.failed(wish.record.url));
  return { layer: new WebGLTileLayer({ source }), box: [w, s, e, n] };
}
