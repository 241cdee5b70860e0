import { Failure } from '../../errors.ts';
import { Growing } from '../columns.ts';
import type { Bounds } from '../geo.ts';
import {
  gridSteps,
  marginAt,
  nodeKind,
  type RegionIndexColumns,
  type RegionIndexMeta,
  regionIndex,
} from './region-index.ts';
import {
  type Area,
  areaOf,
  boxArea,
  clipped,
  clipRings,
  clipToBox,
  coveredArea,
  grown,
  type Ring,
  thinned,
  vertexCount,
  within,
  worldBounds,
} from './ring.ts';

// How a cell with borders lies in `leaves` (16-bit words): the number of groups, then each group (one layer):
// its length in words, layer, nearest level, default value + 1 (0: none), number of entries; then each entry: value, length in
// words, its rings, each as its number of vertices and their x, y on the cell's grid of 65,536 × 65,536.
// A group with a nearest level has its grid over the cell and the margin around it.

/** The borders of one layer in one cell, before they are packed. */
type LeafGroup = {
  layer: number;
  /** 0: plain; else the nearest entry answers where none holds the position, and this is the level of `marginAt`. */
  nearestLevel: number;
  /** What a position in no entry belongs to; -1 for nothing. */
  otherwise: number;
  entries: { value: number; rings: readonly Ring[] }[];
  /** What the 16-bit grid spans. */
  box: Bounds;
};

const maxWords = 0xffff;

type Words = Growing<Uint16Array>;

/** Appends a leaf to the words; its place is the length before. Throws Failure when a group is past 65,535 words. */
function appendLeaf(words: Words, groups: readonly LeafGroup[]): void {
  words.push(groups.length);
  for (const group of groups) {
    const start = words.length;
    words.push(0);
    words.push(group.layer);
    words.push(group.nearestLevel);
    words.push(group.otherwise + 1);
    words.push(group.entries.length);
    for (const entry of group.entries) {
      const entryStart = words.length;
      words.push(entry.value);
      words.push(0);
      for (const ring of entry.rings) appendRing(words, ring, group.box);
      words.column[entryStart + 1] = lengthOf(words.length - entryStart, group.box);
    }
    words.column[start] = lengthOf(words.length - start, group.box);
  }
}

const lengthOf = (length: number, box: Bounds) =>
  atMost(maxWords, length, `the cell at ${box.west.toFixed(3)}, ${box.south.toFixed(3)}`);

function atMost(most: number, words: number, what: string): number {
  if (words <= most) return words;
  const remedy = 'simplify outlines with long or many edges there, or leave them out';
  throw new Failure(
    `the outlines of areas are too dense: ${what} got ${words} words, expected at most ${most}; ${remedy}`,
  );
}

function appendRing(words: Words, ring: Ring, box: Bounds): void {
  const scaleX = gridSteps / (box.east - box.west);
  const scaleY = gridSteps / (box.north - box.south);
  const start = words.length;
  words.push(0);
  const { xy } = ring;
  let count = 0;
  let lastX = Math.round((xy[xy.length - 2] - box.west) * scaleX);
  let lastY = Math.round((xy[xy.length - 1] - box.south) * scaleY);
  for (let i = 0; i < xy.length; i += 2) {
    const x = Math.round((xy[i] - box.west) * scaleX);
    const y = Math.round((xy[i + 1] - box.south) * scaleY);
    if (x === lastX && y === lastY) continue;
    words.push(Math.max(0, Math.min(gridSteps, x)));
    words.push(Math.max(0, Math.min(gridSteps, y)));
    lastX = x;
    lastY = y;
    count++;
  }
  words.column[start] = count;
}

export type RegionIndexOptions = {
  bounds: Bounds;
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
  /** Words of all leaves. */
  maxWords?: number;
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

/** Whether one value holds all of the cell. */
const isWhole = ({ whole }: Group) => whole >= 0;

/**
 * An index of areas anywhere on Earth. Throws Failure where it takes more than 32 MB and eight times what real borders do: each cell has the edges
 * that cross it, so that long ones take memory that their file does not show.
 */
export function worldIndex(areas: readonly Area[], options: Omit<RegionIndexOptions, 'bounds'>) {
  const maxWords = 2 ** 24 + areas.reduce((sum, area) => sum + 8 * vertexCount(area), 0);
  const builder = regionIndexBuilder({ ...options, maxWords, bounds: worldBounds });
  return builder.finish(builder.subtree(worldBounds, 0, areas));
}

/** An index that was just built, to look positions up in. */
export const openIndex = ({ meta, columns }: ReturnType<typeof worldIndex>) => regionIndex(meta, columns);

/** Builds an index from areas, or from a tree made with `subtree`, `set` and `branch`. */
export function regionIndexBuilder(options: RegionIndexOptions) {
  const { bounds, layerOf, fill, maxVertices, minDepth, maxDepth, slackDegrees } = options;
  const nodes = new Growing(new Uint32Array(1 << 12));
  const leaves = new Growing(new Uint16Array(1 << 16));
  const sets = new Map<string, number>();
  const setValues: number[] = [];
  const setEnds: number[] = [];
  let topCellsDone = 0;
  setOf([]);

  /** The node word of a cell in which every position has these values, in this order. */
  function setOf(values: readonly number[]): number {
    const set = sets.getOrInsertComputed(values.join(), () => {
      setValues.push(...values);
      return setEnds.push(setValues.length) - 1;
    });
    return (nodeKind.set << 30) | set;
  }

  /** The node word of a cell of four children: south-west, south-east, north-west, north-east. */
  function branch(southWest: number, southEast: number, northWest: number, northEast: number): number {
    const same = southWest === southEast && southWest === northWest && southWest === northEast;
    if (same && southWest >>> 30 === nodeKind.set) return southWest;
    const first = nodes.length;
    for (const child of [southWest, southEast, northWest, northEast]) nodes.push(child);
    return first;
  }

  /** The node word of a cell at a depth (0 = the whole bounds) with its areas. */
  function subtree(box: Bounds, depth: number, areas: readonly Area[]): number {
    const byLayer = new Map<number, Group>();
    for (const area of areas) {
      const layer = layerOf[area.value];
      const none = { layer, whole: -1, areas: [], isCovered: false, marginLevel: 1, isThinned: false };
      byLayer.getOrInsert(layer, none).areas.push(area);
    }
    return node(box, depth, [...byLayer.values()]);
  }

  /** The finished index with `root` as its top. */
  function finish(root: number): { meta: RegionIndexMeta; columns: RegionIndexColumns } {
    return {
      meta: { bounds, root: root >>> 0, marginDegrees: fill?.marginDegrees ?? 0 },
      columns: {
        nodes: nodes.finish(),
        leaves: leaves.finish(),
        setEnds: Uint32Array.from(setEnds),
        setValues: Uint16Array.from(setValues),
        layerOf,
      },
    };
  }

  function node(box: Bounds, depth: number, groups: Group[]): number {
    let vertices = 0;
    let mustSplit = false;
    for (const group of groups) {
      if (settle(group, box)) mustSplit = true;
      if (isWhole(group)) continue;
      for (const area of group.areas) for (const ring of area.rings) vertices += ring.xy.length / 2;
    }
    if (!mustSplit) {
      if (vertices === 0) return setOf(groups.map((group) => group.whole));
      if ((vertices <= maxVertices && depth >= minDepth) || depth === maxDepth) return leaf(box, groups);
    }
    return split(box, depth, groups);
  }

  /** Finds out what a group is in a cell; returns whether the cell is too large for it, whatever else is in it. */
  function settle(group: Group, box: Bounds): boolean {
    if (isWhole(group)) return false;
    simplify(group, box);
    if (!fill || group.isCovered) return false;
    if (box.north - box.south > fill.maxCellDegrees) {
      if (!isWhole(group)) thin(group, fill.marginDegrees / 16);
      return true;
    }
    if (group.areas.length === 1) group.whole = group.areas[0].value;
    return false;
  }

  /** The node word of a cell's four children. */
  function split(box: Bounds, depth: number, groups: readonly Group[]): number {
    const middleX = (box.west + box.east) / 2;
    const middleY = (box.south + box.north) / 2;
    const words = [0, 0, 0, 0];
    for (const east of [0, 1] as const) {
      const [west, eastern] = east ? [middleX, box.east] : [box.west, middleX];
      const half = groups.map((group) => band(group, 0, west, eastern, childMargin(group, box)));
      for (const north of [0, 1] as const) {
        const [south, northern] = north ? [middleY, box.north] : [box.south, middleY];
        const child = { west, south, east: eastern, north: northern };
        const parts = half
          .map((group, i) => {
            const part = band(group, 1, south, northern, childMargin(group, box));
            return childGroup(part, groups[i], box, child);
          })
          .filter((group) => isWhole(group) || group.areas.length > 0);
        words[north * 2 + east] = node(child, depth + 1, parts);
        if (depth === 2) options.onProgress?.(++topCellsDone / 64);
      }
    }
    return branch(words[0], words[1], words[2], words[3]);
  }

  /** Finds out whether a group's areas leave no gap in the cell, and whether one of them is all there is. */
  function simplify(group: Group, box: Bounds): void {
    if (fill && !group.isCovered) {
      const around = within(grown(box, marginOf(group, box)), bounds);
      if (coveredArea(group.areas, boxArea(around) + slackArea(around)) < boxArea(around) - slackArea(around)) return;
      group.isCovered = true;
      group.areas = clipped(group.areas, (rings) => clipToBox(rings, box));
    }
    // Where areas overlap, the first is the one that is found; without filling, all of them are.
    const first = group.areas[0];
    if (!first || (!fill && group.areas.length > 1)) return;
    const isWhole = group.isCovered && group.areas.length === 1;
    if (isWhole || areaOf([first]) > boxArea(box) - slackArea(box)) group.whole = first.value;
  }

  /** Where only one area is near, cells will answer it whole, so its border may be coarse: most vertices go. */
  function thin(group: Group, tolerance: number): void {
    if (group.areas.length !== 1 || group.isThinned) return;
    const [{ value, rings }] = group.areas;
    group.areas = [{ value, rings: rings.map((ring) => thinned(ring, tolerance)) }];
    group.isThinned = true;
  }

  /** The part of a group between two parallels of an axis, with a margin around. */
  function band(group: Group, axis: 0 | 1, low: number, high: number, margin: number): Group {
    if (isWhole(group)) return group;
    const clip = (rings: Ring[]) => clipRings(clipRings(rings, axis, high + margin, true), axis, low - margin, false);
    return { ...group, areas: clipped(group.areas, clip) };
  }

  /** A child's group: with no more around it than its size asks, or with what its parent had if that is empty. */
  function childGroup(part: Group, parent: Group, box: Bounds, child: Bounds): Group {
    if (isWhole(part) || part.isCovered) return part;
    const margin = marginOf(parent, box);
    if (part.areas.length > 0 || childMargin(parent, box) === margin) return { ...part, marginLevel: 1 };
    const areas = clipped(parent.areas, (rings) => clipToBox(rings, grown(child, margin)));
    return { ...part, areas, marginLevel: parent.marginLevel + 1 };
  }

  function childMargin(group: Group, box: Bounds): number {
    return fill && !group.isCovered ? marginAt((box.north - box.south) / 2, 1, fill.marginDegrees) : 0;
  }

  function marginOf(group: Group, box: Bounds): number {
    return fill && !group.isCovered ? marginAt(box.north - box.south, group.marginLevel, fill.marginDegrees) : 0;
  }

  function leaf(box: Bounds, groups: readonly Group[]): number {
    const start = leaves.length;
    const packed: LeafGroup[] = [];
    for (const group of groups) {
      const nearest = fill !== undefined && !isWhole(group) && !group.isCovered;
      const entries = [...group.areas];
      let otherwise = group.whole;
      const left = !isWhole(group) && !nearest ? entryToLeaveOut(group, box) : undefined;
      if (left) {
        otherwise = left.value;
        entries.splice(entries.indexOf(left), 1);
      }
      packed.push({
        layer: group.layer,
        nearestLevel: nearest ? group.marginLevel : 0,
        otherwise,
        entries: isWhole(group) ? [] : entries,
        box: grown(box, nearest ? marginOf(group, box) : 0),
      });
    }
    appendLeaf(leaves, packed);
    atMost(
      options.maxWords ?? Number.POSITIVE_INFINITY,
      leaves.length,
      `up to ${box.west.toFixed(3)}, ${box.south.toFixed(3)} they`,
    );
    return ((nodeKind.leaf << 30) | start) >>> 0;
  }

  /**
   * Where areas leave no gap, one of them needs no border: it is what is left when no other holds the position. The
   * one with the longest border if none overlap, else the last, which is found only where no other is.
   */
  function entryToLeaveOut(group: Group, box: Bounds): Area | undefined {
    const excess = areaOf(group.areas) - boxArea(box);
    const isOverlapping = excess > slackArea(box);
    if (isOverlapping) return group.isCovered ? group.areas.at(-1) : undefined;
    if (!group.isCovered && excess < -slackArea(box)) return undefined;
    return group.areas.reduce((a, b) => (vertexCount(b) > vertexCount(a) ? b : a));
  }

  function slackArea(box: Bounds): number {
    return 2 * (box.east - box.west + box.north - box.south) * slackDegrees;
  }

  return { set: setOf, branch, subtree, finish };
}
