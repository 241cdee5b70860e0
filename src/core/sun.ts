/** Sunrise, sunset, civil twilight and solar noon of one calendar day at a place. */
import type { LatLng } from './geo.ts';
import { SunPath } from './sun-path.ts';

/** Altitude of the Sun's centre at rise and set: its radius of 16′ and 34′ of refraction below the horizon (USNO). */
export const riseAltitude = -50 / 60;
/** Altitude at the beginning and end of civil twilight. */
export const civilAltitude = -6;

const hourMs = 3_600_000;
/** The Sun's hour angle grows by a full turn in 24 h, give or take 30 s. */
const msPerDegree = (24 * hourMs) / 360;
/** Each step leaves a hundredth of the error or less. */
const maxSteps = 8;

/** To the second, so that a day's length is the difference of the times shown. */
const toSecond = (instant: number) => Math.round(instant / 1000) * 1000;

export const sunStatuses = ['normal', 'midnight_sun', 'polar_night'] as const;
type SunStatus = (typeof sunStatuses)[number];

/** What the Sun does between two instants. Instants are epoch ms in whole seconds, undefined where there is no event. */
export type SunDay = {
  /** `midnight_sun`: up all day; `polar_night`: not up at all, though there may be twilight. */
  status: SunStatus;
  sunrise: number | undefined;
  sunset: number | undefined;
  /** Beginning and end of civil twilight. */
  dawn: number | undefined;
  dusk: number | undefined;
  /** Upper transit. */
  solarNoon: number | undefined;
  /** How long the Sun is up within the day, ms. */
  daylightMs: number;
};

/**
 * What the Sun does at a place between the start and the end of a day (epoch ms; about a day apart): only events inside
 * [start, end) count; one in the day's last half second is rounded to its end. Where the Sun rises twice in a day the
 * first rise is given, where it sets twice the last set.
 */
export function sunDay(place: LatLng, start: number, end: number): SunDay {
  const path = new SunPath(place, start, end);
  const transits = transitsAround(path, start, end);
  const horizon = crossings(path, transits, riseAltitude, start, end);
  const twilight = crossings(path, transits, civilAltitude, start, end);
  const isUpAtStart = isAbove(path.altitude(start), riseAltitude);
  const noon = transits.find((transit) => isWithin(transit, start, end));

  let daylightMs = 0;
  let upSince = isUpAtStart ? start : undefined;
  for (const { instant, isRising } of horizon) {
    if (isRising) upSince = instant;
    else if (upSince !== undefined) {
      daylightMs += instant - upSince;
      upSince = undefined;
    }
  }
  if (upSince !== undefined) daylightMs += end - upSince;

  return {
    status: horizon.length > 0 ? 'normal' : isUpAtStart ? 'midnight_sun' : 'polar_night',
    sunrise: horizon.find(({ isRising }) => isRising)?.instant,
    sunset: horizon.findLast(({ isRising }) => !isRising)?.instant,
    dawn: twilight.find(({ isRising }) => isRising)?.instant,
    dusk: twilight.findLast(({ isRising }) => !isRising)?.instant,
    solarNoon: noon === undefined ? undefined : toSecond(noon),
    daylightMs,
  };
}

const isAbove = (altitude: number, level: number) => altitude >= level;
const isWithin = (instant: number, start: number, end: number) => instant >= start && instant < end;

/** The upper transits of the Sun between half a day before the start and half a day after the end. */
function transitsAround(path: SunPath, start: number, end: number): number[] {
  const found: number[] = [];
  const first = start - path.hourAngle(start) * msPerDegree;
  for (let guess = first; guess < end + 13 * hourMs; guess += 24 * hourMs) {
    found.push(settled(guess, (instant) => -path.hourAngle(instant)));
  }
  return found;
}

/** The moments in [start, end) at which the altitude passes a level, in order. */
function crossings(path: SunPath, transits: readonly number[], level: number, start: number, end: number): Crossing[] {
  const found: Crossing[] = [];
  for (const transit of transits) {
    for (const isRising of [true, false]) {
      const instant = crossingNear(path, transit, level, isRising ? -1 : 1);
      // Where the Sun hardly passes the level, or not at all, the whole day has to be looked through.
      if (Number.isNaN(instant)) return crossingsBetweenSamples(path, sampleAltitudes(path, start, end), level);
      if (isWithin(instant, start, end)) found.push({ instant: toSecond(instant), isRising });
    }
  }
  return found;
}

/** When the altitude passes a level before (side -1) or after (1) a transit; NaN where the steps do not converge. */
function crossingNear(path: SunPath, transit: number, level: number, side: 1 | -1): number {
  return settled(transit, (instant) => side * path.hourAngleAt(level, instant) - path.hourAngle(instant));
}

/** An instant, moved by corrections in degrees of the Sun's turn until one is below a millisecond; NaN if none is. */
function settled(from: number, correction: (instant: number) => number): number {
  let instant = from;
  for (let step = 0; step < maxSteps; step++) {
    const by = correction(instant) * msPerDegree;
    instant += by;
    if (!(Math.abs(by) > 1)) return instant;
  }
  return Number.NaN;
}

type Samples = { instants: number[]; altitudes: number[] };
type Crossing = { instant: number; isRising: boolean };

/** Altitudes every hour, from the start of the day to its end. */
function sampleAltitudes(path: SunPath, start: number, end: number): Samples {
  const count = Math.ceil((end - start) / hourMs);
  const instants: number[] = [];
  const altitudes: number[] = [];
  for (let index = 0; index <= count; index++) {
    const instant = start + ((end - start) * index) / count;
    instants.push(instant);
    altitudes.push(path.altitude(instant));
  }
  return { instants, altitudes };
}

/** The same as `crossings`, found between the altitudes of every hour. */
function crossingsBetweenSamples(path: SunPath, { instants, altitudes }: Samples, level: number): Crossing[] {
  const found: Crossing[] = [];
  const isUp = (instant: number) => isAbove(path.altitude(instant), level);
  const isClimbing = (instant: number) => path.altitude(instant + 500) > path.altitude(instant - 500);
  const addCrossing = (from: number, to: number) => {
    const wasUp = isUp(from);
    if (isUp(to) === wasUp) return;
    found.push({ instant: toSecond(endOf((instant) => isUp(instant) === wasUp, from, to)), isRising: !wasUp });
  };
  for (let index = 0; index + 1 < instants.length; index++) {
    const [from, to] = [instants[index]!, instants[index + 1]!];
    // The Sun may pass the level twice within the hour. It turns by less than 1° in the hour of its culmination.
    if (Math.abs(altitudes[index]! - level) < 1) {
      const wasClimbing = isClimbing(from);
      const turn = endOf((instant) => isClimbing(instant) === wasClimbing, from, to);
      addCrossing(from, turn);
      addCrossing(turn, to);
    } else addCrossing(from, to);
  }
  return found;
}

/** The end of the part of an interval, from its beginning on, of which `isBefore` is true; to 10 ms, by halving. */
function endOf(isBefore: (instant: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (high - low > 10) {
    const middle = (low + high) / 2;
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  return low;
}
