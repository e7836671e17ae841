// The offline world: land, borders, names of countries, a graticule. Coarse data first, finer when one comes near.

import Feature from 'ol/Feature';
import MultiLineString from 'ol/geom/MultiLineString';
import Point from 'ol/geom/Point';
import Polygon from 'ol/geom/Polygon';
import Graticule from 'ol/layer/Graticule';
import LayerGroup from 'ol/layer/Group';
import VectorLayer from 'ol/layer/Vector';
import VectorSource from 'ol/source/Vector';
import Fill from 'ol/style/Fill';
import Stroke from 'ol/style/Stroke';
import Style from 'ol/style/Style';
import Text from 'ol/style/Text';
import coarseUrl from 'world-atlas/countries-110m.json?url';
import fineUrl from 'world-atlas/countries-50m.json?url';
import { drawn } from '../lib/pause';
import { faded, token } from './colours';
import type { WorldShapes } from './world';

/** Below this many metres a pixel the finer data is worth fetching. */
const fineBelow = 8000;

/** Above this many metres a pixel a line along the coast is not seen, but takes half the time of drawing the world. */
const coastBelow = 25_000;

export interface BaseWorld {
  group: LayerGroup;
  restyle(): void;
  /** Tells it how near one is. */
  near(resolution: number): void;
  /** Land for thumbnails. */
  land: Promise<string>;
  labels(shown: boolean): void;
}

/** In a worker; where none can be had, here. */
async function fetchShapes(url: string): Promise<WorldShapes> {
  const address = new URL(url, location.href).href;
  let worker: Worker;
  try {
    worker = new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return (await import('./world')).readWorld(address);
  }
  try {
    const answer = await new Promise<{ shapes?: WorldShapes; failed?: string }>((resolve, reject) => {
      worker.onmessage = (message) => resolve(message.data);
      worker.onerror = () => reject(new Error('The base map could not be read.'));
      worker.postMessage(address);
    });
    if (!answer.shapes) throw new Error(answer.failed);
    return answer.shapes;
  } finally {
    worker.terminate();
  }
}

export function createWorld(): BaseWorld {
  const land = new VectorSource({ wrapX: true });
  const borders = new VectorSource({ wrapX: true });
  const names = new VectorSource({ wrapX: true });
  let style = { land: new Style(), coast: new Style(), border: new Style(), name: new Text() };
  const nameStyle = new Style();

  const landLayer = new VectorLayer({ source: land, style: (_, resolution) => (resolution < coastBelow ? style.coast : style.land), updateWhileAnimating: true, updateWhileInteracting: true });
  const borderLayer = new VectorLayer({ source: borders, style: () => style.border, updateWhileAnimating: true, updateWhileInteracting: true });
  const nameLayer = new VectorLayer({
    source: names,
    declutter: true,
    style: (country, resolution) => {
      // Big countries from afar, small ones when there is room for their name.
      const wide = Number(country.get('wide')) / resolution;
      if (wide < 46) return undefined;
      style.name.setText(String(country.get('name')));
      nameStyle.setText(style.name);
      return nameStyle;
    },
  });
  let graticule: Graticule | null = null;
  const group = new LayerGroup({ layers: [landLayer, borderLayer, nameLayer] });

  function makeGraticule(): Graticule {
    return new Graticule({ strokeStyle: new Stroke({ color: token('map-line'), width: 1 }), showLabels: false, wrapX: true, minResolution: 2500, targetSize: 160 });
  }

  function restyle(): void {
    style = {
      land: new Style({ fill: new Fill({ color: token('map-land') }) }),
      coast: new Style({ fill: new Fill({ color: token('map-land') }), stroke: new Stroke({ color: faded(token('map-border'), 0.55), width: 0.6 }) }),
      border: new Style({ stroke: new Stroke({ color: token('map-border'), width: 0.8 }) }),
      name: new Text({ font: "500 11px 'Inter Variable', system-ui, sans-serif", fill: new Fill({ color: token('map-label') }), stroke: new Stroke({ color: token('map-land'), width: 2.5 }), overflow: true }),
    };
    if (graticule) group.getLayers().setAt(0, (graticule = makeGraticule()));
    for (const layer of [landLayer, borderLayer, nameLayer]) layer.changed();
  }

  // One layer a frame: each takes a phone as long to draw as a frame may last.
  async function fill(shapes: WorldShapes): Promise<void> {
    land.clear(true);
    land.addFeatures(shapes.land.map(({ flat, ends }) => new Feature(new Polygon(flat, 'XY', ends))));
    await drawn();
    borders.clear(true);
    borders.addFeature(new Feature(new MultiLineString(shapes.borders.flat, 'XY', shapes.borders.ends)));
    await drawn();
    names.clear(true);
    names.addFeatures(shapes.names.map(({ name, x, y, wide }) => new Feature({ geometry: new Point([x, y]), name, wide })));
    await drawn();
    if (graticule) return;
    group.getLayers().insertAt(0, (graticule = makeGraticule()));
    await drawn();
  }

  restyle();
  const coarse = fetchShapes(coarseUrl);
  const filled = coarse.then(fill);
  let fine: Promise<void> | null = null;

  return {
    group,
    restyle,
    near: (resolution) => {
      if (resolution >= fineBelow || fine) return;
      fine = filled.then(() => fetchShapes(fineUrl)).then(fill, () => {
        fine = null;
      });
    },
    land: filled.then(async () => (await coarse).path),
    labels: (shown) => nameLayer.setVisible(shown),
  };
}
