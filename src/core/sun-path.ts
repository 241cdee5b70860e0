/** The Sun's path over one place on one day, from its apparent geocentric position, good to 0.005° (1 s of time) in 1900–2100. */
import type { LatLng } from './geo.ts';

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
