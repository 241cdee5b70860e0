import { clipRings, clipToBox } from './clip.ts';
import { appendLeaf, type LeafGroup, Words } from './leaf.ts';
import { marginAt, nodeKind, type RegionIndexColumns, type RegionIndexMeta } from './region-index.ts';
import { type Box, type Ring, signedArea, thinned } from './ring.ts';

/** One region's land: outer rings anticlockwise, holes clockwise (see `orientedRing`); parts do not overlap. */
export type Area = { value: number; rings: Ring[] };

export type RegionIndexOptions = {
  bounds: Box;
  /** Layer of each value; values and layers are below 65,535. */
  layerOf: Uint16Array;
  /**
   * With it, a position in no area belongs to the nearest area of the layer, if one is within about `marginDegrees`:
   * where only one area is that near, whole cells (at most `maxCellDegrees` high) answer it. Without, to none.
   */
  fill?: { marginDegrees: number; maxCellDegrees: number };
  /** How far, in degrees, borders that are one may lie apart in the source: gaps this narrow count as none. */
  slackDegrees: number;
  /** A cell with more vertices than this is split. */
  maxVertices: number;
  /** A leaf with borders is at least this deep, so that its 16-bit grid is fine enough, and at most that deep. */
  minDepth: number;
  maxDepth: number;
  /** Called as top-level cells are done, with the share of the bounds that is. */
  onProgress?: (share: number) => void;
};

/** One layer in a cell: either a value that holds all of it, or areas with borders. */
type Group = {
  layer: number;
  whole: number;
  areas: Area[];
  /** Whether the areas leave no gap in the cell. */
  isCovered: boolean;
  /** How far around the cell the areas reach, as the level of `marginAt`. */
  marginLevel: number;
  /** Whether the only area left has been thinned: from here on it counts where it is, not how its border runs. */
  isThinned: boolean;
};

/** Builds a RegionIndex: give it areas, or build a tree of your own from `subtree`, `set` and `branch`. */
export class RegionIndexBuilder {
  readonly #options: RegionIndexOptions;
  #nodes = new Uint32Array(1 << 12);
  #nodeCount = 0;
  readonly #leaves = new Words();
  readonly #sets = new Map<string, number>();
  readonly #setValues: number[] = [];
  readonly #setEnds: number[] = [];
  #topCellsDone = 0;

  constructor(options: RegionIndexOptions) {
    this.#options = options;
    this.set([]);
  }

  /** The node word of a cell in which every position has these values, in this order. */
  set(values: readonly number[]): number {
    const key = values.join();
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = this.#setEnds.length;
      this.#sets.set(key, set);
      this.#setValues.push(...values);
      this.#setEnds.push(this.#setValues.length);
    }
    return (nodeKind.set << 30) | set;
  }

  /** The node word of a cell of four children: south-west, south-east, north-west, north-east. */
  branch(southWest: number, southEast: number, northWest: number, northEast: number): number {
    const same = southWest === southEast && southWest === northWest && southWest === northEast;
    if (same && southWest >>> 30 === nodeKind.set) return southWest;
    if (this.#nodeCount + 4 > this.#nodes.length) {
      const grown = new Uint32Array(this.#nodes.length * 2);
      grown.set(this.#nodes);
      this.#nodes = grown;
    }
    const first = this.#nodeCount;
    this.#nodes.set([southWest, southEast, northWest, northEast], first);
    this.#nodeCount += 4;
    return first;
  }

  /** The node word of a cell at a depth (0 = the whole bounds) with its areas. */
  subtree(box: Box, depth: number, areas: readonly Area[]): number {
    const byLayer = new Map<number, Group>();
    for (const area of areas) {
      const layer = this.#options.layerOf[area.value];
      const group = byLayer.get(layer) ?? {
        layer,
        whole: -1,
        areas: [],
        isCovered: false,
        marginLevel: 1,
        isThinned: false,
      };
      group.areas.push(area);
      byLayer.set(layer, group);
    }
    return this.#node(box, depth, [...byLayer.values()]);
  }

  /** The finished index with `root` as its top. */
  finish(root: number): { meta: RegionIndexMeta; columns: RegionIndexColumns } {
    const { bounds, fill, layerOf } = this.#options;
    return {
      meta: { bounds, root: root >>> 0, marginDegrees: fill?.marginDegrees ?? 0 },
      columns: {
        nodes: this.#nodes.slice(0, this.#nodeCount),
        leaves: this.#leaves.finish(),
        setEnds: Uint32Array.from(this.#setEnds),
        setValues: Uint16Array.from(this.#setValues),
        layerOf,
      },
    };
  }

  #node(box: Box, depth: number, groups: Group[]): number {
    const { fill, maxVertices, minDepth, maxDepth } = this.#options;
    const isSmall = !fill || box.north - box.south <= fill.maxCellDegrees;
    let vertices = 0;
    let mustSplit = false;
    for (const group of groups) {
      if (group.whole >= 0) continue;
      this.#simplify(group, box);
      if (fill && !group.isCovered && !isSmall) {
        mustSplit = true;
        if (group.whole < 0) this.#thin(group, fill.marginDegrees / 16);
      } else if (fill && !group.isCovered && group.areas.length === 1) group.whole = group.areas[0].value;
      if (group.whole < 0)
        for (const area of group.areas) for (const ring of area.rings) vertices += ring.xy.length / 2;
    }
    if (!mustSplit) {
      if (vertices === 0) return this.set(groups.map((group) => group.whole));
      if ((vertices <= maxVertices && depth >= minDepth) || depth === maxDepth) return this.#leaf(box, groups);
    }
    const middleX = (box.west + box.east) / 2;
    const middleY = (box.south + box.north) / 2;
    const words = [0, 0, 0, 0];
    for (const east of [0, 1] as const) {
      const half = groups.map((group) => this.#half(group, 0, middleX, east === 0, this.#marginOf(group, box)));
      for (const north of [0, 1] as const) {
        const child = {
          west: east ? middleX : box.west,
          east: east ? box.east : middleX,
          south: north ? middleY : box.south,
          north: north ? box.north : middleY,
        };
        const parts = half
          .map((group) => this.#half(group, 1, middleY, north === 0, this.#marginOf(group, box)))
          .filter((group) => group.whole >= 0 || group.areas.length > 0)
          .map((group) => this.#narrowed(group, child));
        words[north * 2 + east] = this.#node(child, depth + 1, parts);
        if (depth === 2) this.#options.onProgress?.(++this.#topCellsDone / 64);
      }
    }
    return this.branch(words[0], words[1], words[2], words[3]);
  }

  /** Finds out whether a group's areas leave no gap in the cell, and whether one of them is all there is. */
  #simplify(group: Group, box: Box): void {
    const { fill, bounds } = this.#options;
    if (fill && !group.isCovered) {
      const around = within(grown(box, this.#marginOf(group, box)), bounds);
      if (
        coveredArea(group.areas, boxArea(around) + this.#slackArea(around)) <
        boxArea(around) - this.#slackArea(around)
      )
        return;
      group.isCovered = true;
      group.areas = clipped(group.areas, (rings) => clipToBox(rings, box));
    }
    // Where areas overlap, the first is the one that is found; without filling, all of them are.
    const first = group.areas[0];
    if (!first || (!fill && group.areas.length > 1)) return;
    const isWhole = group.isCovered && group.areas.length === 1;
    if (isWhole || areaOf([first]) > boxArea(box) - this.#slackArea(box)) group.whole = first.value;
  }

  /** Where only one area is near, cells will answer it whole, so its border may be coarse: most vertices go. */
  #thin(group: Group, tolerance: number): void {
    if (group.areas.length !== 1 || group.isThinned) return;
    const [{ value, rings }] = group.areas;
    group.areas = [{ value, rings: rings.map((ring) => thinned(ring, tolerance)) }];
    group.isThinned = true;
  }

  /** The part of a group west (south) or east (north) of a line that divides a cell, with its margin. */
  #half(group: Group, axis: 0 | 1, line: number, keepBelow: boolean, margin: number): Group {
    if (group.whole >= 0) return group;
    const limit = keepBelow ? line + margin : line - margin;
    return { ...group, areas: clipped(group.areas, (rings) => clipRings(rings, axis, limit, keepBelow)) };
  }

  /** A child's group, one level up from its parent's: with no more around it than its size asks, if that is not empty. */
  #narrowed(group: Group, box: Box): Group {
    const { fill } = this.#options;
    if (!fill || group.whole >= 0 || group.isCovered) return group;
    const height = box.north - box.south;
    const margin = marginAt(height, 1, fill.marginDegrees);
    if (margin === marginAt(height, group.marginLevel + 1, fill.marginDegrees)) return { ...group, marginLevel: 1 };
    const areas = clipped(group.areas, (rings) => clipToBox(rings, grown(box, margin)));
    if (areas.length === 0) return { ...group, marginLevel: group.marginLevel + 1 };
    return { ...group, areas, marginLevel: 1 };
  }

  #marginOf(group: Group, box: Box): number {
    const { fill } = this.#options;
    return fill && !group.isCovered ? marginAt(box.north - box.south, group.marginLevel, fill.marginDegrees) : 0;
  }

  #leaf(box: Box, groups: readonly Group[]): number {
    const { fill } = this.#options;
    const start = this.#leaves.length;
    const packed: LeafGroup[] = [];
    for (const group of groups) {
      const nearest = fill !== undefined && group.whole < 0 && !group.isCovered;
      const entries = [...group.areas];
      let otherwise = group.whole;
      const left = otherwise < 0 && !nearest ? this.#entryToLeaveOut(group, box) : undefined;
      if (left) {
        otherwise = left.value;
        entries.splice(entries.indexOf(left), 1);
      }
      packed.push({
        layer: group.layer,
        nearestLevel: nearest ? group.marginLevel : 0,
        otherwise,
        entries: group.whole < 0 ? entries : [],
        box: grown(box, nearest ? this.#marginOf(group, box) : 0),
      });
    }
    appendLeaf(this.#leaves, packed);
    return ((nodeKind.leaf << 30) | start) >>> 0;
  }

  /**
   * Where areas leave no gap, one of them needs no border: it is what is left when no other holds the position. The
   * one with the longest border if none overlap, else the last, which is found only where no other is.
   */
  #entryToLeaveOut(group: Group, box: Box): Area | undefined {
    const excess = areaOf(group.areas) - boxArea(box);
    const isOverlapping = excess > this.#slackArea(box);
    if (isOverlapping) return group.isCovered ? group.areas.at(-1) : undefined;
    if (!group.isCovered && excess < -this.#slackArea(box)) return undefined;
    return group.areas.reduce((a, b) => (vertexCount(b) > vertexCount(a) ? b : a));
  }

  #slackArea(box: Box): number {
    return 2 * (box.east - box.west + box.north - box.south) * this.#options.slackDegrees;
  }
}

function clipped(areas: readonly Area[], clip: (rings: Ring[]) => Ring[]): Area[] {
  return areas.map(({ value, rings }) => ({ value, rings: clip(rings) })).filter(({ rings }) => rings.length > 0);
}

function grown(box: Box, margin: number): Box {
  return { west: box.west - margin, south: box.south - margin, east: box.east + margin, north: box.north + margin };
}

function within(box: Box, bounds: Box): Box {
  return {
    west: Math.max(box.west, bounds.west),
    south: Math.max(box.south, bounds.south),
    east: Math.min(box.east, bounds.east),
    north: Math.min(box.north, bounds.north),
  };
}

const boxArea = (box: Box) => (box.east - box.west) * (box.north - box.south);

function areaOf(areas: readonly Area[]): number {
  let sum = 0;
  for (const area of areas) for (const ring of area.rings) sum += signedArea(ring.xy);
  return sum;
}

/** The area that several areas cover together at least: their sum, or the largest where they overlap. */
function coveredArea(areas: readonly Area[], limit: number): number {
  const sum = areaOf(areas);
  return sum <= limit ? sum : Math.max(...areas.map((area) => areaOf([area])));
}

function vertexCount(area: Area): number {
  let count = 0;
  for (const ring of area.rings) count += ring.xy.length;
  return count;
}
