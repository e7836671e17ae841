// Footprints: the highlighted one, those of the visible rows, and the area filter.

import Feature from 'ol/Feature';
import { fromExtent } from 'ol/geom/Polygon';
import VectorLayer from 'ol/layer/Vector';
import { transformExtent } from 'ol/proj';
import VectorSource from 'ol/source/Vector';
import Fill from 'ol/style/Fill';
import Stroke from 'ol/style/Stroke';
import Style from 'ol/style/Style';
import { unrollBox } from '../lib/boundingBox';
import type { Box } from '../lib/mapControl';
import { withAlpha, resolveToken } from './colours';

/** Returns the extent of a box; Web Mercator does not reach the poles. */
export function boxExtent(box: Box): number[] {
  const [w, s, e, n] = unrollBox(box);
  return transformExtent([w, Math.max(-85.05, s), e, Math.min(85.05, n)], 'EPSG:4326', 'EPSG:3857');
}

const shape = (box: Box) => new Feature(fromExtent(boxExtent(box)));

export function createFootprintLayer() {
  const sources = { many: new VectorSource(), one: new VectorSource(), filter: new VectorSource() };
  let styles = read();

  function read() {
    const accent = resolveToken('accent');
    return {
      many: new Style({ stroke: new Stroke({ color: withAlpha(accent, 0.3), width: 1 }) }),
      one: new Style({ stroke: new Stroke({ color: accent, width: 2 }), fill: new Fill({ color: withAlpha(accent, 0.08) }) }),
      filter: new Style({ stroke: new Stroke({ color: accent, width: 2, lineDash: [6, 5] }), fill: new Fill({ color: withAlpha(accent, 0.04) }) }),
    };
  }
  const layers = (['many', 'filter', 'one'] as const).map((name, at) => new VectorLayer({ source: sources[name], style: () => styles[name], zIndex: 300 + at, updateWhileAnimating: true, updateWhileInteracting: true }));

  function put(name: keyof typeof sources, boxes: Box[]): void {
    sources[name].clear(true);
    if (boxes.length) sources[name].addFeatures(boxes.map(shape));
    else sources[name].changed();
  }
  return {
    layers,
    one: (box: Box | null) => put('one', box ? [box] : []),
    many: (boxes: Box[]) => put('many', boxes),
    filter: (box: Box | null) => put('filter', box ? [box] : []),
    restyle: () => {
      styles = read();
      for (const layer of layers) layer.changed();
    },
  };
}
