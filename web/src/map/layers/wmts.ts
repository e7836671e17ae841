// WMTS: configured by its capabilities.

import WMTSCapabilities from 'ol/format/WMTSCapabilities';
import TileLayer from 'ol/layer/Tile';
import WMTS, { optionsFromCapabilities } from 'ol/source/WMTS';
import type ImageTile from 'ol/ImageTile';
import { t } from '../../lib/messages.svelte';
import { normalizeCrs, setParams } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';
import { readXmlText } from './xmlText';

interface Capabilities {
  Contents?: {
    Layer?: { Identifier: string; WGS84BoundingBox?: number[]; TileMatrixSetLink?: { TileMatrixSet: string }[]; Style?: { LegendURL?: { href: string }[] }[] }[];
    TileMatrixSet?: { Identifier: string; SupportedCRS?: string }[];
  };
}

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { record, layer } = request;
  const document = /\.xml($|\?)/i.test(record.url) ? record.url : setParams(record.url, { SERVICE: 'WMTS', REQUEST: 'GetCapabilities', VERSION: '1.0.0' });
  const text = await readXmlText(await request.fetch(document, 'application/xml'));
  const capabilities = new WMTSCapabilities().read(text) as Capabilities | null;
  const layers = capabilities?.Contents?.Layer ?? [];
  const found = layers.find((one) => one.Identifier === layer) ?? (layer ? undefined : layers[0]);
  if (!capabilities || !found) throw new LayerError(t('layer.missing', { layer }));

  // Prefer the map's own system among the tile grids; others need a known projection.
  const sets = capabilities.Contents?.TileMatrixSet ?? [];
  const linked = (found.TileMatrixSetLink ?? []).map((link) => sets.find((set) => set.Identifier === link.TileMatrixSet)).filter((set) => set !== undefined);
  const code = (set: { SupportedCRS?: string }) => normalizeCrs(set.SupportedCRS ?? '');
  let set = linked.find((one) => code(one) === 'EPSG:3857') ?? linked.find((one) => code(one) === 'EPSG:4326' || code(one) === 'CRS:84');
  if (!set) {
    const { isKnownCrs: knows, findProjection: projection } = await import('./crs');
    set = linked.find((one) => knows(code(one)));
    if (!set) throw new LayerError(t('layer.crs', { crs: linked.map(code).join(', ') || '?' }));
    projection(code(set));
  }
  const options = optionsFromCapabilities(capabilities, { layer: found.Identifier, matrixSet: set.Identifier, crossOrigin: code(set) === 'EPSG:3857' ? undefined : 'anonymous' });
  if (!options) throw new LayerError(t('layer.unreadable'));
  let asked = document;
  options.tileLoadFunction = (tile, url) => {
    asked = url;
    ((tile as ImageTile).getImage() as HTMLImageElement).setAttribute('src', request.routeUrl(url));
  };
  const source = new WMTS(options);
  source.on('tileloadstart', () => request.loadStarted());
  source.on('tileloadend', () => request.loadFinished());
  source.on('tileloaderror', () => request.imageFailed(asked));
  const box = found.WGS84BoundingBox;
  return {
    layer: new TileLayer({ source }),
    box: box?.length === 4 ? (box as [number, number, number, number]) : undefined,
    legend: found.Style?.[0]?.LegendURL?.[0]?.href,
  };
}
