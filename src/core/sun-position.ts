/** Where the Sun stands: apparent geocentric position and altitude, good to about 0.01° (1 s of time) in 1900–2100. */
import type { LatLng } from './geo.ts';

const radians = Math.PI / 180;
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

/** The Sun's apparent right ascension and declination, and the sidereal time at Greenwich, all in radians. */
export type SunPosition = { rightAscension: number; declination: number; siderealTime: number };

/**
 * The Sun's apparent position at an instant (epoch ms). Formulas: J. Meeus, Astronomical Algorithms, 2nd edition,
 * chapter 25 (position, with nutation and aberration), 22 (obliquity) and 12 (sidereal time).
 */
export function sunPosition(instant: number): SunPosition {
  const days = (instant - j2000) / dayMs;
  const t = (days + deltaTSeconds(instant) / 86_400) / 36_525;
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032);
  const meanAnomaly = (357.52911 + t * (35_999.05029 - t * 0.0001537)) * radians;
  const centre =
    (1.914602 - t * (0.004817 + t * 0.000014)) * Math.sin(meanAnomaly) +
    (0.019993 - t * 0.000101) * Math.sin(2 * meanAnomaly) +
    0.000289 * Math.sin(3 * meanAnomaly);
  const moonNode = (125.04 - 1934.136 * t) * radians;
  const nutation = -0.00478 * Math.sin(moonNode) - 0.000366 * Math.sin(2 * meanLongitude * radians);
  const aberration = -0.00569;
  const longitude = (meanLongitude + centre + nutation + aberration) * radians;
  const obliquity = (23.439291 - 0.0130042 * t + 0.00256 * Math.cos(moonNode)) * radians;
  const sinLongitude = Math.sin(longitude);
  const equinoxes = nutation * Math.cos(obliquity);
  return {
    rightAscension: Math.atan2(Math.cos(obliquity) * sinLongitude, Math.cos(longitude)),
    declination: Math.asin(Math.sin(obliquity) * sinLongitude),
    siderealTime: (280.46061837 + 360.98564736629 * days + equinoxes) * radians,
  };
}

/** The altitude of the Sun's centre at a place and an instant (epoch ms), degrees, without refraction or parallax. */
export function sunAltitude(instant: number, place: LatLng): number {
  const { rightAscension, declination, siderealTime } = sunPosition(instant);
  const lat = place.lat * radians;
  const hourAngle = siderealTime + place.lng * radians - rightAscension;
  const sine = Math.sin(lat) * Math.sin(declination) + Math.cos(lat) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.asin(Math.min(1, Math.max(-1, sine))) / radians;
}

/** The Sun's hour angle at a place and an instant (epoch ms): degrees in [-180, 180), 0 at solar noon. */
export function sunHourAngle(instant: number, lng: number): number {
  const { rightAscension, siderealTime } = sunPosition(instant);
  const degrees = (siderealTime - rightAscension) / radians + lng + 180;
  return degrees - 360 * Math.floor(degrees / 360) - 180;
}
