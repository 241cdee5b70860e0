/**
 * Sun times the slow way: the altitude of every ten minutes, each from a separate position of the Sun, and binary
 * search. Shares only the Sun's position with src/core/sun.ts: no interpolation over the day, no hour angles.
 */
import type { LatLng } from '../../src/core/geo.ts';
import { civilAltitude, riseAltitude, type SunDay, siderealTime, sunDay, sunPosition } from '../../src/core/sun.ts';

const radians = Math.PI / 180;
const dayMs = 86_400_000;
const stepMs = 600_000;
/** A turn of the altitude so near to a level, degrees: a crossing cannot be decided. */
const maxGraze = 0.0003;

type Passing = { instant: number; isRising: boolean; degreesPerSecond: number };
/** `isGrazed`: whether the Sun turns at a level, where each way may see passings that the other does not. */
type Passings = { all: Passing[]; isGrazed: boolean };

function altitude({ lat, lng }: LatLng, instant: number): number {
  const { rightAscension, declination } = sunPosition(instant);
  const hourAngle = siderealTime(instant) + lng * radians - rightAscension;
  const sine =
    Math.sin(lat * radians) * Math.sin(declination) +
    Math.cos(lat * radians) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.asin(Math.min(1, Math.max(-1, sine))) / radians;
}

/** Halves an interval until it is 1 ms long; `isLeft` tells whether the target lies after its middle. */
function bisect(from: number, to: number, isLeft: (middle: number) => boolean): number {
  let [a, b] = [from, to];
  while (b - a > 1) {
    const middle = (a + b) / 2;
    if (isLeft(middle)) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

function passings(place: LatLng, level: number, instants: readonly number[], altitudes: readonly number[]): Passings {
  const all: Passing[] = [];
  let isGrazed = false;
  const above = (instant: number) => altitude(place, instant) - level;
  const rate = (instant: number) => Math.abs(above(instant + 500) - above(instant - 500));
  const add = (from: number, to: number) => {
    const isRising = above(from) < 0;
    if (above(to) < 0 === isRising) return;
    const instant = bisect(from, to, (middle) => above(middle) < 0 === isRising);
    all.push({ instant, isRising, degreesPerSecond: rate(instant) });
  };
  for (let at = 0; at + 1 < instants.length; at++) {
    const [before, from, to, after] = [altitudes[at - 1], altitudes[at], altitudes[at + 1], altitudes[at + 2]];
    // Within the step the Sun may turn, and pass the level twice.
    const isTurning =
      before === undefined || after === undefined || to > from !== from > before || after > to !== to > from;
    if (isTurning && Math.abs(from - level) < 3) {
      const slope = (instant: number) => above(instant + 500) - above(instant - 500);
      const isUp = slope(instants[at]) > 0;
      const turn = bisect(instants[at], instants[at + 1], (middle) => slope(middle) > 0 === isUp);
      if (Math.abs(above(turn)) < maxGraze) isGrazed = true;
      add(instants[at], turn);
      add(turn, instants[at + 1]);
    } else add(instants[at], instants[at + 1]);
  }
  return { all, isGrazed };
}

export type Compared = { isGrazed: boolean; worstS: number; fault: string | undefined };

/**
 * Compares `sunDay` with the slow way. Times count as the same when they differ by the rounding to the second and what the Sun
 * needs for 0.1″, which is what the interpolation of a day may be off.
 */
export function compareWithReference(place: LatLng, start: number, end: number): Compared {
  const instants: number[] = [];
  for (let instant = start; instant < end; instant += stepMs) instants.push(instant);
  instants.push(end);
  const altitudes = instants.map((instant) => altitude(place, instant));
  const day = sunDay(place, start, end);
  const horizon = passings(place, riseAltitude, instants, altitudes);
  const twilight = passings(place, civilAltitude, instants, altitudes);
  const compared: Compared = { isGrazed: horizon.isGrazed || twilight.isGrazed, worstS: 0, fault: undefined };
  if (compared.isGrazed) return compared;
  const expected: [keyof SunDay, Passing | undefined][] = [
    ['sunrise', horizon.all.find(({ isRising }) => isRising)],
    ['sunset', horizon.all.findLast(({ isRising }) => !isRising)],
    ['dawn', twilight.all.find(({ isRising }) => isRising)],
    ['dusk', twilight.all.findLast(({ isRising }) => !isRising)],
  ];
  for (const [name, passing] of expected) {
    const got = day[name] as number | undefined;
    if (got === undefined && passing === undefined) continue;
    const apartS = Math.abs((got ?? Number.NaN) - (passing?.instant ?? Number.NaN)) / 1000;
    compared.worstS = Math.max(compared.worstS, apartS);
    const allowedS = 0.51 + 0.1 / 3600 / (passing?.degreesPerSecond ?? 1);
    // What happens within a second of a day's ends may be the next day's.
    const isAtEnd = [got, passing?.instant].some((at) => at !== undefined && (at - start < 1000 || end - at < 1000));
    if (!(apartS <= allowedS) && !isAtEnd) compared.fault = `${name} ${got}, expected ${passing?.instant}`;
  }
  const status = horizon.all.length > 0 ? 'normal' : altitudes[0] >= riseAltitude ? 'midnight_sun' : 'polar_night';
  if (status !== day.status && compared.worstS === 0) compared.fault = `status ${day.status}, expected ${status}`;
  return compared;
}

/** A place and a day: half of them anywhere, the others where days without a rise begin and end, or at a pole. */
export function randomDay(random: () => number): { place: LatLng; start: number; end: number } {
  const sign = random() < 0.5 ? -1 : 1;
  const kind = random();
  const anywhere = Math.asin(2 * random() - 1) / radians;
  const lat = kind < 0.5 ? anywhere : sign * (kind < 0.9 ? 58 + 11 * random() : 88 + 2 * random());
  const start = Date.UTC(1901, 0, 1) + Math.floor(random() * 72_000) * dayMs + Math.floor(random() * 48) * 1_800_000;
  const hours = random() < 0.9 ? 24 : random() < 0.5 ? 23 : 25;
  return { place: { lat, lng: 360 * random() - 180 }, start, end: start + hours * 3_600_000 };
}
