/** Where the Sun stands: its apparent geocentric position, good to 0.005° (1 s of time) in 1900–2100. */

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
