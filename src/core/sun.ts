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

/**
 * The Sun's apparent right ascension, in (-π, π], and declination at an instant (epoch ms), in radians. Formulas: J. Meeus, Astronomical Algorithms, 2nd edition,
 * chapters 22 and 25 (orbit, nutation, aberration, obliquity), and for what the planets and the Moon add to the
 * longitude his Astronomical Formulae for Calculators, chapter 18. Without these terms the error is 2.5 times as large.
 */
export function sunPosition(instant: number) {
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

  /** The sine of the altitude of the Sun's centre, without refraction and parallax. */
  sine(instant: number): number {
    const x = (instant - this.#middle) / this.#half;
    const declination = valueAt(this.#declination, x);
    return this.#sinLat * Math.sin(declination) + this.#cosLat * Math.cos(declination) * Math.cos(this.#hourAngle(x));
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

const sineOf = (degrees: number) => Math.sin(degrees * radians);

/** To the second, so that a day's length is the difference of the times shown. */
const toSecond = (instant: number) => Math.round(instant / 1000) * 1000;

export const sunStatuses = ['normal', 'midnight_sun', 'polar_night'] as const;

/** What the Sun does between two instants. */
export type SunDay = ReturnType<typeof sunDay>;

/**
 * What the Sun does at a place between the start and the end of a day (epoch ms; about a day apart): only events inside
 * [start, end) count; one in the day's last half second is rounded to its end. Where the Sun rises twice in a day the
 * first rise is given, where it sets twice the last set. Instants are epoch ms in whole seconds, undefined where there is no
 * event.
 */
export function sunDay(place: LatLng, start: number, end: number) {
  const path = new SunPath(place, start, end);
  const samples = samplesOf(path, start, end);
  const horizon = crossings(path, samples, sineOf(riseAltitude));
  const twilight = crossings(path, samples, sineOf(civilAltitude));
  const isUpAtStart = samples[0]!.sine >= sineOf(riseAltitude);
  const noon = transitAfter(path, start);

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

  const status: (typeof sunStatuses)[number] =
    horizon.length > 0 ? 'normal' : isUpAtStart ? 'midnight_sun' : 'polar_night';
  return {
    /** `midnight_sun`: up all day; `polar_night`: not up at all, though there may be twilight. */
    status,
    sunrise: horizon.find(({ isRising }) => isRising)?.instant,
    sunset: horizon.findLast(({ isRising }) => !isRising)?.instant,
    /** Beginning and end of civil twilight. */
    dawn: twilight.find(({ isRising }) => isRising)?.instant,
    dusk: twilight.findLast(({ isRising }) => !isRising)?.instant,
    /** Upper transit. */
    solarNoon: noon < end ? toSecond(noon) : undefined,
    /** How long the Sun is up within the day, ms. */
    daylightMs,
  };
}

/** The Sun's first upper transit at or after an instant. Each step leaves a hundredth of the error or less. */
function transitAfter(path: SunPath, from: number): number {
  let instant = from + ((360 - path.hourAngle(from)) % 360) * msPerDegree;
  for (let step = 0; step < 4; step++) instant -= path.hourAngle(instant) * msPerDegree;
  return instant;
}

/** A moment and the sine of the Sun's altitude, which levels are compared with: an arc sine for each would cost a fifth more. */
type Sample = { instant: number; sine: number };
type Crossing = { instant: number; isRising: boolean };

/** At most this far apart, ms; the Sun turns by less than so many radians in that time before or after its culmination. */
const sampleMs = 1.5 * hourMs;
const maxTurn = 4.5 * radians;

const sampleOf = (path: SunPath, instant: number): Sample => ({ instant, sine: path.sine(instant) });

/** Samples from the start of the day to its end. */
function samplesOf(path: SunPath, start: number, end: number): Sample[] {
  const count = Math.ceil((end - start) / sampleMs);
  const samples: Sample[] = [];
  for (let index = 0; index <= count; index++) samples.push(sampleOf(path, start + ((end - start) * index) / count));
  return samples;
}

/** The moments at which the altitude passes a level, given by its sine, in order. */
function crossings(path: SunPath, samples: readonly Sample[], level: number): Crossing[] {
  const found: Crossing[] = [];
  const climb = (instant: number) => path.sine(instant + 500) - path.sine(instant - 500);
  const above = (instant: number) => path.sine(instant) - level;
  const addCrossing = (from: Sample, to: Sample) => {
    const isRising = to.sine >= level;
    if (from.sine >= level === isRising) return;
    const instant = zeroBetween(above, from.instant, to.instant, from.sine - level, to.sine - level);
    found.push({ instant: toSecond(instant), isRising });
  };
  for (let index = 1; index < samples.length; index++) {
    const [from, to] = [samples[index - 1]!, samples[index]!];
    // The Sun may pass the level twice between them.
    if (Math.abs(from.sine - level) < maxTurn) {
      const [before, after] = [climb(from.instant), climb(to.instant)];
      if (before > 0 !== after > 0) {
        const turn = sampleOf(path, zeroBetween(climb, from.instant, to.instant, before, after));
        addCrossing(from, turn);
        addCrossing(turn, to);
        continue;
      }
    }
    addCrossing(from, to);
  }
  return found;
}

/** Where a function with other signs at the ends of an interval is zero, to a millisecond (false position, Illinois). */
function zeroBetween(of: (at: number) => number, from: number, to: number, ofFrom: number, ofTo: number): number {
  let [a, b, atA, atB] = [from, to, ofFrom, ofTo];
  for (;;) {
    const middle = (a * atB - b * atA) / (atB - atA);
    const value = of(middle);
    if (Math.abs(middle - b) < 1 || value === 0) return middle;
    if (value > 0 === atB > 0) atA /= 2;
    else [a, atA] = [b, atB];
    [b, atB] = [middle, value];
  }
}
