/**
 * Cells of a grid in degrees at several sizes: which cell holds a position, and which cells a circle touches. Search
 * indexes list each record under its cell of every size, so a circle is a handful of cells whatever its radius.
 */
import { earthRadiusKm, type LatLng } from './geo.ts';

/** Edge of a cell in degrees, from fine (about 1 km) to coarse. */
export const cellSizes = [0.01, 0.05, 0.5, 5] as const;
const degreesPerKm = 180 / (Math.PI * earthRadiusKm);
/** A circle is covered by the finest cells of which at most this many are needed, or else by the coarsest. */
const maxCells = 24;
/** Names of the cells that hold a position, one of each size, for use as search terms. */
export function cellsAt({ lat, lng }: LatLng): string[] {
  return cellSizes.map((size, level) => cellName(level, row(lat, size), column(lng, size)));
}

/** Number of a cell of some size in a grid of its own: equal for positions in one cell. */
export function cellNumber({ lat, lng }: LatLng, size: number): number {
  return row(lat, size) * columns(size) + column(lng, size);
}

/** Numbers of the cells of some size that a circle touches. */
export function cellNumbersAround(center: LatLng, radiusKm: number, size: number): number[] {
  const found: number[] = [];
  visitCells(center, radiusKm, size, (y, x) => found.push(y * columns(size) + x));
  return found;
}

/** Numbers of the cells of some size that a rectangle in degrees touches; `west` is not above `east`. */
export function cellNumbersIn(bounds: Rectangle, size: number): number[] {
  const found: number[] = [];
  visitIn(bounds, size, (y, x) => found.push(y * columns(size) + x));
  return found;
}

/** Names of the cells that a rectangle touches: of the finest size with at most `limit` cells, or of the coarsest. */
export function cellsIn(bounds: Rectangle, limit: number): string[] {
  const count = (size: number) =>
    (row(bounds.north, size) - row(bounds.south, size) + 1) *
    (Math.floor(bounds.east / size) - Math.floor(bounds.west / size) + 1);
  const fine = cellSizes.findIndex((size) => count(size) <= limit);
  const level = fine < 0 ? cellSizes.length - 1 : fine;
  const found: string[] = [];
  visitIn(bounds, cellSizes[level], (y, x) => found.push(cellName(level, y, x)));
  return found;
}

type Rectangle = { south: number; west: number; north: number; east: number };

function visitIn({ south, west, north, east }: Rectangle, size: number, visit: (row: number, column: number) => void) {
  const across = Math.min(columns(size), Math.floor((east + 180) / size) - Math.floor((west + 180) / size) + 1);
  for (let y = row(south, size); y <= row(north, size); y++) {
    for (let x = 0; x < across; x++) visit(y, column(west + x * size, size));
  }
}

/** Names of the cells of one size that a circle touches: of the finest size of which few suffice. */
export function cellsAround(center: LatLng, radiusKm: number): string[] {
  const isFew = (size: number) => {
    const { rows, columns: across } = extent(center, radiusKm, size);
    return rows.length * across.length <= maxCells;
  };
  // At a pole all longitudes are near, and even of the coarsest cells there are more.
  const fine = cellSizes.findIndex(isFew);
  const level = fine < 0 ? cellSizes.length - 1 : fine;
  const found: string[] = [];
  visitCells(center, radiusKm, cellSizes[level], (y, x) => found.push(cellName(level, y, x)));
  return found;
}

const columns = (size: number) => Math.round(360 / size);
const row = (lat: number, size: number) => Math.floor((lat + 90) / size);
const column = (lng: number, size: number) => modulo(Math.floor((lng + 180) / size), columns(size));
const modulo = (value: number, by: number) => ((value % by) + by) % by;
const cellName = (level: number, y: number, x: number) =>
  `=${'abcd'[level]}${(y * columns(cellSizes[level]) + x).toString(36)}`;

type Span = { first: number; length: number };

/** The rows and columns of the box around a circle; all columns where it reaches a pole. */
function extent({ lat, lng }: LatLng, radiusKm: number, size: number): { rows: Span; columns: Span } {
  // A margin for the rounding of stored positions.
  const reach = radiusKm * degreesPerKm + 1e-6;
  const south = Math.max(-90, lat - reach);
  const north = Math.min(90, lat + reach);
  const rows = { first: row(south, size), length: row(north, size) - row(south, size) + 1 };
  const sine = Math.sin((Math.min(90, reach) * Math.PI) / 180) / Math.cos((lat * Math.PI) / 180);
  if (sine >= 1) return { rows, columns: { first: 0, length: columns(size) } };
  const across = (Math.asin(sine) * 180) / Math.PI;
  const first = Math.floor((lng - across + 180) / size);
  const last = Math.floor((lng + across + 180) / size);
  return { rows, columns: { first, length: Math.min(columns(size), last - first + 1) } };
}

function visitCells(center: LatLng, radiusKm: number, size: number, visit: (row: number, column: number) => void) {
  const { rows, columns: across } = extent(center, radiusKm, size);
  for (let y = rows.first; y < rows.first + rows.length; y++) {
    for (let x = across.first; x < across.first + across.length; x++) visit(y, modulo(x, columns(size)));
  }
}
