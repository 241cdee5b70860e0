import type { Bounds } from '../geo.ts';
/**
 * Which regions hold a position: an adaptive quadtree over longitude and latitude in typed arrays. Where no border
 * passes, a cell is one number; where one does, a cell holds the borders inside it, 4 bytes a vertex, and the answer
 * is an even-odd test on a few dozen vertices. A look-up allocates nothing.
 *
 * Regions belong to layers (one layer for the countries, one layer a country for its regions), so that regions of
 * different layers may lie over each other. `regionIndexBuilder` makes the columns and describes them.
 */

export type RegionIndexMeta = {
  bounds: Bounds;
  /** The node word of the whole bounds. */
  root: number;
  /** The widest margin around a cell that its leaf knows; 0 when positions in no region stay in none. */
  marginDegrees: number;
};

export type RegionIndexColumns = {
  /** Node words: top two bits the kind, the rest what it says (first of four children, set, or place in `leaves`). */
  nodes: Uint32Array;
  /** Leaves with borders: see leaf.ts. */
  leaves: Uint16Array;
  /** Set n holds the values setValues[setEnds[n - 1] … setEnds[n]). */
  setEnds: Uint32Array;
  setValues: Uint16Array;
  /** Layer of each value. */
  layerOf: Uint16Array;
};

export const nodeKind = { branch: 0, set: 1, leaf: 2 } as const;
const payload = 0x3fffffff;
/** Cells of this depth are smaller than a coordinate's last digit, so that deeper branches are damage. */
const maxDepth = 48;
/** Words before the entries of a group, and before the rings of an entry. */
const groupHead = 5;
const entryHead = 2;
/** Steps of a cell's coordinate grid: positions in a leaf are 16-bit. */
export const gridSteps = 65535;

/** Degrees around a cell that a leaf knows: as much as the cell's height times 1, 2, 4, … by level 1, 2, 3, …, or less. */
export function marginAt(height: number, level: number, marginDegrees: number): number {
  return Math.min(marginDegrees, height * 2 ** (level - 1));
}

export type RegionIndex = ReturnType<typeof regionIndex>;

/** Opens an index. */
export function regionIndex(meta: RegionIndexMeta, columns: RegionIndexColumns) {
  const { nodes, leaves, setEnds, setValues, layerOf } = columns;
  /** West, south, width and height of the cell that the last descent ended in. */
  const cell = new Float64Array(4);

  /** The first region of a layer that holds a position (lng, lat in degrees); -1 when none does. */
  function find(lng: number, lat: number, layer: number): number {
    const word = descend(lng, lat);
    if (word >>> 30 === nodeKind.leaf) return findInLeaf(word & payload, lng, lat, layer, undefined);
    const set = word & payload;
    const end = setEnds[set];
    for (let i = set === 0 ? 0 : setEnds[set - 1]; i < end; i++) {
      const value = setValues[i];
      if (layerOf[value] === layer) return value;
    }
    return -1;
  }

  /** Every region that holds a position, in the order they were given; empty when none does. */
  function findAll(lng: number, lat: number): number[] {
    const word = descend(lng, lat);
    const set = word & payload;
    if (word >>> 30 === nodeKind.leaf) {
      const found: number[] = [];
      findInLeaf(set, lng, lat, -1, found);
      return found;
    }
    return Array.from(setValues.subarray(set === 0 ? 0 : setEnds[set - 1], setEnds[set]));
  }

  function descend(lng: number, lat: number): number {
    let { west, south, east, north } = meta.bounds;
    let word = meta.root;
    for (let depth = 0; word >>> 30 === nodeKind.branch; depth++) {
      if (depth > maxDepth) throw new RangeError('the region index has a branch that leads nowhere');
      const middleX = (west + east) / 2;
      const middleY = (south + north) / 2;
      let child = word;
      if (lng >= middleX) {
        child += 1;
        west = middleX;
      } else east = middleX;
      if (lat >= middleY) {
        child += 2;
        south = middleY;
      } else north = middleY;
      word = nodes[child];
    }
    cell[0] = west;
    cell[1] = south;
    cell[2] = east - west;
    cell[3] = north - south;
    return word;
  }

  /** Reads the groups of a leaf; with `found`, every value goes there and the answer means nothing. */
  function findInLeaf(start: number, lng: number, lat: number, layer: number, found: number[] | undefined): number {
    const [west, south, width, height] = cell;
    let at = start + 1;
    for (let left = leaves[start]; left > 0; left--) {
      const next = endOf(at, leaves[at], groupHead);
      if (layer < 0 || leaves[at + 1] === layer) {
        const level = leaves[at + 2];
        const margin = level > 0 ? marginAt(height, level, meta.marginDegrees) : 0;
        const x = ((lng - west + margin) / (width + 2 * margin)) * gridSteps;
        const y = ((lat - south + margin) / (height + 2 * margin)) * gridSteps;
        let hit = -1;
        let entry = at + groupHead;
        for (let entries = leaves[at + 4]; entries > 0; entries--) {
          const value = leaves[entry];
          const end = endOf(entry, leaves[entry + 1], entryHead);
          if (holds(leaves, entry + entryHead, end, x, y)) {
            if (hit < 0) hit = value;
            if (!found) break;
            found.push(value);
          }
          entry = end;
        }
        if (hit < 0) {
          const stretch = (Math.cos((lat * Math.PI) / 180) * (width + 2 * margin)) / (height + 2 * margin);
          hit = level > 0 ? nearestEntry(leaves, at, next, x, y, stretch) : leaves[at + 3] - 1;
          if (found && hit >= 0) found.push(hit);
        }
        if (!found) return hit;
      }
      at = next;
    }
    return -1;
  }

  return { find, findAll };
}

/** Where a part of a leaf ends; throws where it is too short to be one, as a loop over parts would never end. */
function endOf(start: number, length: number, head: number): number {
  if (length >= head) return start + length;
  throw new RangeError(`a leaf of the region index has a part of ${length} words`);
}

/** Even-odd test of a position against the rings in leaves[start … end). */
function holds(leaves: Uint16Array, start: number, end: number, x: number, y: number): boolean {
  let inside = false;
  for (let at = start; at < end; ) {
    const ringEnd = at + 1 + leaves[at] * 2;
    let x0 = leaves[ringEnd - 2];
    let y0 = leaves[ringEnd - 1];
    for (let i = at + 1; i < ringEnd; i += 2) {
      const x1 = leaves[i];
      const y1 = leaves[i + 1];
      if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) inside = !inside;
      x0 = x1;
      y0 = y1;
    }
    at = ringEnd;
  }
  return inside;
}

/** The entry of a group whose borders come nearest to a position; `stretch` is a step in x measured in steps in y. */
function nearestEntry(leaves: Uint16Array, group: number, end: number, x: number, y: number, stretch: number): number {
  let best = -1;
  let bestSquare = Number.POSITIVE_INFINITY;
  for (let entry = group + groupHead; entry < end; ) {
    const entryEnd = endOf(entry, leaves[entry + 1], entryHead);
    for (let at = entry + entryHead; at < entryEnd; ) {
      const ringEnd = at + 1 + leaves[at] * 2;
      let x0 = (leaves[ringEnd - 2] - x) * stretch;
      let y0 = leaves[ringEnd - 1] - y;
      for (let i = at + 1; i < ringEnd; i += 2) {
        const x1 = (leaves[i] - x) * stretch;
        const y1 = leaves[i + 1] - y;
        const dx = x1 - x0;
        const dy = y1 - y0;
        const length = dx * dx + dy * dy;
        const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * dx + y0 * dy) / length));
        const square = (x0 + along * dx) ** 2 + (y0 + along * dy) ** 2;
        if (square < bestSquare) {
          bestSquare = square;
          best = leaves[entry];
        }
        x0 = x1;
        y0 = y1;
      }
      at = ringEnd;
    }
    entry = entryEnd;
  }
  return best;
}
