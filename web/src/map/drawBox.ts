// Draws a rectangle: press, drag, release; or click two opposite corners, for users who cannot drag.

import Feature from 'ol/Feature';
import type OlMap from 'ol/Map';
import type MapBrowserEvent from 'ol/MapBrowserEvent';
import { boundingExtent } from 'ol/extent';
import { fromExtent } from 'ol/geom/Polygon';
import Interaction from 'ol/interaction/Interaction';
import VectorLayer from 'ol/layer/Vector';
import VectorSource from 'ol/source/Vector';
import Fill from 'ol/style/Fill';
import Stroke from 'ol/style/Stroke';
import Style from 'ol/style/Style';
import { withAlpha, resolveToken } from './colours';

/** Maximum movement in pixels between press and release of a click. */
const still = 5;

/** Starts drawing; `done` receives the extent. Returns a function that cancels. */
export function startDrawingBox(map: OlMap, done: (extent: number[]) => void): () => void {
  const accent = resolveToken('accent');
  const source = new VectorSource();
  const layer = new VectorLayer({ source, zIndex: 400, style: new Style({ stroke: new Stroke({ color: accent, width: 2 }), fill: new Fill({ color: withAlpha(accent, 0.12) }) }) });
  layer.setMap(map);
  let corner: number[] | null = null;
  let pressed: number[] | null = null;

  const show = (to: number[]) => {
    source.clear(true);
    source.addFeature(new Feature(fromExtent(boundingExtent([corner!, to]))));
  };
  const apart = (a: number[], b: number[]) => Math.max(Math.abs(a[0]! - b[0]!), Math.abs(a[1]! - b[1]!));

  const drawing = new Interaction({
    // True lets the map handle the event: the wheel still zooms, but dragging does not move the map.
    handleEvent: (event: MapBrowserEvent) => {
      const { type, coordinate, pixel } = event;
      if (type === 'pointerdown') {
        pressed = pixel;
        corner ??= coordinate;
      } else if (type === 'pointermove' || type === 'pointerdrag') {
        if (corner) show(coordinate);
        return type === 'pointermove';
      } else if (type === 'pointerup') {
        if (!corner || !pressed) return false;
        const first = map.getPixelFromCoordinate(corner);
        if (apart(pixel, first) > still) done(boundingExtent([corner, coordinate]));
      } else return !['click', 'singleclick', 'dblclick'].includes(type);
      return false;
    },
  });
  map.addInteraction(drawing);
  return () => {
    map.removeInteraction(drawing);
    layer.setMap(null);
  };
}
