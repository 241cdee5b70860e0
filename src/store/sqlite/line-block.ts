/** A compact encoding of a street's vertices, to 1e-7 degrees (about 1 cm), as in OpenStreetMap. */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

const scale = 1e7;
const writer = new ByteWriter();

/** Packs lines, each lng, lat, lng, lat, … in degrees. */
export function packLines(lines: readonly Float64Array[]): Buffer {
  let [lng, lat] = [0, 0];
  for (const line of lines) {
    writer.unsigned(line.length / 2);
    for (let at = 0; at < line.length; at += 2) {
      const x = Math.round(line[at] * scale);
      const y = Math.round(line[at + 1] * scale);
      writer.signed(x - lng);
      writer.signed(y - lat);
      [lng, lat] = [x, y];
    }
  }
  return writer.take();
}

/** Calls `visit` with every vertex of packed lines. */
function visitVertices(bytes: Uint8Array, visit: (lat: number, lng: number) => void): void {
  const reader = new ByteReader(bytes);
  let [lng, lat] = [0, 0];
  while (!reader.isAtEnd) {
    for (let left = reader.count(); left > 0; left--) {
      lng += reader.signed();
      lat += reader.signed();
      visit(lat / scale, lng / scale);
    }
  }
}

/** Every vertex of packed lines. */
export function verticesOf(bytes: Uint8Array): LatLng[] {
  const found: LatLng[] = [];
  visitVertices(bytes, (lat, lng) => found.push({ lat, lng }));
  return found;
}

/** The lines that were packed. */
export function unpackLines(bytes: Uint8Array): Float64Array[] {
  const reader = new ByteReader(bytes);
  const lines: Float64Array[] = [];
  let [lng, lat] = [0, 0];
  while (!reader.isAtEnd) {
    const line = new Float64Array(2 * reader.count());
    for (let at = 0; at < line.length; at += 2) {
      lng += reader.signed();
      lat += reader.signed();
      line[at] = lng / scale;
      line[at + 1] = lat / scale;
    }
    lines.push(line);
  }
  return lines;
}

/** Great-circle distance in km from a position to the nearest vertex; Infinity when there is none. */
export function nearestVertexKm(bytes: Uint8Array, from: LatLng): number {
  const radians = Math.PI / 180;
  const cosine = Math.cos(from.lat * radians);
  let [bestLat, bestLng, best] = [0, 0, Number.POSITIVE_INFINITY];
  visitVertices(bytes, (lat, lng) => {
    // The haversine increases with the distance, so the arc sine is computed only once.
    const sinLat = Math.sin(((lat - from.lat) * radians) / 2);
    const sinLng = Math.sin(((lng - from.lng) * radians) / 2);
    const h = sinLat * sinLat + cosine * Math.cos(lat * radians) * sinLng * sinLng;
    if (h < best) [bestLat, bestLng, best] = [lat, lng, h];
  });
  return best === Number.POSITIVE_INFINITY ? best : distanceKm(from, { lat: bestLat, lng: bestLng });
}
