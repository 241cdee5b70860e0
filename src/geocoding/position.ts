import type { LatLng } from '../core/geo.ts';
import { plusCode } from '../core/plus-code.ts';

const decimal = /^\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/;
/** Two decimals at least: `48,8` is more likely two numbers. */
const decimalComma = /^\s*([+-]?\d{1,3},\d{2,})°?\s*[;\s]\s*([+-]?\d{1,3},\d{2,})°?\s*$/;
const geoUri = /^\s*geo:([+-]?\d+(?:\.\d+)?),([+-]?\d+(?:\.\d+)?)/i;
const number = String.raw`(\d{1,2}(?:\.\d+)?)`;
/** Degrees with optional minutes and seconds, their signs or blanks between them. */
const angle =
  String.raw`(\d{1,3}(?:\.\d+)?)\s*[°º]?` +
  String.raw`(?:(?:(?<=[°º])|[\s:])\s*${number}\s*['′’]?)?` +
  String.raw`(?:(?:(?<=['′’])|[\s:])\s*${number}\s*(?:"|″|”|'')?)?\s*`;
const directionBefore = new RegExp(String.raw`^\s*([NS])\s*${angle}[,;\s]*([EW])\s*${angle}$`, 'iu');
const directionAfter = new RegExp(String.raw`^\s*${angle}([NS])[,;\s]*${angle}([EW])\s*$`, 'iu');
const beside = /^\s*([^\s,]+\+[^\s,]*)[,\s]+(\S.*?)\s*$/u;

/**
 * The position that a text is: decimal degrees (latitude first), degrees with minutes and seconds, a `geo:` URI
 * (RFC 5870), a full plus code (its centre), or a short one beside the place that `locate` finds. Undefined for other
 * texts and for what lies outside the globe.
 */
export function positionOf(text: string, locate?: (place: string) => LatLng | undefined): LatLng | undefined {
  if (!/[\d+]/.test(text)) return undefined;
  const plain = decimal.exec(text) ?? geoUri.exec(text);
  // Two whole numbers are a postal code or a house number more often than a position.
  if (plain && (/[.°,]/.test(text) || /^\s*geo:/i.test(text))) return onGlobe(Number(plain[1]), Number(plain[2]));
  const [, latText, lngText] = decimalComma.exec(text) ?? [];
  if (latText !== undefined) return onGlobe(Number(latText.replace(',', '.')), Number(lngText.replace(',', '.')));
  const before = directionBefore.exec(text);
  if (before) {
    const [, south, latD, latM, latS, west, lngD, lngM, lngS] = before;
    return onGlobe(signed(south, latD, latM, latS), signed(west, lngD, lngM, lngS));
  }
  const behind = directionAfter.exec(text);
  if (behind) {
    const [, latD, latM, latS, south, lngD, lngM, lngS, west] = behind;
    return onGlobe(signed(south, latD, latM, latS), signed(west, lngD, lngM, lngS));
  }
  if (!text.includes('+')) return undefined;
  const whole = plusCode(text.trim());
  if (whole) return whole;
  const [, code, place] = beside.exec(text) ?? [];
  if (code === undefined || !plusCode(code, { lat: 0, lng: 0 })) return undefined;
  const near = locate?.(place);
  return near && plusCode(code, near);
}

function signed(direction: string, degrees: string, minutes = '0', seconds = '0'): number {
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return /[SW]/i.test(direction) ? -value : value;
}

function onGlobe(lat: number, lng: number): LatLng | undefined {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}
