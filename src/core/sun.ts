/** Sunrise, sunset, civil twilight and solar noon of one calendar day at a place. */
import type { LatLng } from './geo.ts';

// The Sun's path over one place on one day, from its apparent geocentric position, good to 0.005° (1 s of time) in 1900–2100.

const dayMs = 86_400_000;
/** The epoch J2000.0, 2000-01-01T12:00, in epoch ms. */
const j2000 = 946_728_000_000;

/**
 * TT − UT in seconds at an instant (epoch ms), from observed values up to 2020 and a slow rise after. The Sun moves
 * 0.04″ in a second, so an error of 10 s in this shifts a sunrise by 0.03 s.
 */
export function deltaTSeconds(instant: number): number {
  const year = 2000 + (instant - j2000) / (365.25 * dayMs);
  const position = Math.min(Math.max((year - 1900) / 20, 0), deltaTTable.length - 1.000001);
  const before = Math.floor(position);
  const share = position - before;
  return deltaTTable[before]! * (1 - share) + deltaTTable[before + 1]! * share;
}

/** Every 20 years from 1900 to 2120; to 2020 as the IERS and the Astronomical Almanac give them. */
const deltaTTable = [-3, 21, 24, 33, 51, 64, 69, 72, 76, 82, 90, 100];

/** The Sun's apparent right ascension and declination in radians; the right ascension in (-π, π]. */
type SunPosition = { rightAscension: number; declination: number };

/**
 * The Sun's apparent position at an instant (epoch ms). Formulas: J. Meeus, Astronomical Algorithms, 2nd edition,
 * chapters 22 and 25 (orbit, nutation, aberration, obliquity), and for what the planets and the Moon add to the
 * longitude his Astronomical Formulae for Calculators, chapter 18. Without these terms the error is 2.5 times as large.
 */
export function sunPosition(instant: number): SunPosition {
  const t = ((instant - j2000) / dayMs + deltaTSeconds(instant) / 86_400) / 36_525;
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032);
  const meanAnomaly = (357.52911 + t * (35_999.05029 - t * 0.0001537)) * radians;
  const centre =
    (1.914602 - t * (0.004817 + t * 0.000014)) * Math.sin(meanAnomaly) +
    (0.019993 - t * 0.000101) * Math.sin(2 * meanAnomaly) +
    0.000289 * Math.sin(3 * meanAnomaly);
  const moonNode = (125.04 - 1934.136 * t) * radians;
  const nutation = -0.00478 * Math.sin(moonNode) - 0.000366 * Math.sin(2 * meanLongitude * radians);
  const aberration = -0.00569;
  const longitude = (meanLongitude + centre + perturbations(t + 1) + nutation + aberration) * radians;
  const obliquity = (23.439291 - 0.0130042 * t + 0.00256 * Math.cos(moonNode)) * radians;
  const sinLongitude = Math.sin(longitude);
  return {
    rightAscension: Math.atan2(Math.cos(obliquity) * sinLongitude, Math.cos(longitude)),
    declination: Math.asin(Math.sin(obliquity) * sinLongitude),
  };
}

/** What others add to the Sun's longitude, degrees; t in Julian centuries from 1900. */
function perturbations(t: number): number {
  return (
    0.00134 * Math.cos((153.23 + 22_518.7541 * t) * radians) + // Venus
    0.00154 * Math.cos((216.57 + 45_037.5082 * t) * radians) + // Venus
    0.002 * Math.cos((312.69 + 32_964.3577 * t) * radians) + // Jupiter
    0.00179 * Math.sin((350.74 + t * (445_267.1142 - 0.00144 * t)) * radians) + // Moon
    0.00178 * Math.sin((231.19 + 20.2 * t) * radians) // a long period
  );
}

/**
 * Apparent sidereal time at Greenwich at an instant (epoch ms) in radians, many turns: Meeus, chapter 12. The equation
 * of the equinoxes keeps its two largest terms.
 */
export function siderealTime(instant: number): number {
  const days = (instant - j2000) / dayMs;
  const t = days / 36_525;
  const nutation =
    -0.00478 * Math.sin((125.04 - 1934.136 * t) * radians) -
    0.000366 * Math.sin(2 * (280.46646 + 36_000.76983 * t) * radians);
  return (280.46061837 + 360.98564736629 * days + 0.000387933 * t * t + nutation * 0.917) * radians;
}

const radians = Math.PI / 180;
const turn = 2 * Math.PI;

/**
 * The Sun's altitude and hour angle at a place at any instant of a day. Its position among the stars is computed for the
 * day's start, middle and end and interpolated between them (within 0.1″ over 25 h), so that the many altitudes that a
 * search for a sunrise needs cost three trigonometric functions each.
 */
export class SunPath {
  readonly #middle: number;
  readonly #half: number;
  /** Sidereal time at the middle, local, and its rate per half day. */
  readonly #sidereal: readonly [number, number];
  readonly #rightAscension: Parabola;
  readonly #declination: Parabola;
  readonly #sinLat: number;
  readonly #cosLat: number;

  /** `start` and `end` in epoch ms, at most about 30 h apart. */
  constructor(place: LatLng, start: number, end: number) {
    this.#middle = (start + end) / 2;
    this.#half = (end - start) / 2;
    const lng = place.lng * radians;
    const [first, last] = [siderealTime(start) + lng, siderealTime(end) + lng];
    this.#sidereal = [(first + last) / 2, (last - first) / 2];
    const [a, b, c] = [sunPosition(start), sunPosition(this.#middle), sunPosition(end)];
    const middle = b.rightAscension;
    this.#rightAscension = parabola(near(a.rightAscension, middle), middle, near(c.rightAscension, middle));
    this.#declination = parabola(a.declination, b.declination, c.declination);
    this.#sinLat = Math.sin(place.lat * radians);
    this.#cosLat = Math.cos(place.lat * radians);
  }

  /** Altitude of the Sun's centre in degrees, without refraction and parallax. */
  altitude(instant: number): number {
    const x = (instant - this.#middle) / this.#half;
    const declination = valueAt(this.#declination, x);
    const sine =
      this.#sinLat * Math.sin(declination) + this.#cosLat * Math.cos(declination) * Math.cos(this.#hourAngle(x));
    return Math.asin(Math.min(1, Math.max(-1, sine))) / radians;
  }

  /**
   * How far from its culmination the Sun passes an altitude, by its declination at an instant: an hour angle in degrees,
   * in (0, 180). NaN where it does not pass it.
   */
  hourAngleAt(altitude: number, instant: number): number {
    const declination = valueAt(this.#declination, (instant - this.#middle) / this.#half);
    const sine = Math.sin(altitude * radians) - this.#sinLat * Math.sin(declination);
    const cosine = sine / (this.#cosLat * Math.cos(declination));
    return Math.acos(cosine) / radians;
  }

  /** Hour angle in degrees, in [-180, 180]: 0 when the Sun culminates. */
  hourAngle(instant: number): number {
    return near(this.#hourAngle((instant - this.#middle) / this.#half), 0) / radians;
  }

  #hourAngle(x: number): number {
    return this.#sidereal[0] + this.#sidereal[1] * x - valueAt(this.#rightAscension, x);
  }
}

/** A quantity over the day as c0 + c1 x + c2 x², x from -1 to 1. */
type Parabola = readonly [number, number, number];

function parabola(atStart: number, atMiddle: number, atEnd: number): Parabola {
  return [atMiddle, (atEnd - atStart) / 2, (atEnd + atStart) / 2 - atMiddle];
}

const valueAt = ([c0, c1, c2]: Parabola, x: number) => c0 + x * (c1 + x * c2);

/** An angle brought within half a turn of another. */
const near = (angle: number, other: number) => angle - turn * Math.round((angle - other) / turn);

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
