/** Interpretations of an address: which part is the house number, and the remaining words. */

import { normaliseHouseNumber } from '../../core/address/house-number.ts';
import type { AddressFields } from '../../store/address-contract.ts';
import marks from '../../text/dictionaries/number-marks.json' with { type: 'json' };
import { spelledNumbers } from '../../text/query-text.ts';
import { withEastAsianBlanks, withPlainDigits } from '../../text/scripts.ts';
import { alternatives, type SplitUnit, splitUnit } from '../../text/units.ts';
import { optionalWords } from '../../text/word-lists.ts';
import { isDirection, isGeneric, isTooLong, queryWords, type Word } from '../../text/words.ts';

/** What is typed between blanks. */
export type Token = {
  text: string;
  /** Empty for the house number, and for articles and signs. */
  words: readonly Word[];
  /** Number of its part between commas. */
  part: number;
  /**
   * Whether it is the house number, of the place around which the street lies, or has other words than it was typed with.
   */
  role?: 'number' | 'place' | 'mended';
};

/** One interpretation of a text. */
export type Interpretation = {
  houseNumber: string | undefined;
  /** All of the text, the house number as one. */
  tokens: readonly Token[];
  /** The words that name the street and what it lies in, in any order. */
  words: Word[];
  /** The words that are the whole name of the street; none where any may be of it. */
  span?: StreetSpan;
};

/** `next`: the words of the same part that follow the name, on the far side from the number. */
export type StreetSpan = { words: readonly Word[]; others: readonly Word[]; next: readonly Word[] };

/** A text as an address: its interpretations, and what was split off before. */
type AddressText = SplitUnit & { interpretations: readonly Interpretation[] };

/** Maximum number of interpretations with a house number; a text with more numbers is not an address. */
const maxInterpretations = 6;

/** What separates the parts of a pasted address as commas do: line ends, bullets, dashes between blanks, brackets. */
const separators = /\s*[\n\r\t|•·;]+\s*|\s+[-–—]\s+(?=[^\d\s]|\d{4})|\s+\/\s+(?=\d{4})|\s*[()]\s*/gu;
/** Other spellings, in their order, and the plain one. */
const spellings: readonly (readonly [pattern: RegExp, plain: string])[] = [
  // `Erlenstraße19`, `168Allen Street`: a missing blank between a name and its number.
  [/(?<=[^\P{L}\p{Script=Hangul}\p{Script=Han}]{4})(?=\d{1,4}(?:\/\d{1,4})?\p{L}?(?:[\s,]|$))/gu, ' '],
  [
    /(?<=^\s*\d{1,5})(?=\p{Lu}\p{Ll}{2}|\p{Ll}{5}|\p{Lu}{5}|\p{Lu}['’]\p{L})(?!(?:[Bb]is|BIS|[Tt]er|TER|[Qq]uater)(?!\p{L}))/u,
    ' ',
  ],
  // `Calle Mayor s/n`: a house without a number.
  [/(?<![\p{L}\p{N}])(?:s\/n[ºo°]?|б\/н)\.?(?![\p{L}\p{N}])/giu, ' '],
  // `Krems a.d. Donau`: little words of a town's name, which are no codes.
  [/(?<=\p{L}\s)(?:\p{Ll}\.){2,3}(?=\s*\p{Lu})/gu, ' '],
  [/\s?½/g, ' 1/2'],
  // `Canelones 1.130`: a number with the mark of thousands.
  [/(?<=\p{L}\s+\d{1,2})\.(?=\d{3}(?!\d))/gu, ''],
  // `D-10115`, `FL-9490`: the country's sign before a postal code.
  [/(?<![\p{L}\p{N}])\p{Lu}{1,3}[-–](?=\d{4,5}(?!\d))/gu, ''],
  // `94610-2737`, `946102737`: a ZIP code and the four digits after it, which name a block or a box.
  [/(?<=\D)(\d{5})(?:[-–—]\d{4}|\d{4}(?=\s*(?:,|$)))(?!\d)/g, '$1'],
  // `411 34 Göteborg`: a code of five digits, parted as Sweden, Czechia, Slovakia and Greece write it.
  [/(?<=,\s*|\d\p{L}?\.?\s+)(\d{3}) (\d{2})(?=\s+\p{L}|\s*,|\s*$)/gu, '$1$2'],
  // `N.Y., 11216`, `D.C`: a region's initials before the postal code or the end.
  [/(?<![\p{L}.])(\p{L})\.\s?(\p{L})\.?(?:(\p{L})\.?)?(?=\s*,?\s*(?:\d{5}|$))/gu, '$1$2$3'],
];

/** `12`, `12a`, `32Bis`, `39к2`, `12-14`, `723-B`, `N12`; an ordinal such as `42nd` is none. */
const base =
  '\\p{L}?(?!\\d+(?:st|nd|rd|th|er|ère|ème|й|я|ая|ый)(?![\\p{L}\\p{N}]))\\d{1,6}(?:[-/]?\\p{L}{1,4}\\d{0,3}|[-–/]\\d{1,6}){0,3}';
/** What may follow after a blank: ` bis`, ` A`, ` b-c`, ` 1/2`, ` - 14`, ` корп. 2`, ` B 9`. */
const rest = [
  '\\s(?:bis|ter|quater)(?!\\p{L})',
  '\\s\\d/\\d(?!\\d)',
  "\\s\\p{L}(?:-\\p{L})?(?![\\p{L}\\p{N}'’./-])(?:\\s\\d{1,4}(?!\\d))?",
  '\\s?[-–/]\\s?\\d{1,6}\\p{L}?(?![\\p{L}\\p{N}])',
  '\\s?,?\\s?(?:корпус|корп\\.?|korpus|korp\\.?|к\\.?|строение|стр\\.?|[сc]\\.?)\\s?(?:\\d+|\\p{L}(?!\\p{L}))(?:\\s?(?:стр\\.?|с)\\s?\\d+)?',
].join('|');
const numberPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${alternatives(marks)})\\s?[.:]?\\s*)?` +
    `(?<base>${base})(?![\\p{L}\\p{N}])(?<rest>${rest})?`,
  'giu',
);

/** `Bahnhofplatz, 87561 Oberstdorf`: the only number begins another part than the first, and is a code. */
const codeAlone = /^\D*\p{L}\D*,\s*\d{5,6}\s+\D+$/u;

/** A text in plain spelling: commas between its parts, ASCII digits, postal codes and fractions without signs. */
function plainText(text: string): string {
  const plain = withEastAsianBlanks(withPlainDigits(text.normalize('NFC')).replace(separators, ', '));
  return spellings.reduce((rest, [pattern, by]) => rest.replace(pattern, by), plain);
}

const romanFloors = ['I', 'II', 'III', 'IV', 'V'];

/** A span of a text taken as the house number. */
type Candidate = { likelihood: number; number: string; from: number; to: number };

/** Splits a text into its parts. It has no interpretations without a word, and where it is too long to be an address. */
export function readAddress(text: string): AddressText {
  const split = splitUnit(plainText(text));
  return { ...split, interpretations: interpretationsOf(split) };
}

/** The house number in a field that has more. */
const numberAlone = /(?:\p{L}{1,2}-?)?\d[\p{L}\d/-]*/u;

/** The same of an address in fields, without the unit and a number that the street repeats; only its street may have a number that is not apart. */
export function readFields(fields: AddressFields): AddressText & { fields: AddressFields } {
  const { street = '', houseNumber, unit, postalCode, city, admin1 } = fields;
  const where = [postalCode, city, admin1].filter((part) => part !== undefined).join();
  if (houseNumber === undefined) {
    const read = readAddress(street);
    const interpretations = read.interpretations.map(({ houseNumber, tokens }) =>
      interpretation(houseNumber, [...tokens, ...tokensIn(where, tokens.length)]),
    );
    return { ...read, unit: unit ?? read.unit, interpretations, fields };
  }
  // `Foppastrasse, Whg. 3` and `14` are split as they are written in one line.
  const [name, ...rest] = plainText(street).split(',');
  const typed = plainText(houseNumber);
  const split = splitUnit([withoutNumberTwice(name, typed), typed, ...rest].join(' ').trim());
  const number = split.text.includes(typed) ? typed : (numberAlone.exec(typed)?.[0] ?? typed);
  const from = split.text.lastIndexOf(number);
  const own = (split.text.slice(0, Math.max(0, from)) + split.text.slice(from + number.length)).replace(/[\s,]+$/, '');
  const text = `${split.text}, ${where}`;
  return {
    text,
    others: split.others,
    unit: unit ?? split.unit,
    // Only a code with letters says where a house is without its street.
    interpretations:
      from < 0 || !(/[\p{L}\p{N}]/u.test(own) || /\p{L}/u.test(postalCode ?? ''))
        ? []
        : withNumber(text, number, from, from + number.length),
    fields: { ...fields, ...(street && { street: own }), houseNumber: number },
  };
}

/** `Canelones 1130` without the number that is also in its field; `Calle 10` as it is. */
function withoutNumberTwice(street: string, number: string): string {
  const left = street.split(/\s+/).filter((word) => word !== number);
  return queryWords(left.join(' ')).some((word) => !isGeneric(word)) ? left.join(' ') : street;
}

/** The interpretations of a text, likeliest first: with a number, without one, with one in words. */
function interpretationsOf({ text, unit }: SplitUnit): Interpretation[] {
  const whole = wholeText(text);
  if (whole.words.length === 0 || isTooLong(whole.words.map(([word]) => word))) return [];
  const numbers = codeAlone.test(text) ? [] : [...text.matchAll(numberPattern)];
  const candidates = numbers.flatMap((match, order) => candidatesOf(text, match, order, order === numbers.length - 1));
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
  return [...found, whole, ...spelledOut(text)];
}

/** The interpretation of a text without a house number. */
export const wholeText = (text: string): Interpretation => interpretation(undefined, tokensIn(text));

/** An interpretation of tokens: without other words, articles are names. */
export function interpretation(houseNumber: string | undefined, tokens: readonly Token[]): Interpretation {
  const left = tokens.filter(({ role }) => role === undefined || role === 'mended');
  const words = left.flatMap(({ words }) => words);
  return { houseNumber, tokens, words: words.length > 0 ? words : left.flatMap(({ text }) => queryWords(text)) };
}

/** The tokens of a text, of which the first is in a part. */
function tokensIn(text: string, first = 0): Token[] {
  return text.split(',').flatMap((typed, at) =>
    typed.split(/\s+/).flatMap((each) => {
      const text = each.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}.]+$/gu, '');
      return text === '' ? [] : [{ text, words: withoutArticle(text), part: first + at }];
    }),
  );
}

/** The words of a token; none of an article. */
export function withoutArticle(text: string): Word[] {
  const words = queryWords(text);
  return words.every(([word]) => optionalWords.has(word)) ? [] : words;
}

/** The interpretation of a text with a given span as the house number. */
function withNumber(text: string, number: string, from: number, to: number): Interpretation[] {
  const before = text.slice(0, from);
  const part = before.split(',').length - 1;
  const typed: Token = { text: text.slice(from, to).trim(), words: [], part, role: 'number' };
  const read = interpretation(normaliseHouseNumber(number), [
    ...tokensIn(before),
    typed,
    ...tokensIn(text.slice(to), part),
  ]);
  return read.words.length === 0 ? [] : [read];
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
  const { base, rest } = match.groups as { base: string; rest?: string };
  const from = match.index;
  const end = from + match[0].length;
  const baseEnd = end - (rest?.length ?? 0);
  let likelihood = order === 0 && text.slice(0, from).trim() === '' ? 6 : isLast ? 4 : 3 - order / 10;
  // Postal codes have five digits or more.
  if (/^\d{5,}$/.test(base)) likelihood -= 4;
  const candidates: Candidate[] = [];
  const add = (more: number, number: string | undefined, to = baseEnd, start = from) => {
    if (number !== undefined) candidates.push({ likelihood: likelihood + more, number, from: start, to });
  };
  // `217 N Congress St`: before a street, the N is a point of the compass.
  const isFirst = (to: number) => /(?:^|,)\s*$/.test(text.slice(0, from)) && /^\s+\p{L}/u.test(text.slice(to));
  const isCompass = isDirection(rest?.trim().toLowerCase() ?? '', true) && isFirst(end);
  if (rest && !isCompass) add(0.5, base + rest, end);
  add(0, base);
  // The part after the blank may be the number: `ulitsa 189 6/1`.
  if (rest && !isCompass) add(-0.2, /^\s(\d+\/\d+)$/.exec(rest)?.[1], end, baseEnd);
  // `66-I`: a Dutch floor.
  const floor = /^(\d+)-(I{1,3}|IV|V)$/.exec(base);
  if (floor) add(-0.2, `${floor[1]}-${romanFloors.indexOf(floor[2]) + 1}`);
  // Australia and New Zealand write the unit before the house: `3/12 High Street`.
  if (isFirst(baseEnd)) add(-0.3, /^\p{L}?\d+\p{L}?[/](\d+\p{L}?)$/u.exec(base)?.[1]);
  return candidates;
}
