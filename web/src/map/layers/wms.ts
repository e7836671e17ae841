// WMS: one image per view, so that labels are not cut and the server gets one request.

import ImageLayer from 'ol/layer/Image';
import ImageWMS from 'ol/source/ImageWMS';
import { transformExtent } from 'ol/proj';
import { isUsableBox } from '../../lib/boundingBox';
import { chooseCrs, wmsEndpoint, wmsLegendUrl, wmsVersion } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';
import { t } from '../../lib/messages.svelte';

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { record, layer } = request;
  if (!layer) throw new LayerError(t('layer.choose'));
  const version = wmsVersion(record.versions);
  // A layer inherits the systems of its parents, but not those of other layers.
  const offered = request.dataset?.crs?.length ? request.dataset.crs : (record.crs ?? []);
  const crs = await systemFor(offered);
  const base = wmsEndpoint(record.url);
  let asked = base;
  const source = new ImageWMS({
    url: base,
    params: { LAYERS: layer, STYLES: '', VERSION: version, TRANSPARENT: 'TRUE', FORMAT: 'image/png' },
    projection: crs,
    ratio: 1.2,
    // Images need CORS permission only if their pixels are reprojected.
    crossOrigin: crs === 'EPSG:3857' ? null : 'anonymous',
    imageLoadFunction: (image, url) => {
      const element = image.getImage() as HTMLImageElement;
      asked = url;
      element.onerror = () => request.imageFailed(url);
      element.src = request.routeUrl(url);
    },
  });
  source.on('imageloadstart', () => request.loadStarted());
  source.on('imageloadend', () => request.loadFinished());
  // Returns the address without the proxy: the caller adds the proxy again.
  source.on('imageloaderror', () => request.imageFailed(asked));
  const box = request.dataset?.bbox ?? record.bbox;
  const extent = isUsableBox(box) && box[0] < box[2] ? transformExtent([box[0], Math.max(-85, box[1]), box[2], Math.min(85, box[3])], 'EPSG:4326', 'EPSG:3857') : undefined;
  return { layer: new ImageLayer({ source, extent }), legend: request.routeUrl(wmsLegendUrl(record.url, layer, version)) };
}

/** Selects the coordinate system of requests. Definitions beyond the map's own are loaded only if needed. */
async function systemFor(offered: string[]): Promise<string> {
  const plain = chooseCrs(offered, () => false);
  if (plain) return plain;
  const { isKnownCrs: knows, findProjection: projection } = await import('./crs');
  const found = chooseCrs(offered, knows);
  if (!found) throw new LayerError(t('layer.crs', { crs: offered.slice(0, 3).join(', ') }));
  projection(found);
  return found;
}
