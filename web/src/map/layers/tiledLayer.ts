// A layer of tiles in any grid: images, which are reprojected, or vector tiles, which must be in the map's system.

import MVT from 'ol/format/MVT';
import type ImageTile from 'ol/ImageTile';
import TileLayer from 'ol/layer/Tile';
import VectorTileLayer from 'ol/layer/VectorTile';
import type Projection from 'ol/proj/Projection';
import TileImage from 'ol/source/TileImage';
import VectorTile from 'ol/source/VectorTile';
import type TileGrid from 'ol/tilegrid/TileGrid';
import { t } from '../../lib/messages.svelte';
import { plainStyle } from './featureStyle';
import { LayerError, type LayerRequest } from './layerRequest';

export const mapSystem = 'EPSG:3857';

export interface TiledLayerOptions {
  tiles: 'map' | 'vector';
  projection: Projection;
  tileGrid: TileGrid;
  /** Returns the address of the tile at a level, column and row; undefined if there is none. */
  address(place: number[]): string | undefined;
}

export function createTiledLayer(request: LayerRequest, { tiles, projection, tileGrid, address }: TiledLayerOptions): TileLayer<TileImage> | VectorTileLayer {
  const own = projection.getCode() === mapSystem;
  let asked = request.record.url;
  const tileUrlFunction = (place: number[]) => {
    const tile = address(place);
    if (!tile) return undefined;
    asked = tile;
    return request.routeUrl(tile);
  };
  const watched = <S extends TileImage | VectorTile>(source: S): S => {
    source.on('tileloadstart', () => request.loadStarted());
    source.on('tileloadend', () => request.loadFinished());
    source.on('tileloaderror', () => request.imageFailed(asked));
    return source;
  };
  if (tiles === 'vector') {
    if (!own) throw new LayerError(t('layer.crs', { crs: projection.getCode() }));
    const source = watched(new VectorTile({ format: new MVT(), tileGrid, tileUrlFunction }));
    return new VectorTileLayer({ source, style: plainStyle(request.colour), declutter: true });
  }
  const source = new TileImage({
    projection,
    tileGrid,
    tileUrlFunction,
    // Images need CORS permission only if their pixels are reprojected.
    crossOrigin: own ? null : 'anonymous',
    tileLoadFunction: (tile, src) => ((tile as ImageTile).getImage() as HTMLImageElement).setAttribute('src', src),
  });
  return new TileLayer({ source: watched(source) });
}
