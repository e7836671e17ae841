// Base maps configured by the operator, drawn over the offline world.

import TileLayer from 'ol/layer/Tile';
import type BaseLayer from 'ol/layer/Base';
import TileWMS from 'ol/source/TileWMS';
import XYZ from 'ol/source/XYZ';
import type { BaseMap } from '../lib/records';

export async function createBaseLayer(base: BaseMap): Promise<BaseLayer | null> {
  const attributions = base.attribution;
  if (base.kind === 'wms') return new TileLayer({ source: new TileWMS({ url: base.url, params: { LAYERS: base.layer ?? '', TRANSPARENT: 'FALSE' }, attributions }) });
  if (base.kind === 'wmts') {
    const [{ default: WMTSCapabilities }, { default: WMTS, optionsFromCapabilities }] = await Promise.all([import('ol/format/WMTSCapabilities'), import('ol/source/WMTS')]);
    const text = await (await fetch(base.url)).text();
    const options = optionsFromCapabilities(new WMTSCapabilities().read(text), { layer: base.layer ?? '', projection: 'EPSG:3857' });
    return options ? new TileLayer({ source: new WMTS({ ...options, attributions }) }) : null;
  }
  if (base.kind === 'pmtiles') {
    const [{ default: VectorTileLayer }, { PMTilesVectorSource }, { plainStyle }, { resolveToken: token }] = await Promise.all([import('ol/layer/VectorTile'), import('ol-pmtiles'), import('./layers/featureStyle'), import('./colours')]);
    return new VectorTileLayer({ source: new PMTilesVectorSource({ url: base.url }), style: plainStyle(token('map-border')) });
  }
  return new TileLayer({ source: new XYZ({ url: base.url, attributions }) });
}
