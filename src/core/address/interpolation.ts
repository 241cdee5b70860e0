/**
 * Estimates the position of an unknown house number: between its neighbours, or on an interpolation line of the source.
 */
import { distanceKm, type LatLng } from '../geo.ts';

/** Maximum distance between neighbours, in km and in numbers. */
const maxNeighbourKm = 0.6;
const maxNumberGap = 60;

type Numbered = LatLng & { base: number };
/** An interpolation line: first and last number, step (1, or 2 for one side), lng, lat, lng, lat, … in degrees. */
export type InterpolationRange = readonly [from: number, to: number, step: 1 | 2, line: readonly number[]];

/**
 * The position of a number between the nearest lower and higher numbers of its own side; undefined when one is missing.
 */
export function betweenNeighbours(houses: readonly Numbered[], number: number): LatLng | undefined {
  const side = houses.filter(({ base }) => base > 0 && (base - number) % 2 === 0);
  const below = nearestNumbers(side, number, -1);
  const above = nearestNumbers(side, number, 1);
  let best: { from: Numbered; to: Numbered; km: number } | undefined;
  for (const from of below) {
    for (const to of above) {
      const km = distanceKm(from, to);
      if (km <= maxNeighbourKm && to.base - from.base <= maxNumberGap && (!best || km < best.km))
        best = { from, to, km };
    }
  }
  if (!best) return undefined;
  const { from, to } = best;
  return along([from.lng, from.lat, to.lng, to.lat], (number - from.base) / (to.base - from.base));
}

/** All houses of the number that is nearest below or above. */
function nearestNumbers(houses: readonly Numbered[], number: number, direction: 1 | -1): Numbered[] {
  let nearest = Number.POSITIVE_INFINITY;
  for (const { base } of houses) {
    const gap = (base - number) * direction;
    if (gap > 0 && gap < nearest) nearest = gap;
  }
  return houses.filter(({ base }) => (base - number) * direction === nearest);
}

/** The position of a number on the first line that includes it. */
export function onInterpolationRange(stretches: readonly InterpolationRange[], number: number): LatLng | undefined {
  for (const [from, to, step, line] of stretches) {
    const isInside = number >= Math.min(from, to) && number <= Math.max(from, to) && (number - from) % step === 0;
    if (isInside) return along(line, from === to ? 0 : (number - from) / (to - from));
  }
  return undefined;
}

/** The point at a fraction of a line's length. */
function along(line: readonly number[], share: number): LatLng {
  const lengths: number[] = [];
  let total = 0;
  for (let at = 2; at < line.length; at += 2) {
    const km = distanceKm({ lng: line[at - 2], lat: line[at - 1] }, { lng: line[at], lat: line[at + 1] });
    lengths.push(km);
    total += km;
  }
  let left = total * share;
  for (const [index, km] of lengths.entries()) {
    const at = 2 * index;
    if (left <= km || index === lengths.length - 1) {
      const part = km === 0 ? 0 : Math.min(1, left / km);
      const step = ((line[at + 2] - line[at] + 540) % 360) - 180;
      const lng = line[at] + part * step;
      return { lat: line[at + 1] + part * (line[at + 3] - line[at + 1]), lng: ((lng + 540) % 360) - 180 };
    }
    left -= km;
  }
  return { lng: line[0], lat: line[1] };
}
