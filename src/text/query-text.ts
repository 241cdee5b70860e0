/** What a text that was typed says by its form: its tokens, crossings, postal codes, numbers in words, other keyboards. */

import { createRequire } from 'node:module';
import articles from './dictionaries/articles.json' with { type: 'json' };
import connectorEntries from './dictionaries/connectors.json' with { type: 'json' };
import crossingWords from './dictionaries/crossings.json' with { type: 'json' };
import layouts from './dictionaries/keyboard-layouts.json' with { type: 'json' };
import wordsOfNames from './dictionaries/name-words.json' with { type: 'json' };
import postalWords from './dictionaries/postal-words.json' with { type: 'json' };
import shortened from './dictionaries/shortened-words.json' with { type: 'json' };
import { fold } from './fold.ts';
import { hepburn, shortVowels } from './scripts.ts';
import { alternatives } from './units.ts';
import { entriesOf } from './word-lists.ts';

/** One word of a text. */
type Token = {
  /** Folded. */
  text: string;
  /** Its position in the original text: UTF-16 offsets, `end` exclusive. */
  start: number;
  end: number;
  /** Whether a comma, bracket or new line follows: there a part of the text ends. */
  isBreakAfter: boolean;
};

/** Characters that end a part: the name before it, its context after it. */
const partEnd = /[,;|()[\]{}\n，、；]/u;
/**
 * A word: letters, digits, marks, symbols of which `fold` makes letters (`№`), apostrophes, and the full stops between
 * initials, so that `D.C.` and `L'Aquila` are one word each.
 */
const word = /(?:[\p{L}\p{M}\p{N}\p{So}'’‘ʼʻʹ′`´＇׳״ʽʾʿ]|(?<=(?:^|[^\p{L}])\p{L})\.(?=\p{L}(?:[^\p{L}]|$)))+/gu;

/** The tokens of a text in their order; empty when it has nothing that can be matched. */
export function analyse(text: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  word.lastIndex = 0;
  // `matchAll` makes a new expression for each text.
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    const { index: start, 0: typed } = match;
    const folded = fold(typed);
    if (folded === '') continue;
    const end = start + typed.length;
    if (tokens.length > 0 && partEnd.test(text.slice(last, start))) tokens[tokens.length - 1].isBreakAfter = true;
    last = end;
    for (const piece of folded.split(' ')) tokens.push({ text: piece, start, end, isBreakAfter: false });
  }
  return tokens;
}

// Texts that name the crossing of two streets: `5th & Main, Nashville`, `18 de Julio esquina Ejido`, `угол Мира и Ленина`.

/** The streets of a crossing, and the rest of the text. */
type CrossingText = { one: string; other: string; rest: string };

/** Maximum number of connectors; a text with more is a list. */
const maxJoins = 4;
const { between } = crossingWords;
const [joiningSigns, joiningWords] = [entriesOf({ signs: between.signs }), entriesOf({ ...between, signs: '' })];
const connectors = joiningWords.filter((word) => word !== '').join('|');
const join = new RegExp(
  String.raw`\s*[${joiningSigns.join('')}]\s*|\s+/\s+|(?<=\p{L}{2})/(?=\p{L}{2})|\s+(?:(?:${connectors})\.?\s+)+`,
  'giu',
);
const before = new RegExp(String.raw`^\s*(?:${alternatives(crossingWords.before)})\s+`, 'iu');

const wordsOfCrossings = new Set(
  [...joiningWords, ...entriesOf(crossingWords.before)].flatMap((entry) => fold(entry).split(' ')),
);
/** Whether a word only says that two streets cross: `corner`, `and`. */
export const isOfCrossing = (word: string): boolean => wordsOfCrossings.has(fold(word));

/** The ways to split a text into two streets and their settlement; empty for most texts. */
export function crossingsIn(text: string): CrossingText[] {
  const joins = [...text.matchAll(join)];
  if (joins.length > maxJoins) return [];
  return joins.flatMap(({ index, 0: { length } }) => {
    const from = text.lastIndexOf(',', index) + 1;
    const comma = text.indexOf(',', index + length);
    const to = comma < 0 ? text.length : comma;
    const one = text.slice(from, index).replace(before, '').trim();
    const other = text.slice(index + length, to).trim();
    const rest = `${text.slice(0, from)} ${text.slice(to + 1)}`.trim();
    return /[\p{L}\p{N}]/u.test(one) && /\p{L}/u.test(other + one) ? [{ one, other, rest }] : [];
  });
}

// Words that people shorten in names of places and regions: `n las vegas`, `So. Australia`, `S. Paulo`, `Н. Новгород`.

/** The words that short ones stand for, in names those of a letter only with a full stop. */
const writtenOut = new Map<string, string[]>();
for (const [dictionary, mark] of [
  [shortened, ''],
  [wordsOfNames, '.'],
] as const)
  for (const [full, ...shorts] of entriesOf(dictionary).map((entry) => entry.split(' ')))
    for (const short of shorts.map((each) => (each.length === 1 ? each + mark : each)))
      writtenOut.set(short, [...(writtenOut.get(short) ?? []), full]);
const shorts = [...writtenOut.keys()].map((each) => each.replace('.', ''));
/** A short word before another one; the letters of `U.S.` are none. */
const shortWord = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}.'’-])((?:${shorts.join('|')})\\.?)(?=\\s+\\p{L})`, 'iu');

const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー・\s]+$/u;
/** Articles and prepositions without their vowel, before a name: `capitale de l'Italie`, `gare d'Avignon`, `dell'Elba`. */
const elided = /(?<!\p{L})(?:[dl]|(?:[ad]a?|de|ne|su)ll)['’](?=\p{L})/giu;
/** A capital inside a text too short to look for a missing blank: `AlAin`. */
const capitalInside = /^(?=.{4,6}$)(\p{Lu}\p{Ll}+)(?=\p{Lu}\p{Ll}+$)/u;
/** What hiragana has at 96 code points lower. */
const katakana = /[ァ-ヶ]/g;

/**
 * The text as names may be written too: with its first short word written out, unless it has a number, as an address has; without
 * elided articles; with a blank before a capital inside (`AlAin`); and what is in kana in Latin letters without long vowels, as names of Japan are in most data: `とうきょう` is tokyo.
 */
export function writtenOtherwise(text: string): string[] {
  if (kana.test(text)) {
    const hiragana = text.replace(katakana, (sign) => String.fromCharCode(sign.charCodeAt(0) - 96));
    return [shortVowels(hepburn(hiragana.replace(/[ー・]/g, '')))];
  }
  const whole = text.replace(elided, '').replace(capitalInside, '$1 ');
  if (whole !== text) return [whole];
  const [short = ''] = (/\p{N}/u.test(text) ? null : shortWord.exec(text)) ?? [];
  const written = new Set([short.toLowerCase(), short.toLowerCase().replace('.', '')]);
  return [...written].flatMap((each) => writtenOut.get(each) ?? []).map((full) => text.replace(short, full));
}

const articleBefore = new RegExp(
  `^\\s*(?:(?:${entriesOf(connectorEntries).join('|')})\\s+)?(?:${entriesOf(articles).join('|')})\\s+(?=\\p{L})`,
  'iu',
);

/** `LA California` */
const codeBefore = /^\s*\p{Lu}{2,}\s.*\p{Ll}/u;

/** A text without the article before its name, and what is before that: `la Loire`, `in der Schweiz`; undefined for others. */
export function withoutArticle(text: string): string | undefined {
  const rest = text.replace(articleBefore, '');
  return rest === text || codeBefore.test(text) ? undefined : rest;
}

// Texts typed with the keyboard of another alphabet: `vjcrdf` for москва, `дщтвщт` for london.

const { en, ...others } = layouts;
const keys = [...en];
const toOther = Object.values(others).map((layout) => mapping(keys, [...layout]));
const toLatin = Object.values(others).map((layout) => mapping([...layout], keys));
const minLetters = 4;
const latinOnly = /^[\p{Script=Latin}\P{L}]+$/u;
const otherOnly = /^[\P{Script=Latin}]+$/u;

/** The texts that the same keys write in other alphabets, or in Latin letters; none for short or mixed texts. */
export function otherKeyboards(text: string): string[] {
  const signs = [...text.toLowerCase().trim()];
  if (signs.length < minLetters || /\d/.test(text)) return [];
  const maps = latinOnly.test(text) ? toOther : otherOnly.test(text) ? toLatin : [];
  const found = maps.map((map) => signs.map((sign) => (/[\s-]/.test(sign) ? sign : (map.get(sign) ?? ''))));
  // A key that the other alphabet lacks was not meant in it.
  const whole = found.filter((typed) => typed.every((sign) => sign !== ''));
  return [...new Set(whole.map((typed) => typed.join('')))];
}

function mapping(from: readonly string[], to: readonly string[]): Map<string, string> {
  return new Map(from.map((sign, at) => [sign, to[at]]));
}

// What people write before a postal code: a word for it, or the sign of its country.

const signs: Readonly<Record<string, string>> = postalWords.countries;
/** Words for a code and the countries (alpha-2) where it is the word, longer ones first: `zip code` has `zip` in it. */
const labels = Object.entries(postalWords.labels)
  .flatMap(([countries, entries]) => entries.map((entry) => ({ countries: countries.split(' '), entry })))
  .sort((left, right) => right.entry.length - left.entry.length);
const label = new RegExp(
  `(?<!\\p{L})(${labels.map(({ entry }) => entry.replaceAll('.', '\\.')).join('|')})[:.]?\\s*(?=\\p{L}{0,3}[-–]?\\d)`,
  'iu',
);
/** `D-80331`, `CH 8001`; a single letter before a number with a blank may be anything. */
const sign = /(?<![\p{L}\p{N}])(?:([A-Za-z]{1,3})[-–]\s?|([A-Z]{2,3}) )(?=\d[\d -]{2,}(?!\p{L}))/u;

/**
 * A text without what announces its postal code, and the countries (alpha-2) that this is usual in, likeliest first;
 * `otherwise` is what to read where those have no such code: a code of Denmark is not one of another country.
 */
export function announcedCode(typed: string): { text: string; countries: readonly string[]; otherwise: string } {
  const named = label.exec(typed)?.[1].toLowerCase();
  const text = named === undefined ? typed : typed.replace(label, '');
  const [found, beforeHyphen, beforeBlank] = sign.exec(text) ?? [];
  const letters = (beforeHyphen ?? beforeBlank)?.toUpperCase();
  const country = letters && (signs[letters] ?? (letters.length === 2 ? letters : undefined));
  if (country) return { text: text.replace(found!, ''), countries: [country], otherwise: typed };
  const ofLabel = labels.find(({ entry }) => entry === named)?.countries ?? [];
  return { text, countries: ofLabel.filter((each) => each !== ''), otherwise: text };
}

// Numbers in words, as people write house numbers: `ten`, `veintiuno`, `fünfundzwanzig`.

const languages =
  'en-US en-GB de-DE fr-FR es-ES it-IT pt-PT nl-NL da-DK nb-NO sv-SE fi-FI pl-PL cs-CZ ru-RU uk-UA tr-TR'.split(' ');
/** Larger house numbers are never written in words. */
const maxNumber = 299;
/** `deux cent quatre-vingt-dix-sept` has the most words. */
const maxWords = 6;

let known: Map<string, number> | undefined;

/** The number spelled by folded words; the table is built on first use, as most texts have digits. */
function numberOf(words: string): number | undefined {
  known ??= new Map(languages.flatMap(numbersIn));
  return known.get(words);
}

/** Loaded with the table: a start without the code of the languages takes 7 MB less. */
const require = createRequire(import.meta.url);

function numbersIn(language: string): [string, number][] {
  const { toCardinal }: typeof import('n2words/de-DE') = require(`n2words/${language}`);
  return Array.from({ length: maxNumber }, (_, at) => [fold(toCardinal(at + 1)), at + 1]);
}

/** A number in words and its position in a text. */
type SpelledNumber = { value: number; from: number; to: number };

/** The longest numbers in words at the start and end of a text, if something else remains. */
export function spelledNumbers(text: string): SpelledNumber[] {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const longestRun = (runOf: (count: number) => typeof words): SpelledNumber[] => {
    for (let count = Math.min(maxWords, words.length - 1); count > 0; count--) {
      const run = runOf(count);
      const value = numberOf(fold(run.map(([word]) => word).join(' ')));
      const last = run[run.length - 1];
      if (value !== undefined) return [{ value, from: run[0].index, to: last.index + last[0].length }];
    }
    return [];
  };
  return [...longestRun((count) => words.slice(0, count)), ...longestRun((count) => words.slice(-count))];
}

/** A word of a text, or a single sign where a script is written without blanks. */
export type QueryToken = {
  /** Folded. */
  text: string;
  /** Whether a comma or bracket follows: there a name ends and its context begins. */
  isBreakAfter: boolean;
  /** Whether the next one follows without a blank. */
  isGlued: boolean;
};

/** No name and no context is longer; what follows counts as unexplained. */
const maxTokenWords = 12;
const maxTokens = 24;
const withoutBlanks = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}]/u;

export type Tokens = { tokens: readonly QueryToken[]; omittedLetters: number };

/** The tokens of a text, and the number of letters after the last of them; no tokens when nothing can be matched. */
export function tokensOf(text: string): Tokens {
  const words = analyse(text);
  const tokens: QueryToken[] = [];
  for (let number = 0; number < words.length && number < maxTokenWords; number++) {
    const { text: word, isBreakAfter } = words[number];
    if (!withoutBlanks.test(word)) {
      tokens.push({ text: word, isBreakAfter, isGlued: false });
      continue;
    }
    const signs = [...word];
    for (const [at, sign] of signs.entries()) {
      const isLast = at === signs.length - 1;
      tokens.push({ text: sign, isBreakAfter: isLast && isBreakAfter, isGlued: !isLast });
    }
  }
  if (words.length <= maxTokenWords && tokens.length <= maxTokens) return { tokens, omittedLetters: 0 };
  const rest = [...tokens.slice(maxTokens), ...words.slice(maxTokenWords)];
  return { tokens: tokens.slice(0, maxTokens), omittedLetters: rest.reduce((sum, { text }) => sum + text.length, 0) };
}
