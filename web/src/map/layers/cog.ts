// Cloud-optimised GeoTIFF: loads only the parts in view, with range requests.

import { fromUrl } from 'geotiff';
import WebGLTileLayer from 'ol/layer/WebGLTile';
import { transformExtent } from 'ol/proj';
import GeoTIFF from 'ol/source/GeoTIFF';
import './crs';
import { formatNumber, t } from '../../lib/messages.svelte';
import { findValueRange, type ValueRange } from './valueStretch';
import { LayerError, absoluteRecordUrl, type DrawnLayer, type LayerRequest } from './layerRequest';

/** Number of pixels per side that are read of a file without a small overview. */
const piece = 512;
/** Photometric interpretation: palette. */
const palette = 3;
/** New subfile type: transparency mask. */
const mask = 4;

/** Finds the value range from the smallest overview; returns null for images that need no stretching. */
async function valuesOf(url: string): Promise<ValueRange | null> {
  const tiff = await fromUrl(url);
  const first = await tiff.getImage();
  const bands = first.getSamplesPerPixel();
  if (first.fileDirectory.getValue('PhotometricInterpretation') === palette || (bands >= 3 && first.getBitsPerSample() === 8)) return null;
  let image = first;
  for (let at = (await tiff.getImageCount()) - 1; at > 0; at -= 1) {
    const smaller = await tiff.getImage(at);
    if (((smaller.fileDirectory.getValue('NewSubfileType') as number | undefined) ?? 0) & mask) continue;
    image = smaller;
    break;
  }
  const [width, height] = [image.getWidth(), image.getHeight()];
  const [left, top] = [Math.max(0, (width - piece) >> 1), Math.max(0, (height - piece) >> 1)];
  // The fourth band is alpha.
  const samples = Array.from({ length: bands === 2 ? 1 : Math.min(3, bands) }, (_, at) => at);
  const rasters = await image.readRasters({ samples, window: [left, top, Math.min(width, left + piece), Math.min(height, top + piece)] });
  return findValueRange(samples.map((_, at) => rasters[at] as ArrayLike<number>), first.getGDALNoData());
}

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  // Requested first, so that an error has a message.
  await request.fetch(request.record.url, 'range');
  const url = absoluteRecordUrl(request);
  // Without a value range the file may still be drawable.
  const values = await valuesOf(url).catch(() => null);
  const source = new GeoTIFF({ sources: [{ url, ...values }], convertToRGB: 'auto', normalize: true });
  const view = await source.getView();
  const code = source.getProjection();
  if (!code || !view.extent) throw new LayerError(t('layer.nowhere'));
  const [w = 0, s = 0, e = 0, n = 0] = transformExtent(view.extent, code, 'EPSG:4326');
  request.loadFinished();
  source.on('tileloaderror', () => request.imageFailed(request.record.url));
  const digits = values && values.max - values.min < 10 ? 2 : 0;
  const note = values ? t('layer.values', { from: formatNumber(values.min, digits), to: formatNumber(values.max, digits) }) : undefined;
  return { layer: new WebGLTileLayer({ source }), box: [w, s, e, n], note };
}
