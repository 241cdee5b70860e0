/** The Sun's path over one place on one day. */
import type { LatLng } from './geo.ts';
import { siderealTime, sunPosition } from './sun-position.ts';

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
