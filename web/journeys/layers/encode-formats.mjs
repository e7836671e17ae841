// Minimal valid files of drawable formats: images, vector tiles, GeoTIFF, PMTiles. Written by hand because each consists
// of a few bytes around a few numbers, and tests should show what they contain.

import { crc32, deflateSync } from 'node:zlib';

const u32be = (n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n]);

/** Returns an image of one colour with stripes of another, so that it is not mistaken for a blank tile. */
export function png(width, height, [r, g, b]) {
  const row = Buffer.alloc(1 + width * 4);
  const rows = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) row.set((x + y) % 16 < 4 ? [255 - r, 255 - g, 255 - b, 255] : [r, g, b, 255], 1 + x * 4);
    rows.push(Buffer.from(row));
  }
  const chunk = (name, body) => {
    const named = Buffer.concat([Buffer.from(name), body]);
    return Buffer.concat([u32be(body.length), named, u32be(crc32(named))]);
  };
  const head = Buffer.concat([u32be(width), u32be(height), Buffer.from([8, 6, 0, 0, 0])]);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

function varint(n) {
  const bytes = [];
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
  return Buffer.from([...bytes, n]);
}
const field = (number, body) => Buffer.concat([varint((number << 3) | 2), varint(body.length), body]);
const number = (at, n) => Buffer.concat([varint(at << 3), varint(n)]);

/** Returns a vector tile with one layer and one polygon, a square in the middle. */
export function mvt(layer) {
  const zigzag = (n) => (n < 0 ? -2 * n - 1 : 2 * n);
  const ring = [9, zigzag(512), zigzag(512), (3 << 3) | 2, zigzag(3072), zigzag(0), zigzag(0), zigzag(3072), zigzag(-3072), zigzag(0), 15];
  const feature = Buffer.concat([number(3, 3), field(4, Buffer.concat(ring.map(varint)))]);
  return field(3, Buffer.concat([number(15, 2), field(1, Buffer.from(layer)), field(2, feature), number(5, 4096)]));
}

/** Returns a PMTiles archive with identical tiles at zoom levels 0 to 4. */
export function pmtiles(tile, name) {
  const levels = 5;
  const tiles = (4 ** levels - 1) / 3;
  // One entry with a run length: the first tile, repeated.
  const root = Buffer.concat([1, 0, tiles, tile.length, 1].map(varint));
  const about = Buffer.from(JSON.stringify({ name, vector_layers: [{ id: 'areas', fields: {} }] }));
  const head = Buffer.alloc(127);
  head.write('PMTiles');
  head[7] = 3;
  const at = [127, root.length, 127 + root.length, about.length, 0, 0, 127 + root.length + about.length, tile.length, tiles, 1, 1];
  at.forEach((n, i) => head.writeBigUInt64LE(BigInt(n), 8 + i * 8));
  // Clustered; no compression; vector tiles; zoom levels.
  head.set([1, 1, 1, 1, 0, levels - 1], 96);
  [-170, -80, 170, 80].forEach((degrees, i) => head.writeInt32LE(degrees * 1e7, 102 + i * 4));
  return Buffer.concat([head, root, about, tile]);
}

/** Returns a cloud-optimised GeoTIFF of elevations in degrees, 16 bits each: tiles, one overview, directories before pixels. */
export function cog([west, north], degreesAPixel) {
  const tile = 256;
  const image = (size, overview) => ({ size, overview, tiles: (size / tile) ** 2 });
  const images = [image(512, false), image(256, true)];
  const tagsOf = ({ size, overview, tiles }, offsets) => {
    const counts = Array(tiles).fill(tile * tile * 2);
    const tags = [
      [254, 4, [overview ? 1 : 0]],
      [256, 3, [size]],
      [257, 3, [size]],
      [258, 3, [16]],
      [259, 3, [1]],
      [262, 3, [1]],
      [277, 3, [1]],
      [322, 3, [tile]],
      [323, 3, [tile]],
      [324, 4, offsets],
      [325, 4, counts],
      [339, 3, [1]],
    ];
    // Pixel is area, WGS 84.
    const place = [[33550, 12, [degreesAPixel, degreesAPixel, 0]], [33922, 12, [0, 0, 0, west, north, 0]], [34735, 3, [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]]];
    return overview ? tags : [...tags, ...place];
  };
  const bytes = { 3: 2, 4: 4, 12: 8 };
  const write = (offsetsOf) => {
    const out = [];
    let at = 8;
    images.forEach((one, index) => {
      const tags = tagsOf(one, offsetsOf(index));
      const head = Buffer.alloc(2 + tags.length * 12 + 4);
      const rest = [];
      let free = at + head.length;
      head.writeUInt16LE(tags.length);
      tags.forEach(([tag, type, values], i) => {
        const body = Buffer.alloc(Math.max(4, values.length * bytes[type]));
        values.forEach((value, n) => (type === 12 ? body.writeDoubleLE(value, n * 8) : type === 4 ? body.writeUInt32LE(value, n * 4) : body.writeUInt16LE(value, n * 2)));
        const place = 2 + i * 12;
        head.writeUInt16LE(tag, place);
        head.writeUInt16LE(type, place + 2);
        head.writeUInt32LE(values.length, place + 4);
        if (body.length <= 4) body.copy(head, place + 8);
        else {
          head.writeUInt32LE(free, place + 8);
          rest.push(body);
          free += body.length;
        }
      });
      head.writeUInt32LE(index + 1 < images.length ? free : 0, head.length - 4);
      out.push(head, ...rest);
      at = free;
    });
    return { directories: Buffer.concat(out), end: at };
  };
  const { end } = write((index) => Array(images[index].tiles).fill(0));
  const offsets = (index) => Array.from({ length: images[index].tiles }, (_, n) => end + (index * images[0].tiles + n) * tile * tile * 2);
  const head = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const pixels = images.flatMap(({ tiles }) => Array.from({ length: tiles }, (_, n) => Buffer.from(Uint16Array.from({ length: tile * tile }, (_, i) => 400 + ((60 * (n + 1) + (i >> 4)) % 256)).buffer)));
  return Buffer.concat([head, write(offsets).directories, ...pixels]);
}
