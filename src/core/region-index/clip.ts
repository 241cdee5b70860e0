import { type Box, type Ring, ringOf } from './ring.ts';

/** Room for a clipped ring while it grows, and the block that small results are cut from: both save allocations only. */
let scratch = new Float64Array(1 << 16);
let block = new Float64Array(1 << 16);
let blockUsed = 0;

/**
 * The part of a ring on one side of a line parallel to an axis (Sutherland and Hodgman's step): `axis` 0 is x, 1 is y,
 * `keepBelow` keeps the side of smaller values. Where the ring leaves and comes back it runs along the line; those runs
 * may overlap, which neither an even-odd test nor a signed area minds. Undefined when nothing is left; the same ring
 * when all of it is.
 */
export function clipRing(ring: Ring, axis: 0 | 1, line: number, keepBelow: boolean): Ring | undefined {
  const low = axis === 0 ? ring.west : ring.south;
  const high = axis === 0 ? ring.east : ring.north;
  if (keepBelow ? high <= line : low >= line) return ring;
  if (keepBelow ? low >= line : high <= line) return undefined;
  const { xy } = ring;
  const count = xy.length;
  // A vertex adds at most itself and one crossing.
  if (scratch.length < count * 2) scratch = new Float64Array(count * 3);
  const out = scratch;
  const other = 1 - axis;
  let length = 0;
  let a0 = xy[count - 2 + axis];
  let b0 = xy[count - 2 + other];
  let inside0 = keepBelow ? a0 <= line : a0 >= line;
  for (let i = 0; i < count; i += 2) {
    const a1 = xy[i + axis];
    const b1 = xy[i + other];
    const inside1 = keepBelow ? a1 <= line : a1 >= line;
    if (inside0 !== inside1) {
      out[length + axis] = line;
      out[length + other] = b0 + ((b1 - b0) * (line - a0)) / (a1 - a0);
      length = withoutMiddle(out, length + 2, axis, line);
    }
    if (inside1) {
      out[length + axis] = a1;
      out[length + other] = b1;
      length = a1 === line ? withoutMiddle(out, length + 2, axis, line) : length + 2;
    }
    a0 = a1;
    b0 = b1;
    inside0 = inside1;
  }
  if (length < 6) return undefined;
  const part = ringOf(copyOf(out, length));
  // A ring that only touches the line leaves nothing but runs along it.
  return part.west === part.east || part.south === part.north ? undefined : part;
}

/** A typed array of its own costs a microsecond, which millions of small rings would feel. */
function copyOf(out: Float64Array, length: number): Float64Array {
  if (length > 2048) return out.slice(0, length);
  if (blockUsed + length > block.length) {
    block = new Float64Array(1 << 16);
    blockUsed = 0;
  }
  const copy = block.subarray(blockUsed, blockUsed + length);
  for (let i = 0; i < length; i++) copy[i] = out[i];
  blockUsed += length;
  return copy;
}

/** Of three points in a row on the line the middle one says nothing: drops it and returns the new length. */
function withoutMiddle(out: Float64Array, length: number, axis: 0 | 1, line: number): number {
  if (length < 6 || out[length - 4 + axis] !== line || out[length - 6 + axis] !== line) return length;
  out[length - 4] = out[length - 2];
  out[length - 3] = out[length - 1];
  return length - 2;
}

/** The parts of rings on one side of a line, as `clipRing`. */
export function clipRings(rings: readonly Ring[], axis: 0 | 1, line: number, keepBelow: boolean): Ring[] {
  const kept: Ring[] = [];
  for (const ring of rings) {
    const part = clipRing(ring, axis, line, keepBelow);
    if (part) kept.push(part);
  }
  return kept;
}

/** The parts of rings inside a box. */
export function clipToBox(rings: readonly Ring[], box: Box): Ring[] {
  const below = clipRings(clipRings(rings, 0, box.east, true), 1, box.north, true);
  return clipRings(clipRings(below, 0, box.west, false), 1, box.south, false);
}
