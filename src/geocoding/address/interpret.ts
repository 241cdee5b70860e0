/** Interpretations of free text: which part is the house number, and the remaining words. */

import { normaliseHouseNumber } from '../../core/address/house-number.ts';
import marks from '../../text/dictionaries/number-marks.json' with { type: 'json' };
import { spelledNumbers } from '../../text/query-text.ts';
import { withEastAsianBlanks, withPlainDigits } from '../../text/scripts.ts';
import { alternatives, type SplitUnit, splitUnit } from '../../text/units.ts';
import { isGeneric, queryWords, type Word } from '../../text/words.ts';

/** One interpretation of a text. `words` name the street and what it lies in, in any order. */
export type Interpretation = {
  houseNumber: string | undefined;
  /** The house number as it is typed, `Ten`; undefined where there is none. */
  typed?: string;
  words: Word[];
  /** Number of words before the house number; all of them where there is none. */
  before: number;
  /** The range of words in the same part between commas as the house number. */
  part: readonly [from: number, to: number];
  /** The words that are the whole name of the street; none where any may be of it. */
  span?: StreetSpan;
};

/** `next`: the words of the same part that follow the name, on the far side from the number. */
export type StreetSpan = { words: readonly Word[]; others: readonly Word[]; next: readonly Word[] };

/** A text as an address: its interpretations, and what was split off before. */
export type AddressText = SplitUnit & { interpretations: readonly Interpretation[] };

/** Maximum number of interpretations with a house number; a text with more numbers is not an address. */
const maxInterpretations = 6;

/** What separates the parts of a pasted address as commas do: line ends, bullets, dashes between blanks, brackets. */
const separators = /\s*[\n\r\t|•·;]+\s*|\s+[-–—]\s+(?=[^\d\s]|\d{4})|\s+\/\s+(?=\d{4})|\s*[()]\s*/gu;
/** `D-10115`, `FL-9490`: the country's sign before a postal code. */
const postalSign = /(?<![\p{L}\p{N}])\p{Lu}{1,3}[-–](?=\d{4,5}(?!\d))/gu;
/** `94610-2737`, `946102737`: a ZIP code and the four digits after it, which name a block or a box. */
const zipPlusFour = /(?<=\D)(\d{5})(?:[-–—]\d{4}|\d{4}(?=\s*(?:,|$)))(?!\d)/g;
/** `411 34 Göteborg`: a code of five digits, parted as Sweden, Czechia, Slovakia and Greece write it. */
const partedCode = /(?<=,\s*|\d\p{L}?\.?\s+)(\d{3}) (\d{2})(?=\s+\p{L}|\s*,|\s*$)/gu;
/** `N.Y., 11216`, `D.C`: a region's initials before the postal code or the end. */
const initials = /(?<![\p{L}.])(\p{L})\.\s?(\p{L})\.?(?:(\p{L})\.?)?(?=\s*,?\s*(?:\d{5}|$))/gu;
const half = /\s?½/g;
/** `Erlenstraße19`, `168Allen Street`: a missing blank between a name and its number. */
const lostBefore = /(?<=\p{L}{4})(?=\d{1,4}\p{L}?\s*(?:,|$))/gu;
const lostAfter =
  /(?<=^\s*\d{1,5})(?=\p{Lu}\p{Ll}{2}|\p{Ll}{5}|\p{Lu}{5}|\p{Lu}['’]\p{L})(?!(?:[Bb]is|BIS|[Tt]er|TER|[Qq]uater)(?!\p{L}))/u;
/** `Calle Mayor s/n`: a house without a number. */
const withoutNumber = /(?<![\p{L}\p{N}])(?:s\/n[ºo°]?|б\/н)\.?(?![\p{L}\p{N}])/giu;
/** `Chiyoda-ku`, `Suwon-si`: signs of an administrative area behind its name in Latin letters. */
const romanSign = /(?<=\p{L}{2})-(?:ku|shi|gun|ken|fu|to|gu|si|do|eup|myeon)(?!\p{L})/giu;

/** `12`, `12a`, `32Bis`, `39к2`, `12-14`, `723-B`, `N12`; an ordinal such as `42nd` is none. */
const base =
  '\\p{L}?(?!\\d+(?:st|nd|rd|th|er|ère|ème|й|я|ая|ый)(?![\\p{L}\\p{N}]))\\d{1,6}(?:[-/]?\\p{L}{1,4}\\d{0,3}|[-–/]\\d{1,6}){0,3}';
/** What may follow after a blank: ` bis`, ` A`, ` b-c`, ` 1/2`, ` - 14`, ` корп. 2`, ` B 9`. */
const rest = [
  '\\s(?:bis|ter|quater)(?!\\p{L})',
  '\\s\\d/\\d(?!\\d)',
  "\\s\\p{L}(?:-\\p{L})?(?![\\p{L}\\p{N}'’.-])(?:\\s\\d{1,4}(?!\\d))?",
  '\\s?[-–/]\\s?\\d{1,6}\\p{L}?(?![\\p{L}\\p{N}])',
  '\\s?,?\\s?(?:корпус|корп\\.?|korpus|korp\\.?|к\\.?|строение|стр\\.?|[сc]\\.?)\\s?(?:\\d+|\\p{L}(?!\\p{L}))(?:\\s?(?:стр\\.?|с)\\s?\\d+)?',
].join('|');
const numberPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?<mark>(?:${alternatives(marks)})\\s?[.:]?)\\s*)?` +
    `(?<base>${base})(?![\\p{L}\\p{N}])(?<rest>${rest})?`,
  'giu',
);

/** A text in plain spelling: commas between its parts, ASCII digits, postal codes and fractions without signs. */
function plainText(text: string): string {
  return withEastAsianBlanks(withPlainDigits(text.normalize('NFC')).replace(separators, ', '))
    .replace(lostBefore, ' ')
    .replace(lostAfter, ' ')
    .replace(withoutNumber, ' ')
    .replace(romanSign, '')
    .replace(half, ' 1/2')
    .replace(postalSign, '')
    .replace(zipPlusFour, '$1')
    .replace(partedCode, '$1$2')
    .replace(initials, '$1$2$3');
}

const romanFloors = ['I', 'II', 'III', 'IV', 'V'];

/** A span of a text taken as the house number. */
type Candidate = { likelihood: number; number: string; from: number; to: number };

/** Splits a text into its parts. It has no interpretations where `queryWords` is empty. */
export function readAddress(text: string): AddressText {
  const split = splitUnit(plainText(text));
  return { ...split, interpretations: interpretationsOf(split) };
}

/** The interpretations of a text, likeliest first: with a number, without one, with one in words. */
function interpretationsOf({ text, unit }: SplitUnit): Interpretation[] {
  const words = queryWords(text);
  if (words.length === 0) return [];
  const candidates = [...text.matchAll(numberPattern)].flatMap((match, order, all) =>
    candidatesOf(text, match, order, order === all.length - 1),
  );
  // `66 1 hoog` is also `66-1`, `Flat 3, 12 High Street` also `12/3`.
  const door = /^\D*(\d{1,3})\D*$/.exec(unit ?? '')?.[1];
  const doors = door === undefined ? [] : candidates.filter(({ number }) => /^\d+$/.test(number));
  candidates.push(
    ...doors.map((each) => ({ ...each, number: `${each.number}-${door}`, likelihood: each.likelihood + 0.1 })),
  );
  candidates.sort((left, right) => right.likelihood - left.likelihood);
  const found = candidates
    .slice(0, maxInterpretations)
    .flatMap(({ number, from, to }) => withNumber(text, number, from, to));
  return [...found, wholeText(words), ...spelledOut(text)];
}

/** The interpretation of a text without a house number. */
export const wholeText = (words: Word[]): Interpretation => ({
  houseNumber: undefined,
  words,
  before: words.length,
  part: [0, words.length],
});

/** The interpretation of a text with a given span as the house number. */
function withNumber(text: string, number: string, from: number, to: number): Interpretation[] {
  const words = queryWords(`${text.slice(0, from)} ${text.slice(to)}`);
  const count = (start: number, end: number) => queryWords(text.slice(start, end)).length;
  const comma = text.indexOf(',', to);
  const before = Math.min(words.length, count(0, from));
  const first = Math.max(0, before - count(text.lastIndexOf(',', from) + 1, from));
  const last = Math.min(words.length, before + count(to, comma < 0 ? text.length : comma));
  if (words.length === 0) return [];
  const houseNumber = normaliseHouseNumber(number);
  return [{ houseNumber, typed: text.slice(from, to).trim(), words, before, part: [first, last] }];
}

/** `Ten Downing Street`, `Calle Mayor veintiuno, Granada`: interpretations of a text whose number is in words. */
function spelledOut(text: string): Interpretation[] {
  const [part] = text.split(',');
  return spelledNumbers(part).flatMap(({ value, from, to }) => {
    const rest = queryWords(`${text.slice(0, from)} ${part.slice(to)}`);
    // `Calle Treinta y Tres` is a street.
    return rest.every(isGeneric) ? [] : withNumber(text, String(value), from, to);
  });
}

/**
 * The house numbers that one number of a text may stand for: with what follows it, without it, or only its last part.
 */
function candidatesOf(text: string, match: RegExpExecArray, order: number, isLast: boolean): Candidate[] {
  const { mark, base, rest } = match.groups as { mark?: string; base: string; rest?: string };
  const from = match.index;
  const end = from + match[0].length;
  const baseEnd = end - (rest?.length ?? 0);
  let likelihood = order === 0 && text.slice(0, from).trim() === '' ? 6 : isLast ? 4 : 3 - order / 10;
  if (mark) likelihood += 6;
  // Postal codes have five digits or more; `17.` before a word is an ordinal.
  if (/^\d{5,}$/.test(base)) likelihood -= 4;
  if (/^\.\s*\p{L}/u.test(text.slice(end))) likelihood -= 3;
  const candidates: Candidate[] = [{ likelihood, number: base, from, to: baseEnd }];
  if (rest) {
    candidates.unshift({ likelihood: likelihood + 0.5, number: base + rest, from, to: end });
    // The part after the blank may be the number: `ulitsa 189 6/1`.
    const last = /^\s(\d+\/\d+)$/.exec(rest)?.[1];
    if (last !== undefined) candidates.push({ likelihood: likelihood - 0.2, number: last, from: baseEnd, to: end });
  }
  // `66-I`: a Dutch floor.
  const floor = /^(\d+)-(I{1,3}|IV|V)$/.exec(base);
  if (floor) {
    const number = `${floor[1]}-${romanFloors.indexOf(floor[2]) + 1}`;
    candidates.push({ likelihood: likelihood - 0.2, number, from, to: baseEnd });
  }
  // Australia and New Zealand write the unit before the house: `3/12 High Street`.
  const isFirst = /(?:^|,)\s*$/.test(text.slice(0, from)) && /^\s+\p{L}/u.test(text.slice(baseEnd));
  const house = isFirst ? /^\p{L}?\d+\p{L}?[/](\d+\p{L}?)$/u.exec(base)?.[1] : undefined;
  if (house !== undefined) candidates.push({ likelihood: likelihood - 0.3, number: house, from, to: baseEnd });
  return candidates;
}
