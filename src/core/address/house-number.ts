/** House numbers: normalisation of spellings, and their order. */
import { toAscii } from '../../text/scripts.ts';
import { distanceKm, type LatLng, pointAlong } from '../geo.ts';

const prefix =
  /^(?:bl(?:oc)?k\.?\s*(?=\p{L}?\d)|(?:n(?:[°ºo]|r|um(?:ero)?)?\.?|numéro|número|#|№|д(?:ом)?\.?|вл(?:адение)?\.?)\s*(?=\d))/iu;
const russianParts: readonly (readonly [RegExp, string])[] = [
  [/\s*,?\s*(?:корпус|корп\.?|korpus|korp\.?|к\.?)\s*(?=\d)/giu, 'k'],
  [/\s*,?\s*(?:строение|стр\.?|[сc]\.?)\s*(?=\d)/giu, 's'],
  [/\s*,?\s*(?:литера|лит\.?)\s*(?=\p{L})/giu, ''],
];

/** A house number in its canonical spelling: `12 A` and `12a`, `12 - 14` and `12-14`, `N° 5` and `5` are the same. */
export function normaliseHouseNumber(text: string): string {
  if (/^\d+[a-zA-Z]?$/.test(text)) return text.toLowerCase().replace(/^0+(?=\d)/, '');
  // One blank at a time: several in a row would be tried by the patterns below in the cube of their number.
  let number = text.replace(/\s?½/g, ' 1/2').normalize('NFKC').replace(/\s+/g, ' ').trim().replace(prefix, '');
  for (const [pattern, letter] of russianParts) number = number.replace(pattern, letter);
  return toAscii(number.normalize('NFD').replace(/\p{M}/gu, ''))
    .toLowerCase()
    .replace(/\s*[-–]\s*/g, '-')
    .replace(/\s*[/\\]\s*/g, '/')
    .replace(/(?<=\d)\s+(?=\d)/g, '+')
    .replace(/[^a-z0-9/+-]+/g, '')
    .replace(/(?<=\d)-(?=[a-z])/g, '')
    .replace(/^0+(?=\d)/, '');
}

/**
 * The number by which houses are ordered: the first digits, at most nine; 0 where there are none, and for the
 * provisional numbers of Czechia and Slovakia (`ev. 12`), which are a separate series.
 */
export function baseNumber(normalised: string): number {
  if (/^e(?:v|c)\d/.test(normalised)) return 0;
  return Number(/\d{1,9}/.exec(normalised)?.[0] ?? 0);
}

/** Additions of French numbers, in full and in short. */
const additions: readonly (readonly [string, string])[] = [
  ['bis', 'b'],
  ['ter', 't'],
  ['quater', 'q'],
];

/** The other spelling of a normalised number with a French addition: `33b` of `33bis`; undefined for others. */
export function otherAddition(normalised: string): string | undefined {
  const [, digits, letters] = /^(\d+)([a-z]+)$/.exec(normalised) ?? [];
  const known = additions.find((forms) => forms.includes(letters));
  return known && digits + (known[0] === letters ? known[1] : known[0]);
}

/** Maximum span of a range of house numbers. */
const maxRangeSpan = 100;

/** First and last number of a range such as `12-14`; undefined for `45-10`, `12-14a`, `7`. */
export function numberRange(normalised: string): { from: number; to: number } | undefined {
  const range = /^(\d{1,6})-(\d{1,6})$/.exec(normalised);
  if (!range) return undefined;
  const [from, to] = [Number(range[1]), Number(range[2])];
  return from < to && to - from <= maxRangeSpan ? { from, to } : undefined;
}

/** Whether a house with a range includes a number: on the same side of the street, or any if it spans both. */
export function rangeHolds(range: { from: number; to: number }, number: number): boolean {
  if (number < range.from || number > range.to) return false;
  return (range.from + range.to) % 2 === 1 || (number - range.from) % 2 === 0;
}

// Estimates the position of an unknown house number: between its neighbours, or on an interpolation line of the source.

/** Maximum distance between neighbours, in km and in numbers. */
const maxNeighbourKm = 0.6;
const maxNumberGap = 60;

type Numbered = LatLng & { base: number };
/** An interpolation line: first and last number, step (1, or 2 for one side), lng, lat, lng, lat, … in degrees. */
export type InterpolationRange = readonly [from: number, to: number, step: 1 | 2, line: readonly number[]];

/**
 * The position of a number between the nearest lower and higher numbers of its own side; undefined when one is missing.
 */
export function betweenNeighbours(houses: readonly Numbered[], number: number): LatLng | undefined {
  const side = houses.filter(({ base }) => base > 0 && (base - number) % 2 === 0);
  const below = nearestNumbers(side, number, -1);
  const above = nearestNumbers(side, number, 1);
  let best: { from: Numbered; to: Numbered; km: number } | undefined;
  for (const from of below) {
    for (const to of above) {
      const km = distanceKm(from, to);
      if (km <= maxNeighbourKm && to.base - from.base <= maxNumberGap && (!best || km < best.km))
        best = { from, to, km };
    }
  }
  if (!best) return undefined;
  const { from, to } = best;
  return pointAlong([from.lng, from.lat, to.lng, to.lat], (number - from.base) / (to.base - from.base));
}

/** All houses of the number that is nearest below or above. */
function nearestNumbers(houses: readonly Numbered[], number: number, direction: 1 | -1): Numbered[] {
  let nearest = Number.POSITIVE_INFINITY;
  for (const { base } of houses) {
    const gap = (base - number) * direction;
    if (gap > 0 && gap < nearest) nearest = gap;
  }
  return houses.filter(({ base }) => (base - number) * direction === nearest);
}

/** The position of a number on the first line that includes it. */
export function onInterpolationRange(stretches: readonly InterpolationRange[], number: number): LatLng | undefined {
  for (const [from, to, step, line] of stretches) {
    const isInside = number >= Math.min(from, to) && number <= Math.max(from, to) && (number - from) % step === 0;
    if (isInside) return pointAlong(line, from === to ? 0 : (number - from) / (to - from));
  }
  return undefined;
}
