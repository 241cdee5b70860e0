/**
 * Tiles of one degree and the cells of 0.01 degrees in them. Objects are worked on tile by tile, so that only the
 * boundaries, places and addresses of a tile have to be in memory.
 */
import type { LatLng } from '../../core/geo.ts';

const cellsPerTile = 100;
const cellColumns = 360 * cellsPerTile;

/** A cell of 0.01 degrees by its row from the south pole and its column from the antimeridian. */
export type Cell = { row: number; column: number };

export function cellAt({ lat, lng }: LatLng): Cell {
  return {
    row: Math.floor((lat + 90) * cellsPerTile),
    column: Math.floor((lng + 180) * cellsPerTile) % cellColumns,
  };
}

/** The cell some rows and columns on, around the world where necessary. */
export function neighbourCell({ row, column }: Cell, rows: number, columns: number): Cell {
  return { row: row + rows, column: (column + columns + cellColumns) % cellColumns };
}

/** One number for a cell; the cells of a tile follow each other. */
export function cellKey(cell: Cell): number {
  const inTile = (cell.row % cellsPerTile) * cellsPerTile + (cell.column % cellsPerTile);
  return tileOf(cell) * cellsPerTile ** 2 + inTile;
}

/** The tile of a cell. */
export function tileOf({ row, column }: Cell): number {
  return tileKey(Math.floor(row / cellsPerTile), Math.floor(column / cellsPerTile));
}

export const tileAt = (position: LatLng): number => tileOf(cellAt(position));

/** The tiles around an area from its south-western to its north-eastern corner; `east` may be above 180. */
export function tilesOf(area: { south: number; north: number; west: number; east: number }): Set<number> {
  const tiles = new Set<number>();
  const columns = [Math.floor(area.west + 180), Math.floor(area.east + 180)];
  for (let row = Math.floor(area.south + 90); row <= Math.floor(area.north + 90); row++) {
    for (let column = columns[0]; column <= Math.min(columns[1], columns[0] + 359); column++) {
      tiles.add(tileKey(row, ((column % 360) + 360) % 360));
    }
  }
  return tiles;
}

/** Bits of row and column in turn (Morton order), so that tiles near each other are mostly worked on soon after each other. */
function tileKey(row: number, column: number): number {
  return spread(column) | (spread(row) << 1);
}

function spread(bits: number): number {
  let spaced = bits & 0xffff;
  spaced = (spaced | (spaced << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}
