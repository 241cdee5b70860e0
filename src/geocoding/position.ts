import type { LatLng } from '../core/geo.ts';
import words from '../text/dictionaries/position-words.json' with { type: 'json' };
import { withPlainDigits } from '../text/scripts.ts';
import { entriesOf } from '../text/word-lists.ts';

// Plus codes (Open Location Code 1.0, github.com/google/open-location-code).

const digits = '23456789CFGHJMPQRVWX';
/** Digits before the plus sign, in pairs of latitude and longitude; those of large cells end with zeros. */
const lengthBefore = 8;
const form = /^([2-9CFGHJMPQRVWX]{2,8})(0*)\+([2-9CFGHJMPQRVWX]{2,7})?$/;

/**
 * The centre of a code's cell. A short code, whose first pairs are left out, is the nearest such cell to `near`. Undefined
 * for what is not a code, and for a short one without `near`.
 */
function plusCode(text: string, near?: LatLng): LatLng | undefined {
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
  return onGlobe(lat - 90, missing > 0 ? ((lng + 360) % 360) - 180 : lng - 180);
}

const decimal = /^\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/;
/** Two decimals at least: `48,8` is more likely two numbers. */
const decimalComma = /^\s*([+-]?\d{1,3},\d{2,})°?\s*(?:[;\s]|,\s)\s*([+-]?\d{1,3},\d{2,})°?\s*$/;
const number = String.raw`(\d{1,2}(?:\.\d+)?)`;
/** Degrees with optional minutes and seconds, their signs or blanks between them. */
const angle =
  String.raw`(\d{1,3}(?:\.\d+)?)\s*[°º]?` +
  String.raw`(?:(?:(?<=[°º])|[\s:])\s*${number}\s*['′’]?)?` +
  String.raw`(?:(?:(?<=['′’])|[\s:])\s*${number}\s*(?:"|″|”|'')?)?\s*`;
const directionBefore = new RegExp(String.raw`^\s*([NSEW])\s*${angle}[,;\s]*([NSEW])\s*${angle}$`, 'iu');
const directionAfter = new RegExp(String.raw`^\s*${angle}([NSEW])[,;\s]*${angle}([NSEW])\s*$`, 'iu');
/** A short plus code before its place, and behind it. */
const codesInPlaces = [
  /^\s*(?<code>[^\s,]+\+[^\s,]*)[,\s]+(?<place>\S.*?)\s*$/u,
  /^\s*(?<place>\S.*?)[,\s]+(?<code>[^\s,]+\+[^\s,]*)\s*$/u,
];

/**
 * The position that a text is: decimal degrees (latitude first), degrees with minutes and seconds, either with labels, in
 * brackets or in the link of a map, a `geo:` URI (RFC 5870), well-known text, a full plus code (its centre), or a short
 * one beside the place that `locate` finds. Undefined for other texts and for what lies outside the globe.
 */
export function positionOf(typed: string, locate?: (place: string) => LatLng | undefined): LatLng | undefined {
  if (!/\p{Nd}|\+/u.test(typed)) return undefined;
  const text = usualPosition(typed);
  const plain = decimal.exec(text);
  // Two whole numbers are a postal code or a house number more often than a position.
  if (plain && /[.°,]/.test(text)) return onGlobe(Number(plain[1]), Number(plain[2]));
  const [, latText, lngText] = decimalComma.exec(text) ?? [];
  if (latText !== undefined) return onGlobe(Number(latText.replace(',', '.')), Number(lngText.replace(',', '.')));
  const [, ...before] = directionBefore.exec(text) ?? [];
  if (before.length > 0) return byDirections(before.slice(0, 4), before.slice(4));
  const [, ...behind] = directionAfter.exec(text) ?? [];
  if (behind.length > 0) return byDirections([behind[3], ...behind.slice(0, 3)], [behind[7], ...behind.slice(4, 7)]);
  return text.includes('+') ? positionOfCode(text, locate) : undefined;
}

/** The position of a plus code, a short one beside its place: `V75V+8Q Paris, Île-de-France, France`. */
function positionOfCode(text: string, locate?: (place: string) => LatLng | undefined): LatLng | undefined {
  const whole = plusCode(text.trim());
  if (whole) return whole;
  for (const form of codesInPlaces) {
    const { code, place } = form.exec(text)?.groups ?? {};
    if (code === undefined || !plusCode(code, { lat: 0, lng: 0 })) continue;
    const near = locate?.(place) ?? locate?.(withoutMiddle(place));
    return near && plusCode(code, near);
  }
  return undefined;
}

/** The first and last part between commas: maps write an area between the town and its country. */
function withoutMiddle(place: string): string {
  const parts = place.split(/\s*,\s*/);
  return parts.length > 2 ? `${parts[0]}, ${parts.at(-1)}` : place;
}

/** Two angles, each behind its direction, in either order; undefined when both are of one axis. */
function byDirections([first, ...firstAngle]: string[], [second, ...secondAngle]: string[]): LatLng | undefined {
  const isLatitudeFirst = /[NS]/i.test(first);
  if (isLatitudeFirst === /[NS]/i.test(second)) return undefined;
  const angles: (string | undefined)[] = [...firstAngle, ...secondAngle];
  // `50 E 80 N` is a crossing in Utah.
  if (!isLatitudeFirst && !angles.some((part) => part?.includes('.')) && angles.includes(undefined)) return undefined;
  const [one, other] = [signed(first, ...firstAngle), signed(second, ...secondAngle)];
  return isLatitudeFirst ? onGlobe(one, other) : onGlobe(other, one);
}

/** Not a number where minutes or seconds are 60 or more. */
function signed(direction: string, degrees = '0', minutes = '0', seconds = '0'): number {
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return Number.NaN;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return /[SW]/i.test(direction) ? -value : value;
}

function onGlobe(lat: number, lng: number): LatLng | undefined {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

// The many ways to write a position as one: signs, words and links around its two numbers.

const degree = String.raw`([+-]?\d{1,3}\.\d+)`;
const altitude = String.raw`\s*,\s*[+-]?\d+(?:\.\d+)?`;
/** Links: of maps, `…/@48.8583,2.2945,15z`, `?q=48.8583,2.2945`, `?mlat=48.8583&mlon=2.2945`, `#map=15/48.8583/2.2945`; a position with an altitude. */
const inLinks = [
  new RegExp(`(?:@|[?&](?:q|ll|query|center|destination|cp|mlat)=)${degree}(?:,\\s*|%2C|~|&mlon=)${degree}`, 'i'),
  new RegExp(`^\\s*${degree}\\s*,\\s*${degree}${altitude}\\s*$`),
  /^\s*geo:([+-]?\d+(?:\.\d+)?),([+-]?\d+(?:\.\d+)?)/i,
  /#map=\d+(?:\.\d+)?\/([+-]?\d{1,3}\.\d+)\/([+-]?\d{1,3}\.\d+)/,
];
/** Well-known text has the longitude first. */
const wellKnownText = /^\s*POINT\s*Z?M?\s*\(\s*([+-]?\d+(?:\.\d+)?)\s+([+-]?\d+(?:\.\d+)?)(?:\s+[\d.+-]+)*\s*\)\s*$/i;
const brackets = /^\s*[([](.*)[)\]]\s*$/;
const slash = /^(\s*[+-]?\d{1,3}\.\d{2,})\s*\/\s*(?=[+-]?\d{1,3}\.\d{2,}\s*$)/;
/** `48.8566° 2.3522` in Arabic, and its comma. */
const otherSigns = new Map([
  ['−', '-'],
  ['٫', '.'],
  ['،', ','],
]);
const anyOtherSign = new RegExp(`[${[...otherSigns.keys()].join('')}]`, 'g');

/** A word of a list where it stands alone; those with full stops and those without blanks may touch a digit. */
const anyOf = (list: readonly string[]) =>
  new RegExp(`(?<!\\p{L})(?:${list.map((word) => word.replaceAll('.', '\\.')).join('|')})(?!\\p{L})`, 'giu');
const directions = (['N', 'S', 'E', 'W'] as const).map((letter) => ({
  letter,
  word: anyOf(entriesOf(words[letter])),
}));
const latitude = anyOf(entriesOf(words.latitude));
const longitude = anyOf(entriesOf(words.longitude));
const eastAsianAngle = /(\d)\s*度\s*(?:(\d+(?:\.\d+)?)\s*分\s*)?(?:(\d+(?:\.\d+)?)\s*秒)?/g;
/** `52d30m58s`. */
const lettered = /(\d)\s*d\s*(\d+(?:\.\d+)?)\s*m(?:\s*(\d+(?:\.\d+)?)\s*s(?!\p{L}))?/giu;

/** A text with a position's signs, words and surroundings as the usual notation has them; other texts are hardly changed. */
function usualPosition(text: string): string {
  let plain = withPlainDigits(text).replace(anyOtherSign, (sign) => otherSigns.get(sign)!);
  for (const link of inLinks) {
    const [, lat, lng] = link.exec(plain) ?? [];
    if (lat !== undefined) return `${lat}, ${lng}`;
  }
  const [, lngFirst, latLast] = wellKnownText.exec(plain) ?? [];
  if (lngFirst !== undefined) return `${latLast}, ${lngFirst}`;
  plain = (brackets.exec(plain)?.[1] ?? plain).replace(slash, '$1, ');
  if (!/\p{L}|度/u.test(plain)) return plain;
  for (const { letter, word } of directions) plain = plain.replace(word, ` ${letter} `);
  const degrees = (_: string, last: string, minutes?: string, seconds?: string) =>
    `${last}°${minutes === undefined ? '' : `${minutes}'`}${seconds === undefined ? '' : `${seconds}"`}`;
  return labelled(plain.replace(eastAsianAngle, degrees).replace(lettered, degrees));
}

/** `lat: 40.69, lng: -74.04` without its labels, the latitude first. */
function labelled(text: string): string {
  const [lat, lng] = [text.search(latitude), text.search(longitude)];
  if (lat < 0 || lng < 0) return text;
  const [first, second] = lat < lng ? [text.slice(lat, lng), text.slice(lng)] : [text.slice(lng, lat), text.slice(lat)];
  const number = (part: string) => /[+-]?\d+(?:\.\d+)?/.exec(part)?.[0];
  const numbers = [number(first), number(second)];
  if (numbers.includes(undefined)) return text;
  return (lat < lng ? numbers : numbers.reverse()).join(', ');
}
