// KML and KMZ with styles and images. Follows network links to other documents.

import type Feature from 'ol/Feature';
import KML, { getDefaultImageStyle } from 'ol/format/KML';
import Icon from 'ol/style/Icon';
import type Style from 'ol/style/Style';
import { t } from '../../lib/messages.svelte';
import { plainStyle } from './featureStyle';
import { LayerError, type LayerRequest } from './layerRequest';
import { decodeXml } from './xmlText';

/** Maximum number of linked documents to load. */
const mostLinks = 8;

interface Document {
  text: string;
  /** Returns the address of a referenced image. */
  picture?: (href: string) => string;
}

/** Loads the features of the document at an address. */
export async function readKml(request: LayerRequest, url: string, fetched: Response, mostBytes: number): Promise<Feature[]> {
  const read = async (response: Response) => {
    const { text, picture } = await opened(response, mostBytes);
    const format = new KML({ showPointNames: false, iconUrlFunction: picture });
    const features = format.readFeatures(text, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[];
    return { features, links: features.length ? [] : (format.readNetworkLinks(text) as { href?: string }[]) };
  };
  const { features, links } = await read(fetched);
  for (const { href } of links.slice(0, mostLinks)) {
    // Skip linked documents that fail to load; links in linked documents are not followed.
    if (href) features.push(...(await request.fetch(new URL(href, url).href).then(read).catch(() => ({ features: [] }))).features);
  }
  withoutPushpins(features, plainStyle(request.colour));
  return features;
}

async function opened(response: Response, mostBytes: number): Promise<Document> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Detected by the first bytes: file names and media types of KMZ are often wrong.
  const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b;
  return zipped ? unpacked(bytes, mostBytes) : { text: decodeXml(bytes, response.headers.get('content-type')) };
}

async function unpacked(packed: Uint8Array, mostBytes: number): Promise<Document> {
  const { document, pictures } = await import('./kmz').then(({ openKmz: open }) => open(packed, mostBytes)).catch((error: unknown) => {
    throw new LayerError(t(error instanceof RangeError ? 'layer.big' : 'layer.unreadable'));
  });
  if (!document) throw new LayerError(t('layer.kmz'));
  const addresses = new Map<string, string>();
  return {
    text: decodeXml(document, null),
    picture: (href) => {
      // The reader has resolved the reference to an absolute address, which ends with the name in the archive.
      const name = [...pictures.keys()].find((one) => href === one || href.endsWith(`/${encodeURI(one)}`));
      if (!name) return href;
      const known = addresses.get(name) ?? URL.createObjectURL(new Blob([pictures.get(name)!]));
      addresses.set(name, known);
      return known;
    },
  };
}

/** Replaces the default icon, which the reader loads from a third-party server: requests there would disclose use, and
 * without the icon points would be invisible. They are drawn like points of other files. */
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
