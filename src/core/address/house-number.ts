/** House numbers: normalisation of spellings, and their order. */
import { toAscii } from '../../text/latin.ts';

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
  let number = text.replace(/\s?½/g, ' 1/2').normalize('NFKC').trim().replace(prefix, '');
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
export const maxRangeSpan = 100;

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
