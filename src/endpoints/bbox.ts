/** The parameter `bbox`. */
import type { BoundingBox } from '../core/bounding-box.ts';
import { invalidParameter } from '../errors.ts';

const number = /^[+-]?\d{1,3}(\.\d+)?$/;

/** The box of `west,south,east,north`; undefined when there is none. Throws `invalid_parameter` where it is not a box. */
export function bboxOf(list: string | undefined): BoundingBox | undefined {
  if (list === undefined) return undefined;
  const parts = list.split(',').map((part) => part.trim());
  const [west, south, east, north] = parts.map(Number);
  const isBox =
    parts.length === 4 &&
    parts.every((part) => number.test(part)) &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    south >= -90 &&
    north <= 90 &&
    south <= north;
  if (!isBox) {
    throw invalidParameter(
      'bbox',
      `bbox is ${JSON.stringify(list)}, expected west,south,east,north in degrees, south <= north`,
    );
  }
  return [west, south, east, north];
}
