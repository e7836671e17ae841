// Zipped KML: the document, and the pictures that stand beside it. Pure.

import { unzipSync } from 'fflate';

export interface KmzContents {
  /** The KML document; null when there is none. */
  document: Uint8Array | null;
  /** Pictures by their names in the archive. */
  pictures: Map<string, Uint8Array<ArrayBuffer>>;
}

const isPicture = (name: string) => /\.(png|jpe?g|gif|webp|bmp)$/i.test(name);
const isDocument = (name: string) => /\.kml$/i.test(name) && !/(^|\/)(__MACOSX|\.)/.test(name);

/** Throws a RangeError when more than `most` bytes would come out: what an archive says of itself is not believed. */
export function openKmz(packed: Uint8Array, most: number): KmzContents {
  let bytes = 0;
  const files = unzipSync(packed, {
    filter: ({ name, originalSize }) => {
      if (!isPicture(name) && !isDocument(name)) return false;
      bytes += originalSize;
      if (bytes > most) throw new RangeError('too large');
      return true;
    },
  });
  // By the rules of KMZ it is the first one at the top, whatever its name.
  const documents = Object.keys(files).filter(isDocument);
  const name = documents.find((one) => !one.includes('/')) ?? documents[0];
  const pictures = new Map(Object.entries(files).filter(([one]) => isPicture(one))) as KmzContents['pictures'];
  return { document: name === undefined ? null : files[name]!, pictures };
}
