import type { Area } from '../../../core/region-index/ring.ts';

/** Maximum number of vertices of a piece of border, so that its bounding box stays small. */
const maxVertices = 128;

/**
 * The edges that two areas share, as lines lng, lat, lng, lat, …; each once, in pieces. Neighbours must have the same
 * vertices, as those of one topology do. `isBorder` decides by two values whether their common edges are included.
 */
export function sharedBorders(
  areas: readonly Area[],
  isBorder: (one: number, other: number) => boolean,
): Float64Array[] {
  const firstOwners = new FirstOwners(edgesOf(areas.flatMap(({ rings }) => rings)));
  const lines: Float64Array[] = [];
  let line: number[] = [];
  const endLine = () => {
    if (line.length > 0) lines.push(Float64Array.from(line));
    line = [];
  };
  for (const { value, rings } of areas) {
    for (const { xy } of rings) {
      for (let at = 0; at < xy.length; at += 2) {
        const owner = firstOwners.ownerOf(edgeKey(xy, at), value);
        if (owner === undefined || owner === value || !isBorder(owner, value)) {
          endLine();
          continue;
        }
        const next = (at + 2) % xy.length;
        if (line.length === 0) line.push(xy[at], xy[at + 1]);
        line.push(xy[next], xy[next + 1]);
        if (line.length >= 2 * maxVertices) endLine();
      }
      endLine();
    }
  }
  return lines;
}

/** How many edges rings have in all. */
export const edgesOf = (rings: readonly { xy: Float64Array }[]): number =>
  rings.reduce((sum, { xy }) => sum + xy.length / 2, 0);

/**
 * Which of several (numbered) has a key first, such as an area an edge: an open-addressing table, because a Map of millions
 * of numbers took most of the time and memory. `maxKeys` is how many different keys there may be.
 */
export class FirstOwners {
  readonly #mask: number;
  readonly #keys: Float64Array;
  /** One above the value of the owner; 0 where a slot is free. */
  readonly #owners: Uint32Array;
  readonly #bits = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#bits.buffer);

  constructor(maxKeys: number) {
    const slots = 2 ** Math.ceil(Math.log2(1.5 * maxKeys + 1));
    this.#mask = slots - 1;
    this.#keys = new Float64Array(slots);
    this.#owners = new Uint32Array(slots);
  }

  /** The first owner of a key; `undefined` where it had none, which is `value` from now on. */
  ownerOf(key: number, value: number): number | undefined {
    this.#bits[0] = key;
    const hash = Math.imul(this.#halves[0] ^ Math.imul(this.#halves[1], 0x85ebca6b), 0x9e3779b1);
    for (let slot = (hash ^ (hash >>> 15)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      if (this.#owners[slot] === 0) {
        this.#keys[slot] = key;
        this.#owners[slot] = value + 1;
        return undefined;
      }
      if (this.#keys[slot] === key) return this.#owners[slot] - 1;
    }
  }
}

/** A hash of an edge, the same in both directions; collisions are practically impossible. */
function edgeKey(xy: Float64Array, at: number): number {
  const next = (at + 2) % xy.length;
  const [x0, y0, x1, y1] = [xy[at], xy[at + 1], xy[next], xy[next + 1]];
  const isForward = x0 < x1 || (x0 === x1 && y0 < y1);
  const [a, b, c, d] = isForward ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  return a * 1.370_513 + b * 7.910_237 + c * 3.330_091 + d * 11.170_873;
}
