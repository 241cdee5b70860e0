import type { Area } from '../../../core/region-index/area.ts';

/** Vertices of a piece of a border: so few that the box around it says where it is. */
const maxVertices = 128;

/**
 * The edges that two areas share, as lines lng, lat, lng, lat, …; each once, in pieces. Neighbours must have the same
 * vertices, as those of one topology do. `isBorder` says of two values whether what they share is wanted.
 */
export function sharedBorders(
  areas: readonly Area[],
  isBorder: (one: number, other: number) => boolean,
): Float64Array[] {
  const twice = keysFoundTwice(areas);
  const firstOwner = new Map<number, number>();
  const lines: Float64Array[] = [];
  let line: number[] = [];
  const endLine = () => {
    if (line.length > 0) lines.push(Float64Array.from(line));
    line = [];
  };
  for (const { value, rings } of areas) {
    for (const { xy } of rings) {
      for (let at = 0; at < xy.length; at += 2) {
        const key = edgeKey(xy, at);
        const owner = twice.has(key) ? firstOwner.get(key) : undefined;
        if (owner === undefined && twice.has(key)) firstOwner.set(key, value);
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

function keysFoundTwice(areas: readonly Area[]): Set<number> {
  let edges = 0;
  for (const { rings } of areas) for (const { xy } of rings) edges += xy.length / 2;
  const keys = new Float64Array(edges);
  let count = 0;
  for (const { rings } of areas)
    for (const { xy } of rings) for (let at = 0; at < xy.length; at += 2) keys[count++] = edgeKey(xy, at);
  keys.sort();
  const twice = new Set<number>();
  for (let at = 1; at < keys.length; at++) if (keys[at] === keys[at - 1]) twice.add(keys[at]);
  return twice;
}

/** A number for an edge, the same in both directions; that two edges have one is as good as impossible. */
function edgeKey(xy: Float64Array, at: number): number {
  const next = (at + 2) % xy.length;
  const [x0, y0, x1, y1] = [xy[at], xy[at + 1], xy[next], xy[next + 1]];
  const isForward = x0 < x1 || (x0 === x1 && y0 < y1);
  const [a, b, c, d] = isForward ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  return a * 1.370_513 + b * 7.910_237 + c * 3.330_091 + d * 11.170_873;
}
