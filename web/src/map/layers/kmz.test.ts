import { strFromU8, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openKmz } from './kmz';

const kml = '<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>';

describe('zipped KML', () => {
  it('gives the document at the top and the pictures', () => {
    const packed = zipSync({ 'files/inner.kml': strToU8('<kml/>'), 'files/pin.png': new Uint8Array([1, 2, 3]), 'notes.txt': strToU8('no'), 'places.kml': strToU8(kml) });
    const { document, pictures } = openKmz(packed, 1000);
    expect(strFromU8(document!)).toBe(kml);
    expect([...pictures.keys()]).toEqual(['files/pin.png']);
  });
  it('takes a document in a folder where there is none at the top, but not what a Mac leaves', () => {
    expect(strFromU8(openKmz(zipSync({ '__MACOSX/._doc.kml': strToU8('x'), 'a/doc.kml': strToU8(kml) }), 1000).document!)).toBe(kml);
    expect(openKmz(zipSync({ 'readme.txt': strToU8('x') }), 1000).document).toBeNull();
  });
  it('refuses what would be too large, before it is unpacked', () => {
    const bomb = zipSync({ 'doc.kml': new Uint8Array(2_000_000) });
    expect(bomb.length).toBeLessThan(10_000);
    expect(() => openKmz(bomb, 1_000_000)).toThrow(RangeError);
  });
  it('refuses what is no archive', () => {
    expect(() => openKmz(strToU8('<html>no</html>'), 1000)).toThrow();
  });
});
