/** A PMTiles archive of version 3 with the one tile of zoom 0, uncompressed; https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. */

const tileTypes = { mvt: 1, png: 2 };
const headerBytes = 127;

/** The archive, and where its tile begins. */
export function pmtilesOf(tile: Uint8Array, type: keyof typeof tileTypes, metadata: object) {
  // One entry: its tile, run length, length and offset (0 means "behind the one before").
  const directory = Buffer.from([1, 0, 1, ...varint(tile.length), 1]);
  const text = Buffer.from(JSON.stringify(metadata));
  const tileAt = headerBytes + directory.length + text.length;
  const header = Buffer.alloc(headerBytes);
  header.write('PMTiles\x03', 'latin1');
  const sections = [
    headerBytes,
    directory.length,
    headerBytes + directory.length,
    text.length,
    0,
    0,
    tileAt,
    tile.length,
  ];
  for (const [at, value] of [...sections, 1, 1, 1].entries()) header.writeBigUInt64LE(BigInt(value), 8 + at * 8);
  // Clustered; neither directories nor tiles are compressed; zooms 0 to 0.
  header.set([1, 1, 1, tileTypes[type], 0, 0], 96);
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + at * 4);
  return { bytes: Buffer.concat([header, directory, text, tile]), tileAt };
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
