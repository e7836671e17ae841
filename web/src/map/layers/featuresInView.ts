// Loads features as the view moves. Each box is requested once; large results are truncated with a note.

import type Feature from 'ol/Feature';
import VectorLayer from 'ol/layer/Vector';
import { bbox as bboxStrategy } from 'ol/loadingstrategy';
import { transformExtent } from 'ol/proj';
import VectorSource from 'ol/source/Vector';
import { boxFromMap, splitAtAntimeridian as uncrossed } from '../../lib/boundingBox';
import type { Box } from '../../lib/mapControl';
import { plainStyle } from './featureStyle';
import type { LayerRequest } from './layerRequest';

/** Maximum number of features per layer; more would be unreadable and slow. */
export const maxFeatures = 20_000;

export function createViewLayer(request: LayerRequest, load: (box: Box) => Promise<Feature[]>): VectorLayer {
  const source = new VectorSource({
    strategy: bboxStrategy,
    loader: (extent, _resolution, _projection, success, failure) => {
      const [w = 0, s = 0, e = 0, n = 0] = transformExtent(extent, 'EPSG:3857', 'EPSG:4326');
      request.loadStarted();
      // Few servers accept boxes that cross the antimeridian.
      Promise.all(uncrossed(boxFromMap(w, s, e, n)).map((part) => load(part))).then(
        (parts) => {
          const features = parts.flat();
          if (source.getFeatures().length + features.length > maxFeatures) source.clear(true);
          source.addFeatures(features);
          request.loadFinished();
          success?.(features);
        },
        (problem: unknown) => {
          source.removeLoadedExtent(extent);
          request.viewFailed(problem);
          failure?.();
        },
      );
    },
  });
  return new VectorLayer({ source, style: plainStyle(request.colour) });
}
