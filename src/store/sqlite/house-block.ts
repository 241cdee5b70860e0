/** Compact encodings of a street's houses, sorted by number, each as the difference from the one before, and of its vertices. */

import {
  type Bounds,
  cellNumber,
  cellNumbersAround,
  cellNumbersIn,
  distanceKm,
  interleaved,
  type LatLng,
} from '../../core/geo.ts';
import { numberOfObject, objectOfNumber } from '../../core/osm-object.ts';
import { ProtobufReader } from '../../core/protobuf-reader.ts';
import type { House } from '../street-parts.ts';
import { ByteWriter } from './bytes.ts';

export type NewHouse = Pick<House, 'text' | 'otherNumber' | 'lat' | 'lng' | 'postcode' | 'source' | 'object'>;

const scale = 1e6;
const hasText = 1;
const hasPostcode = 2;
const hasSource = 4;
/** Added to the first ordinal of a block whose houses have objects of OpenStreetMap, above every ordinal. */
const withObjects = 2 ** 20;

const writer = new ByteWriter();

/** Packs houses that are sorted by base number; `firstOrdinal` is the ordinal of the first one. */
export function packHouses(houses: readonly (NewHouse & { base: number })[], firstOrdinal: number): Buffer {
  const hasObjects = houses.some(({ object }) => object !== undefined);
  writer.writeVarint(hasObjects ? withObjects + firstOrdinal : firstOrdinal);
  let [base, lat, lng, postcode, source, number] = [0, 0, 0, -1, 0, 0];
  for (const house of houses) {
    const y = Math.round(house.lat * scale);
    const x = Math.round(house.lng * scale);
    const text = house.otherNumber === undefined ? house.text : `${house.text}\t${house.otherNumber}`;
    const flags =
      (text === String(house.base) ? 0 : hasText) |
      (house.postcode === postcode ? 0 : hasPostcode) |
      (house.source === source ? 0 : hasSource);
    // Flags and a small step in number share a byte.
    writer.writeVarint((house.base - base) * 8 + flags);
    if (flags & hasText) writer.writeString(text);
    if (flags & hasPostcode) writer.writeVarint(house.postcode + 1);
    if (flags & hasSource) writer.writeVarint(house.source);
    writer.writeSVarint(y - lat);
    writer.writeSVarint(x - lng);
    if (hasObjects) {
      const own = house.object === undefined ? 0 : numberOfObject(house.object);
      writer.writeSVarint(own - number);
      number = own;
    }
    [base, lat, lng, postcode, source] = [house.base, y, x, house.postcode, house.source];
  }
  return writer.take();
}

/** The houses of a block, by base number. */
export function unpackHouses(bytes: Uint8Array): House[] {
  const reader = new ProtobufReader(bytes);
  const start = reader.varint();
  const hasObjects = start >= withObjects;
  let ordinal = start % withObjects;
  const houses: House[] = [];
  let [base, lat, lng, postcode, source, number] = [0, 0, 0, -1, 0, 0];
  while (!reader.isAtEnd) {
    const head = reader.varint();
    base += Math.floor(head / 8);
    // No field of a record has a tab in it.
    const [text, otherNumber] = head & hasText ? reader.text().split('\t', 2) : [String(base)];
    if (head & hasPostcode) postcode = reader.varint() - 1;
    if (head & hasSource) source = reader.varint();
    lat += reader.signed();
    lng += reader.signed();
    if (hasObjects) number += reader.signed();
    houses.push({
      ordinal,
      text,
      ...(otherNumber !== undefined && { otherNumber }),
      base,
      lat: lat / scale,
      lng: lng / scale,
      postcode,
      source,
      ...(number !== 0 && { object: objectOfNumber(number) }),
    });
    ordinal++;
  }
  return houses;
}

// A compact encoding of a street's vertices, to 1e-7 degrees (about 1 cm), as in OpenStreetMap.

const lineScale = 1e7;

/** Packs lines, each lng, lat, lng, lat, … in degrees. */
export function packLines(lines: readonly Float64Array[]): Buffer {
  let [lng, lat] = [0, 0];
  for (const line of lines) {
    writer.writeVarint(line.length / 2);
    for (let at = 0; at < line.length; at += 2) {
      const x = Math.round(line[at] * lineScale);
      const y = Math.round(line[at + 1] * lineScale);
      writer.writeSVarint(x - lng);
      writer.writeSVarint(y - lat);
      [lng, lat] = [x, y];
    }
  }
  return writer.take();
}

/** Calls `visit` with every vertex of packed lines. */
function visitVertices(bytes: Uint8Array, visit: (lat: number, lng: number) => void): void {
  const reader = new ProtobufReader(bytes);
  let [lng, lat] = [0, 0];
  while (!reader.isAtEnd) {
    for (let left = reader.count(); left > 0; left--) {
      lng += reader.signed();
      lat += reader.signed();
      visit(lat / lineScale, lng / lineScale);
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
  const reader = new ProtobufReader(bytes);
  const lines: Float64Array[] = [];
  let [lng, lat] = [0, 0];
  while (!reader.isAtEnd) {
    const line = new Float64Array(2 * reader.count());
    for (let at = 0; at < line.length; at += 2) {
      lng += reader.signed();
      lat += reader.signed();
      line[at] = lng / lineScale;
      line[at + 1] = lat / lineScale;
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

// Positions on the Z-order curve (Morton 1966) through a grid of square cells: neighbours on the ground are mostly
// neighbours on the curve, and every larger cell of the grid is one range of it.

/** The finest cells are 360° / 2^16 wide and high, about 600 m. */
const finest = 16;
/**
 * Maximum height of a circle in cells, and twice the minimum: small cells fit its shape, few cells are fast to find.
 */
const maxCellRows = 4;
/** Near a pole a circle spans many degrees of longitude; there larger cells are used. */
const maxCellColumns = 16;
const kmPerDegree = 111;

const sizeOf = (level: number) => 360 / 2 ** level;

/** Number of positions on the curve. */
export const curveLength = 4 ** finest;

/** A coordinate's position on the curve, from 0 to curveLength - 1. */
export function curveAt(position: LatLng): number {
  return onCurve(cellNumber(position, sizeOf(finest)), finest);
}

/** Ranges of the curve, ends included, that cover a circle; they include other positions too. */
export function curveAround(center: LatLng, radiusKm: number): [first: number, last: number][] {
  const reach = Math.max(radiusKm, 1e-3) / kmPerDegree;
  const poleward = Math.min(90, Math.abs(center.lat) + reach);
  const across = Math.min(360, (2 * reach) / Math.cos((poleward * Math.PI) / 180));
  const largest = Math.max((2 * reach) / maxCellRows, across / maxCellColumns);
  const level = Math.max(0, Math.min(finest, Math.floor(Math.log2(360 / largest))));
  const cells = cellNumbersAround(center, radiusKm, sizeOf(level));
  const width = 4 ** (finest - level);
  const starts = cells.map((cell) => onCurve(cell, level) * width).sort((a, b) => a - b);
  const stretches: [number, number][] = [];
  for (const start of starts) {
    const before = stretches.at(-1);
    if (before?.[1] === start - 1) before[1] = start + width - 1;
    else stretches.push([start, start + width - 1]);
  }
  return stretches;
}

/** Ranges of the curve, ends included, one for each of a few cells that cover a rectangle. */
export function curveIn(bounds: Bounds): [first: number, last: number][] {
  const largest = Math.max(bounds.north - bounds.south, bounds.east - bounds.west) / maxCellRows;
  const level = Math.max(0, Math.min(finest, Math.floor(Math.log2(360 / largest))));
  const width = 4 ** (finest - level);
  return cellNumbersIn(bounds, sizeOf(level)).map((cell) => {
    const start = onCurve(cell, level) * width;
    return [start, start + width - 1];
  });
}

/** A cell's position on the curve through a grid of 2^level columns, in which `cell` counts row by row. */
const onCurve = (cell: number, level: number): number =>
  interleaved(Math.floor(cell / 2 ** level), cell % 2 ** level, level);
