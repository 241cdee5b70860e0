/** The many ways to write a position as one: signs, words and links around its two numbers. */
import words from './dictionaries/position-words.json' with { type: 'json' };
import { withPlainDigits } from './scripts.ts';
import { entriesOf } from './word-lists.ts';

const pair = String.raw`([+-]?\d{1,3}\.\d+),\s*([+-]?\d{1,3}\.\d+)`;
/** Links of maps: `…/@48.8583,2.2945,15z`, `?q=48.8583,2.2945`, `#map=15/48.8583/2.2945`. */
const inLinks = [
  new RegExp(`(?:@|[?&](?:q|ll|query|center|destination)=)${pair}`),
  /#map=\d+(?:\.\d+)?\/([+-]?\d{1,3}\.\d+)\/([+-]?\d{1,3}\.\d+)/,
];
/** Well-known text has the longitude first. */
const wellKnownText = /^\s*POINT\s*\(\s*([+-]?\d+(?:\.\d+)?)\s+([+-]?\d+(?:\.\d+)?)\s*\)\s*$/i;
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
const directions = (['N', 'S', 'E', 'W'] as const).map((letter) => ({ letter, word: anyOf(entriesOf(words[letter])) }));
const latitude = anyOf(entriesOf(words.latitude));
const longitude = anyOf(entriesOf(words.longitude));
const eastAsianAngle = /(\d)\s*度\s*(?:(\d+(?:\.\d+)?)\s*分\s*)?(?:(\d+(?:\.\d+)?)\s*秒)?/g;
/** `52d30m58s`. */
const lettered = /(\d)\s*d\s*(\d+(?:\.\d+)?)\s*m(?:\s*(\d+(?:\.\d+)?)\s*s(?!\p{L}))?/giu;

/** A text with a position's signs, words and surroundings as the usual notation has them; other texts are hardly changed. */
export function usualPosition(text: string): string {
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
