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
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import coarseUrl from 'world-atlas/countries-110m.json?url';
import fineUrl from 'world-atlas/countries-50m.json?url';
import { landPath } from '../lib/thumb';
import { faded, token } from './colours';
import { cutLines, unrollPolygons } from './unroll';

type World = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

/** Below this many metres a pixel the finer data is worth fetching. */
const fineBelow = 8000;

export interface BaseWorld {
  group: LayerGroup;
  restyle(): void;
  /** Tells it how near one is. */
  near(resolution: number): void;
  /** Land for thumbnails. */
  land: Promise<string>;
  labels(shown: boolean): void;
}

function polygonsOf(geometry: { type: string; coordinates?: unknown } | null): number[][][][] {
  if (geometry?.type === 'Polygon') return [geometry.coordinates as number[][][]];
  return geometry?.type === 'MultiPolygon' ? (geometry.coordinates as number[][][][]) : [];
}

function landOf(world: World): number[][][][] {
  return unrollPolygons(feature(world, world.objects.land).features.flatMap((one) => polygonsOf(one.geometry)));
}

async function fetchWorld(url: string): Promise<World> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The base map answered ${response.status}.`);
  return (await response.json()) as World;
}

export function createWorld(): BaseWorld {
  const land = new VectorSource({ wrapX: true });
  const borders = new VectorSource({ wrapX: true });
  const names = new VectorSource({ wrapX: true });
  let style = { land: new Style(), border: new Style(), name: new Text() };
  const nameStyle = new Style();

  const landLayer = new VectorLayer({ source: land, style: () => style.land, updateWhileAnimating: true, updateWhileInteracting: true });
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
  let graticule = makeGraticule();
  const group = new LayerGroup({ layers: [graticule, landLayer, borderLayer, nameLayer] });

  function makeGraticule(): Graticule {
    return new Graticule({ strokeStyle: new Stroke({ color: token('map-line'), width: 1 }), showLabels: false, wrapX: true, minResolution: 2500, targetSize: 160 });
  }

  function restyle(): void {
    style = {
      land: new Style({ fill: new Fill({ color: token('map-land') }), stroke: new Stroke({ color: faded(token('map-border'), 0.55), width: 0.6 }) }),
      border: new Style({ stroke: new Stroke({ color: token('map-border'), width: 0.8 }) }),
      name: new Text({ font: "500 11px 'Inter Variable', system-ui, sans-serif", fill: new Fill({ color: token('map-label') }), stroke: new Stroke({ color: token('map-land'), width: 2.5 }), overflow: true }),
    };
    const fresh = makeGraticule();
    group.getLayers().setAt(0, fresh);
    graticule = fresh;
    for (const layer of [landLayer, borderLayer, nameLayer]) layer.changed();
  }

  function fill(world: World): void {
    land.clear(true);
    land.addFeatures(landOf(world).map((polygon) => new Feature(new Polygon(polygon).transform('EPSG:4326', 'EPSG:3857') as Polygon)));
    borders.clear(true);
    borders.addFeature(new Feature(new MultiLineString(cutLines(mesh(world, world.objects.countries, (a, b) => a !== b).coordinates)).transform('EPSG:4326', 'EPSG:3857') as MultiLineString));
    names.clear(true);
    names.addFeatures(
      feature(world, world.objects.countries).features.flatMap((country) => {
        const name = country.properties.name;
        // The first of a pair that was drawn twice is enough for a name.
        const polygons = polygonsOf(country.geometry).map((polygon) => new Polygon(unrollPolygons([polygon])[0]!).transform('EPSG:4326', 'EPSG:3857') as Polygon);
        const largest = polygons.reduce<Polygon | null>((best, one) => (best && best.getArea() >= one.getArea() ? best : one), null);
        if (!largest || !name || name === 'Antarctica') return [];
        const [x = 0, y = 0, across = 0] = largest.getInteriorPoint().getCoordinates();
        return [new Feature({ geometry: new Point([x, y]), name, wide: Math.min(across, Math.sqrt(largest.getArea()) * 1.4) })];
      }),
    );
  }

  restyle();
  const coarse = fetchWorld(coarseUrl).then((world) => {
    fill(world);
    return landPath(landOf(world));
  });
  let fine: Promise<void> | null = null;

  return {
    group,
    restyle,
    near: (resolution) => {
      if (resolution >= fineBelow || fine) return;
      fine = coarse.then(() => fetchWorld(fineUrl)).then(fill, () => {
        fine = null;
      });
    },
    land: coarse,
    labels: (shown) => nameLayer.setVisible(shown),
  };
}
