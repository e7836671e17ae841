// Zipped KML: the document and its images. Pure.

import { unzipSync } from 'fflate';

export interface KmzContents {
  /** The KML document; null if there is none. */
  document: Uint8Array | null;
  /** Images by their names in the archive. */
  pictures: Map<string, Uint8Array<ArrayBuffer>>;
}

const isPicture = (name: string) => /\.(png|jpe?g|gif|webp|bmp)$/i.test(name);
const isDocument = (name: string) => /\.kml$/i.test(name) && !/(^|\/)(__MACOSX|\.)/.test(name);

/** Unpacks an archive. Throws a RangeError if more than `most` bytes are unpacked, whatever sizes the archive declares. */
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
  // KMZ defines it as the first KML file at the top level, regardless of its name.
  const documents = Object.keys(files).filter(isDocument);
  const name = documents.find((one) => !one.includes('/')) ?? documents[0];
  const pictures = new Map(Object.entries(files).filter(([one]) => isPicture(one))) as KmzContents['pictures'];
  return { document: name === undefined ? null : files[name]!, pictures };
}
