/**
 * Lines of rivers, joined from the pieces of their water. The source has rivers on a grid of 300 m: one that is not much
 * wider comes in pieces, some hundred metres to three kilometres apart. Kruskal's algorithm (1956) joins them to trees,
 * and each tree is divided into its longest path, the longest ones that branch off it, and so on.
 */
import { signedArea } from '../../../core/region-index/ring.ts';
import { tileLayers } from '../../../tiles/layers.ts';

/** A river's line as lng, lat, lng, lat, … */
export type River = {
  xy: Float64Array;
  /** From its source to its mouth, or to where it joins a longer one; in degrees of latitude. */
  length: number;
  /** The highest zoom it is drawn at: closer, a wide one is a polygon, and a line of the coarser source is too far off. */
  toZoom: number;
};

/** All lengths are in degrees of latitude. Vertices of one cell are one node, in the middle of the river. */
const cell = 0.01;
/** Farther apart, pieces are no river. */
const maxGap = 0.04;
/** From this mean width on a river's polygon is drawn. */
const wide = 0.01;
/** Wider water is a bay, which needs no line. */
const widest = 0.06;
/** Lines of a coarser source are used where nothing is nearer to them than this, which is the error of their grid. */
const coarseError = 0.08;
/** Shorter ones, and all those of a tree that is not twice as long, are ponds and ditches. */
const minLength = 0.25;

type Node = { x: number; y: number; count: number; reach: number; toZoom: number };
const toZoom = { wide: 7, coarse: 8, narrow: tileLayers.boundaries.maxZoom };

const narrowing = (lat: number) => Math.cos((lat * Math.PI) / 180);
/** The key of the cell of some size around a position, or of one beside it. */
function cellKey(x: number, y: number, size: number, right = 0, up = 0): number {
  const row = Math.floor(y / size) + up;
  return (Math.floor((x * narrowing((row + 0.5) * size)) / size) + right) * 2 ** 16 + row;
}

/** A cell and those beside it. */
const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up) => [right, up] as const));

export class RiverCollector {
  /** By size, and by cell of that size. */
  readonly #nodes = new Map<number, Map<number, Node>>();
  readonly #cells = new Set<number>();

  /** Adds a polygon of river water: its outer ring and islands. */
  add(rings: readonly Float64Array[]): void {
    const width = meanWidth(rings);
    if (width > widest) return;
    // Vertices of both banks are in one cell.
    const size = cell * 2 ** Math.max(0, Math.ceil(Math.log2((2 * width) / cell)));
    const nodes = this.#nodes.getOrInsertComputed(size, () => new Map());
    for (const ring of rings) {
      for (let at = 2; at < ring.length; at += 2) {
        const [x, y] = ring.subarray(at, at + 2);
        this.#cells.add(cellKey(x, y, cell));
        const reach = Math.max(maxGap, 2.5 * size);
        const node = nodes.getOrInsertComputed(cellKey(x, y, size), () => ({
          x: 0,
          y: 0,
          count: 0,
          reach,
          toZoom: width >= wide ? toZoom.wide : toZoom.narrow,
        }));
        node.x += x;
        node.y += y;
        node.count++;
      }
    }
  }

  /** Whether a ring is a piece of a river too narrow for its polygons. */
  isPiece({ xy }: { xy: Float64Array }): boolean {
    let along = 0;
    for (let at = 0; at < xy.length; at += 2) if (this.#cells.has(cellKey(xy[at], xy[at + 1], cell))) along += 2;
    return along > 0.7 * xy.length && meanWidth([xy]) < wide;
  }

  /** The lines, completed by those of a coarser source; afterwards nothing is held any more. */
  finish(coarse: readonly Float64Array[]): River[] {
    const nodes = [...this.#nodes].sort(([one], [other]) => one - other).flatMap(([, ofSize]) => [...ofSize.values()]);
    for (const node of nodes) {
      node.x /= node.count;
      node.y /= node.count;
    }
    this.#nodes.clear();
    this.#cells.clear();
    nodes.push(...nodesOf(coarse, nodes));
    return riversOf(nodes, joined(nodes));
  }
}

/** Of a polygon with banks much longer than it is wide. */
function meanWidth(rings: readonly Float64Array[]): number {
  let [area, around] = [0, 0];
  for (const [index, ring] of rings.entries()) {
    const k = narrowing(ring[1]);
    area += (index === 0 ? k : -k) * Math.abs(signedArea(ring));
    for (let at = 2; at < ring.length; at += 2)
      around += Math.hypot((ring[at] - ring[at - 2]) * k, ring[at + 1] - ring[at - 1]);
  }
  return (2 * area) / around;
}

/** Positions on lines where none of the `nodes` is near. */
function nodesOf(lines: readonly Float64Array[], nodes: readonly Node[]): Node[] {
  const taken = new Set(nodes.map(({ x, y }) => cellKey(x, y, coarseError)));
  const isNear = (x: number, y: number) =>
    around.some(([right, up]) => taken.has(cellKey(x, y, coarseError, right, up)));
  return lines.flatMap((line) => {
    const found: Node[] = [];
    for (let at = 2; at < line.length; at += 2) {
      const [x0, y0, x1, y1] = line.subarray(at - 2, at + 2);
      const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0) / maxGap);
      for (let step = 0; step < steps; step++) {
        const [x, y] = [x0 + ((x1 - x0) * step) / steps, y0 + ((y1 - y0) * step) / steps];
        if (!isNear(x, y)) found.push({ x, y, count: 1, reach: 3 * coarseError, toZoom: toZoom.coarse });
      }
    }
    return found;
  });
}

/** The neighbours of each node in a forest of the shortest edges. */
function joined(nodes: readonly Node[]): number[][] {
  const parents = Int32Array.from(nodes, (_, index) => index);
  const rootOf = (node: number) => {
    let root = node;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]];
    return root;
  };
  const neighbours: number[][] = nodes.map(() => []);
  // Shorter edges first, so that few pairs of nodes are left in different trees when longer ones are looked for.
  for (let reach = 2 * cell; reach < 6 * coarseError; reach *= 2) {
    const ends: number[] = [];
    const lengths: number[] = [];
    /** The last node of each cell so far, and for each node the one before it. */
    const last = new Map<number, number>();
    const previous = new Int32Array(nodes.length);
    const roots = Int32Array.from(nodes.keys(), rootOf);
    for (const [from, { x, y, reach: most }] of nodes.entries()) {
      const k = narrowing(y);
      // Those that reach far come last, and find all others.
      for (const [right, up] of reach / 2 > most ? [] : around) {
        for (let to = last.get(cellKey(x, y, reach, right, up)) ?? -1; to >= 0; to = previous[to]) {
          if (roots[to] === roots[from]) continue;
          const length = Math.hypot((nodes[to].x - x) * k, nodes[to].y - y);
          if (length >= Math.min(reach, Math.max(most, nodes[to].reach))) continue;
          ends.push(from, to);
          lengths.push(length);
        }
      }
      const key = cellKey(x, y, reach);
      previous[from] = last.get(key) ?? -1;
      last.set(key, from);
    }
    // Numbers are sorted much faster than objects: the length in the upper bits, the edge in the lower ones.
    const edges = Float64Array.from(lengths, (length, edge) => Math.floor(length * 2 ** 20) * 2 ** 32 + edge).sort();
    for (const packed of edges) {
      const edge = packed % 2 ** 32;
      const [from, to] = [ends[2 * edge], ends[2 * edge + 1]];
      const [one, other] = [rootOf(from), rootOf(to)];
      if (one === other) continue;
      parents[one] = other;
      neighbours[from].push(to);
      neighbours[to].push(from);
    }
  }
  return neighbours;
}

/** The nodes of a tree from a root outwards; for each its distance from the root and the one before it. */
function walked(root: number, nodes: readonly Node[], neighbours: readonly number[][]) {
  const order = [root];
  const before = new Map([[root, -1]]);
  const distance = new Map([[root, 0]]);
  for (const from of order) {
    const { x, y } = nodes[from];
    for (const to of neighbours[from]) {
      if (before.has(to)) continue;
      before.set(to, from);
      distance.set(to, distance.get(from)! + Math.hypot((nodes[to].x - x) * narrowing(y), nodes[to].y - y));
      order.push(to);
    }
  }
  return { order, before, distance };
}

function riversOf(nodes: readonly Node[], neighbours: readonly number[][]): River[] {
  const seen = new Uint8Array(nodes.length);
  const rivers: River[] = [];
  for (let start = 0; start < nodes.length; start++) {
    if (seen[start] || neighbours[start].length === 0) continue;
    const { order: tree, distance: fromStart } = walked(start, nodes, neighbours);
    for (const node of tree) seen[node] = 1;
    const end = tree.reduce((one, other) => (fromStart.get(other)! > fromStart.get(one)! ? other : one));
    const { order, before, distance } = walked(end, nodes, neighbours);
    /** The farthest distance beyond each node, and the next node towards it. */
    const farthest = new Map(distance);
    const next = new Map<number, number>();
    for (const node of order.reverse()) {
      const previous = before.get(node)!;
      if (previous < 0 || (next.has(previous) && farthest.get(previous)! >= farthest.get(node)!)) continue;
      farthest.set(previous, farthest.get(node)!);
      next.set(previous, node);
    }
    if (farthest.get(end)! < 2 * minLength) continue;
    for (const node of order) {
      const previous = before.get(node)!;
      const length = farthest.get(node)! - (previous < 0 ? 0 : distance.get(previous)!);
      if (next.get(previous) === node || length < minLength) continue;
      const line = previous < 0 ? [] : [previous];
      for (let at: number | undefined = node; at !== undefined; at = next.get(at)) line.push(at);
      rivers.push(...runs(line.map((at) => nodes[at])).map((run) => ({ ...run, length })));
    }
  }
  return rivers;
}

/** The parts of a line by their highest zoom, smoothed, as its nodes are off the middle by up to half a cell. */
function runs(line: readonly Node[]): { xy: Float64Array; toZoom: number }[] {
  const found: { xy: number[]; toZoom: number }[] = [];
  let last: [x: number, y: number] | undefined;
  for (const [at, node] of line.entries()) {
    const [one, other] = [line[at - 1] ?? node, line[at + 1] ?? node];
    const isEnd = one === node || other === node;
    const mean = (axis: 'x' | 'y') => (isEnd ? node[axis] : (one[axis] + 2 * node[axis] + other[axis]) / 4);
    const position: [number, number] = [mean('x'), mean('y')];
    const zooms = [one.toZoom, node.toZoom];
    const to = zooms.includes(toZoom.coarse) ? toZoom.coarse : Math.max(...zooms);
    if (last) {
      if (found.at(-1)?.toZoom !== to) found.push({ xy: [...last], toZoom: to });
      found.at(-1)!.xy.push(...position);
    }
    last = position;
  }
  return found.map((run) => ({ ...run, xy: Float64Array.from(run.xy) }));
}
