const powersOfTen = Array.from({ length: 18 }, (_, power) => 10 ** power);

/**
 * Reads the `coordinates` of a GeoJSON Polygon (`ringDepth` 2) or MultiPolygon (3) straight from its text, which is
 * several times faster than JSON and makes one typed array a ring: [lng0, lat0, lng1, lat1, …]. `start` is where the
 * outermost bracket opens, `end` is behind the one that closes it. Numbers are plain decimals with two to a position;
 * anything else, and a text cut short, is a SyntaxError.
 */
export function readCoordinates(
  text: Buffer,
  start: number,
  ringDepth: 2 | 3,
): { polygons: Float64Array[][]; end: number } {
  const polygons: Float64Array[][] = [];
  let rings: Float64Array[] = [];
  let ring = new Float64Array(1024);
  let length = 0;
  let depth = 0;
  let at = start;
  do {
    const byte = text[at];
    if (byte === 0x5b) {
      depth++;
      at++;
    } else if (byte === 0x5d) {
      if (depth === ringDepth) {
        rings.push(ring.slice(0, length));
        length = 0;
      } else if (depth === ringDepth - 1) {
        polygons.push(rings);
        rings = [];
      }
      depth--;
      at++;
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const isNegative = byte === 0x2d;
      let digits = 0;
      let decimals = 0;
      let isFraction = false;
      for (at = isNegative ? at + 1 : at; ; at++) {
        const digit = text[at];
        if (digit >= 0x30 && digit <= 0x39) {
          digits = digits * 10 + (digit - 0x30);
          if (isFraction) decimals++;
        } else if (digit === 0x2e) isFraction = true;
        else break;
      }
      if (length === ring.length) {
        const grown = new Float64Array(length * 2);
        grown.set(ring);
        ring = grown;
      }
      const value = digits / powersOfTen[decimals];
      ring[length++] = isNegative ? -value : value;
    } else if (byte === 0x2c || byte === 0x20) {
      at++;
    } else {
      const found = byte === undefined ? 'the end' : `'${String.fromCharCode(byte)}'`;
      throw new SyntaxError(`coordinates have ${found} at byte ${at}, expected plain decimals in brackets`);
    }
  } while (depth > 0);
  return { polygons, end: at };
}
