/** The parts of a line inside a square, by Liang and Barsky's rule (1984) for each of its segments. */

export type Point = [x: number, y: number];

/** The parts of a line with both coordinates from `low` to `high`, in order; empty when none of it lies there. */
export function clipLine(line: readonly Point[], low: number, high: number): Point[][] {
  const parts: Point[][] = [];
  let part: Point[] | undefined;
  for (let at = 1; at < line.length; at++) {
    const [from, to] = [line[at - 1], line[at]];
    const shares = sharesInside(from, to, low, high);
    if (!shares) {
      part = undefined;
      continue;
    }
    const [enter, leave] = shares;
    if (!part || enter > 0) parts.push((part = [between(from, to, enter)]));
    part.push(between(from, to, leave));
    if (leave < 1) part = undefined;
  }
  return parts;
}

/** Where a segment enters and leaves the square, as shares of its length; undefined where it does not touch it. */
function sharesInside(from: Point, to: Point, low: number, high: number): [enter: number, leave: number] | undefined {
  let [enter, leave] = [0, 1];
  for (const axis of [0, 1] as const) {
    const way = to[axis] - from[axis];
    if (way === 0) {
      if (from[axis] < low || from[axis] > high) return undefined;
      continue;
    }
    const [first, last] = way > 0 ? [low, high] : [high, low];
    enter = Math.max(enter, (first - from[axis]) / way);
    leave = Math.min(leave, (last - from[axis]) / way);
  }
  return enter < leave ? [enter, leave] : undefined;
}

const between = ([x0, y0]: Point, [x1, y1]: Point, share: number): Point =>
  share === 0 ? [x0, y0] : share === 1 ? [x1, y1] : [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
