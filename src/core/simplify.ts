/**
 * Fewer vertices for a ring: Ramer (1972), Douglas and Peucker (1973). No vertex that is left out is farther than the
 * tolerance from the line that is left, measured on a plane with meridians drawn together as at the ring's middle.
 */
export function simplifiedRing(xy: Float64Array, toleranceDegrees: number): Float64Array {
  const points = xy.length / 2;
  if (points <= 4 || toleranceDegrees <= 0) return xy;
  let [south, north] = [90, -90];
  for (let at = 1; at < xy.length; at += 2) [south, north] = [Math.min(south, xy[at]), Math.max(north, xy[at])];
  const scale = Math.max(0.01, Math.cos(((south + north) / 2) * (Math.PI / 180)));
  const keep = new Uint8Array(points);
  const middle = farthestOff(xy, 0, points, scale, -1);
  keep[0] = keep[middle] = 1;
  const square = toleranceDegrees ** 2;
  // The ring as two lines: from its first vertex to the farthest one, and back.
  const open: [from: number, to: number][] = [
    [0, middle],
    [middle, points],
  ];
  for (let line = open.pop(); line; line = open.pop()) {
    const [from, to] = line;
    const farthest = farthestOff(xy, from, to, scale, square);
    if (farthest === -1) continue;
    keep[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  const kept: number[] = [];
  for (let at = 0; at < points; at++) if (keep[at] === 1) kept.push(xy[2 * at], xy[2 * at + 1]);
  return Float64Array.from(kept);
}

/** Of the vertices between two others, the one farthest from their line, if its squared distance exceeds one; else -1. */
function farthestOff(xy: Float64Array, from: number, to: number, scale: number, moreThan: number): number {
  let farthest = -1;
  let maxSquare = moreThan;
  for (let at = from + 1; at < to; at++) {
    const square = squareOff(xy, at, from, to % (xy.length / 2), scale);
    if (square > maxSquare) [maxSquare, farthest] = [square, at];
  }
  return farthest;
}

/** Square of the distance of a vertex from the line between two others, in degrees of latitude. */
function squareOff(xy: Float64Array, at: number, from: number, to: number, scale: number): number {
  const [x0, y0] = [xy[2 * from] * scale, xy[2 * from + 1]];
  const dx = xy[2 * to] * scale - x0;
  const dy = xy[2 * to + 1] - y0;
  const px = xy[2 * at] * scale - x0;
  const py = xy[2 * at + 1] - y0;
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
  return (px - share * dx) ** 2 + (py - share * dy) ** 2;
}
