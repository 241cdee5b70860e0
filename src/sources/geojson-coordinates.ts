/**
 * The polygons in the `coordinates` of a GeoJSON Polygon or MultiPolygon: rings as [lng0, lat0, lng1, lat1, …], heights left out. `start` is
 * where the outermost bracket opens in the text, `end` behind the one that closes it. Throws SyntaxError for anything else.
 */
export function readCoordinates(text: Buffer, start: number, isMulti: boolean) {
  // Coordinates have neither texts nor objects in them: the next one of these is behind them.
  const ends = [text.indexOf('"', start), text.indexOf('}', start)].filter((at) => at >= 0);
  const end = 1 + text.lastIndexOf(']', Math.min(text.length, ...ends));
  try {
    const coordinates = JSON.parse(text.toString('latin1', start, end));
    const polygons: number[][][][] = isMulti ? coordinates : [coordinates];
    return { polygons: polygons.map((rings) => rings.map(ringOf)), end };
  } catch (error) {
    throw new SyntaxError(`the coordinates from byte ${start} on are none of polygons: ${(error as Error).message}`);
  }
}

function ringOf(positions: readonly number[][]): Float64Array {
  const ring = new Float64Array(2 * positions.length);
  for (const [at, [lng, lat]] of positions.entries()) {
    if (typeof lng !== 'number' || typeof lat !== 'number') throw new TypeError(`position ${at} is no two numbers`);
    ring[2 * at] = lng;
    ring[2 * at + 1] = lat;
  }
  return ring;
}
