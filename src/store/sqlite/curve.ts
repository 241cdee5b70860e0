/**
 * Positions on the Z-order curve (Morton 1966) through a grid of square cells: neighbours on the ground are mostly
 * neighbours on the curve, and every larger cell of the grid is one range of it.
 */
import type { LatLng } from '../../core/geo.ts';
import { cellNumber, cellNumbersAround, cellNumbersIn } from '../../core/geo-cells.ts';
import type { Bounds } from '../bounds.ts';

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
  return interleaved(cellNumber(position, sizeOf(finest)), finest);
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
  const starts = cells.map((cell) => interleaved(cell, level) * width).sort((a, b) => a - b);
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
    const start = interleaved(cell, level) * width;
    return [start, start + width - 1];
  });
}

/** The bits of a cell's row and column in turns; `cell` counts row by row in a grid of 2^level columns. */
function interleaved(cell: number, level: number): number {
  const columns = 2 ** level;
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  let value = 0;
  for (let bit = level - 1; bit >= 0; bit--) value = value * 4 + ((row >> bit) & 1) * 2 + ((column >> bit) & 1);
  return value;
}
