// Files with features: KML, also zipped, GeoJSON, TopoJSON, GPX. Read whole, so their size is bounded.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import GPX from 'ol/format/GPX';
import KML, { getDefaultImageStyle } from 'ol/format/KML';
import TopoJSON from 'ol/format/TopoJSON';
import VectorLayer from 'ol/layer/Vector';
import { transformExtent } from 'ol/proj';
import VectorSource from 'ol/source/Vector';
import Icon from 'ol/style/Icon';
import type Style from 'ol/style/Style';
import { t } from '../../lib/messages.svelte';
import { mostFeatures } from './inview';
import { plainStyle } from './style';
import { LayerProblem, type Drawn, type Wish } from './wish';

const mostBytes = 60 * 1024 * 1024;

export async function draw(wish: Wish): Promise<Drawn> {
  const { kind, url } = wish.record;
  const response = await wish.ask(url);
  if (Number(response.headers.get('content-length')) > mostBytes) throw new LayerProblem(t('layer.big'));
  const { text, iconUrlFunction } = kind === 'kmz' ? await unpacked(await response.arrayBuffer()) : { text: await response.text() };
  if (text.length > mostBytes) throw new LayerProblem(t('layer.big'));
  const styled = kind === 'kml' || kind === 'kmz';
  const format = styled ? new KML({ showPointNames: false, iconUrlFunction }) : kind === 'gpx' ? new GPX() : kind === 'topojson' ? new TopoJSON() : new GeoJSON();
  let features: Feature[];
  try {
    features = format.readFeatures(text, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[];
  } catch {
    throw new LayerProblem(t('layer.unreadable'));
  }
  if (!features.length) throw new LayerProblem(t('layer.empty'));
  if (styled) withoutPushpins(features, plainStyle(wish.colour));
  const source = new VectorSource({ features: features.slice(0, mostFeatures) });
  const [w = 0, s = 0, e = 0, n = 0] = transformExtent(source.getExtent() ?? [0, 0, 0, 0], 'EPSG:3857', 'EPSG:4326');
  wish.loaded();
  return {
    layer: new VectorLayer({ source, style: styled ? undefined : plainStyle(wish.colour) }),
    box: [w, s, e, n],
    note: features.length > mostFeatures ? t('layer.first', { n: mostFeatures }) : undefined,
  };
}

/** Where a KML names no picture the reader takes one from somebody else's server: nobody there need know, and without it
 * points would not be seen at all. They are drawn as points of other files. */
function withoutPushpins(features: Feature[], plain: Style): void {
  const pushpin = (getDefaultImageStyle() as Icon | null)?.getSrc();
  for (const feature of features) {
    const said = feature.getStyleFunction();
    if (!said) continue;
    feature.setStyle((one, resolution) => {
      const styles = [said(one, resolution) ?? []].flat();
      for (const style of styles) {
        const image = style.getImage();
        if (image instanceof Icon && image.getSrc() === pushpin) style.setImage(plain.getImage()!);
      }
      return styles;
    });
  }
}

/** The document of a KMZ, and its pictures by the names that it calls them. */
async function unpacked(packed: ArrayBuffer): Promise<{ text: string; iconUrlFunction?: (href: string) => string }> {
  const { document, pictures } = await import('./kmz').then(({ open }) => open(new Uint8Array(packed), mostBytes)).catch((error: unknown) => {
    throw error instanceof RangeError ? new LayerProblem(t('layer.big')) : new LayerProblem(t('layer.unreadable'));
  });
  if (document === null) throw new LayerProblem(t('layer.kmz'));
  const addresses = new Map<string, string>();
  return {
    text: document,
    iconUrlFunction: (href) => {
      // The reader has made a whole address of it; names in the archive are the end of that.
      const name = [...pictures.keys()].find((one) => href === one || href.endsWith(`/${encodeURI(one)}`));
      if (!name) return href;
      const known = addresses.get(name) ?? URL.createObjectURL(new Blob([pictures.get(name)!]));
      addresses.set(name, known);
      return known;
    },
  };
}
