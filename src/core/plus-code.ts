/** Plus codes (Open Location Code 1.0, github.com/google/open-location-code). */
import type { LatLng } from './geo.ts';

const digits = '23456789CFGHJMPQRVWX';
/** Digits before the plus sign, in pairs of latitude and longitude; those of large cells end with zeros. */
const lengthBefore = 8;
const form = /^([2-9CFGHJMPQRVWX]{2,8})(0*)\+([2-9CFGHJMPQRVWX]{2,7})?$/;

/**
 * The centre of a code's cell. A short code, whose first pairs are left out, is the nearest such cell to `near`. Undefined
 * for what is not a code, and for a short one without `near`.
 */
export function plusCode(text: string, near?: LatLng): LatLng | undefined {
  const [, start, zeros = '', end = ''] = form.exec(text.toUpperCase()) ?? [];
  if (start === undefined || start.length % 2 > 0) return undefined;
  const isPadded = zeros !== '';
  if (isPadded ? start.length + zeros.length !== lengthBefore || end !== '' : end === '') return undefined;
  const missing = lengthBefore - start.length - zeros.length;
  if (missing > 0 && !near) return undefined;

  // The cell that the digits are counted in: the globe, or for a short code the one that the missing pairs would name.
  const whole = 400 / 20 ** (missing / 2);
  let [lat, lng, height, width] = [0, 0, whole, whole];
  const values = [...start, ...end].map((digit) => digits.indexOf(digit));
  const pairs = Math.min(values.length, 10 - missing);
  for (let at = 0; at < pairs; at += 2) {
    height /= 20;
    width /= 20;
    lat += values[at] * height;
    lng += values[at + 1] * width;
  }
  // Each further digit names a cell of a grid of five rows and four columns.
  for (const value of values.slice(pairs)) {
    height /= 5;
    width /= 4;
    lat += Math.floor(value / 4) * height;
    lng += (value % 4) * width;
  }
  lat += height / 2;
  lng += width / 2;
  if (missing > 0 && near) {
    lat += Math.round((near.lat + 90 - lat) / whole) * whole;
    lng += Math.round((near.lng + 180 - lng) / whole) * whole;
  }
  // A short code may name the cell beyond the antimeridian; a whole one counts from -180° to 180°.
  if (lat > 180 || (missing === 0 && lng > 360)) return undefined;
  return { lat: lat - 90, lng: ((lng + 360) % 360) - 180 };
}
