import type { LatLng } from '../core/geo.ts';

const decimal = /^\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/;
const geoUri = /^\s*geo:([+-]?\d+(?:\.\d+)?),([+-]?\d+(?:\.\d+)?)/i;
/** Degrees with optional minutes and seconds, a letter for the direction before or behind them. */
const angle = String.raw`(\d{1,3}(?:\.\d+)?)\s*°?\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*(?:"|″|”|'')\s*)?`;
const directionBefore = new RegExp(String.raw`^\s*([NS])\s*${angle}[,;\s]*([EW])\s*${angle}$`, 'iu');
const directionBehind = new RegExp(String.raw`^\s*${angle}([NS])[,;\s]*${angle}([EW])\s*$`, 'iu');

/**
 * The position that a text is: decimal degrees (latitude first), degrees with minutes and seconds, a `geo:` URI
 * (RFC 5870), or a full plus code (its centre). Undefined for other texts and for what lies outside the globe.
 */
export function positionOf(text: string): LatLng | undefined {
  const plain = decimal.exec(text) ?? geoUri.exec(text);
  // Two whole numbers are a postal code or a house number more often than a position.
  if (plain && (/[.°,]/.test(text) || /^\s*geo:/i.test(text))) return onGlobe(Number(plain[1]), Number(plain[2]));
  const before = directionBefore.exec(text);
  if (before) {
    const [, south, latD, latM, latS, west, lngD, lngM, lngS] = before;
    return onGlobe(signed(south, latD, latM, latS), signed(west, lngD, lngM, lngS));
  }
  const behind = directionBehind.exec(text);
  if (behind) {
    const [, latD, latM, latS, south, lngD, lngM, lngS, west] = behind;
    return onGlobe(signed(south, latD, latM, latS), signed(west, lngD, lngM, lngS));
  }
  return plusCodeCentre(text.trim());
}

function signed(direction: string, degrees: string, minutes = '0', seconds = '0'): number {
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return /[SW]/i.test(direction) ? -value : value;
}

function onGlobe(lat: number, lng: number): LatLng | undefined {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

const plusDigits = '23456789CFGHJMPQRVWX';

/** The centre of a full plus code of ten digits and more (Open Location Code 1.0, github.com/google/open-location-code). */
function plusCodeCentre(text: string): LatLng | undefined {
  const code = text.toUpperCase();
  if (!/^[2-9CFGHJMPQRVWX]{8}\+[2-9CFGHJMPQRVWX]{2,7}$/.test(code)) return undefined;
  const digits = [...code.replace('+', '')].map((letter) => plusDigits.indexOf(letter));
  let lat = -90;
  let lng = -180;
  let height = 400;
  let width = 400;
  for (let at = 0; at < 10; at += 2) {
    height /= 20;
    width /= 20;
    lat += digits[at] * height;
    lng += digits[at + 1] * width;
  }
  // Each further digit names a cell of a grid of five rows and four columns.
  for (const digit of digits.slice(10)) {
    height /= 5;
    width /= 4;
    lat += Math.floor(digit / 4) * height;
    lng += (digit % 4) * width;
  }
  return onGlobe(lat + height / 2, lng + width / 2);
}
