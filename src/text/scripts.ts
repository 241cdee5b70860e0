/** Texts of other scripts: in Latin letters and plain digits, divided into words. */

import { createRequire } from 'node:module';
import serbianLetters from './dictionaries/serbian-latin.json' with { type: 'json' };
import table from './dictionaries/transliterations.json' with { type: 'json' };

const require = createRequire(import.meta.url);
let anyAscii: typeof import('any-ascii').default | undefined;

/** A text in ASCII letters. The table is loaded with the first text: half a megabyte that a look-up of a point never needs. */
export function toAscii(text: string): string {
  anyAscii ??= (require('any-ascii') as typeof import('any-ascii')).default;
  return anyAscii(text);
}

/** A folded word in Latin letters and digits; `''` where nothing of it is a letter or digit. */
export function latin(word: string): string {
  return /^[a-z\d]*$/.test(word)
    ? word
    : toAscii(word)
        .toLowerCase()
        .replace(/[^a-z\d]+/g, '');
}

const digit = /(?![0-9])\p{Nd}/gu;
const fullWidth = /[！-～]/g;
/** Dashes of keyboards and fonts between the parts of a number; `ー` is the one that Japanese keyboards offer. */
const dash = /(?<=\d\s?)[‐‑‒—―−ー－](?=\s?\d)/g;

/** A text with the digits of every script, full-width letters and signs, and dashes in numbers as ASCII has them. */
export function withPlainDigits(text: string): string {
  return text
    .replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .replace(digit, (sign) => toAscii(sign))
    .replace(dash, '-');
}

// Chinese, Japanese and Korean addresses are written from the country down to the house, often without a blank. They
// are split after suffixes of administrative areas, streets and blocks; the parts of a Japanese number become one
// number. Where a name contains such a suffix the text is split once too often, which look-ups by all words tolerate.

const han = /\p{Script=Han}/u;
const hangul = /\p{Script=Hangul}/u;

const digits = '〇一二三四五六七八九';
/** Kanji numerals are converted only before and after chome: `三番町` and `麻布十番` are names. */
const counted = new RegExp(`[${digits}十百]+(?=丁目)|(?<=丁目|番地?の?)[${digits}十百]+(?=番|号|號)`, 'g');
/** 三丁目1番1号, 3丁目1-1, 1番地: chome, block and house. */
const japaneseNumber = /(\d{1,4})\s*(?:丁目|番地の|番地|番|号)\s*の?-?\s*(?=\d)/g;
const numberEnd = /(?<=\d)(?:番地|番|号室|号|號|丁目)(?!\p{Script=Han})/gu;
/** 建国路88号, 88号楼: the sign of a Chinese number. */
const chineseNumber = /(?<=\d)[号號](?=\p{Script=Han}|\s|$|[,，])/gu;
const prefecture = /^((?:東京都|北海道|(?:京都|大阪)府|\p{Script=Han}{2,3}県))(?=\S)/u;
const province = /(\p{Script=Han}{2,6}?(?:省|自治区|自治州|特别行政区|特別行政區))(?=\S)/u;
/** A name that ends with the sign of a city, ward, district or town, and is not followed by another such sign. */
const area = /([^\s\d,]{1,7}?[市区區町村县縣镇鎮乡鄉郡])(?![市区區町村县縣镇鎮乡鄉郡\s]|$)/gu;
/** A Chinese street before its number or another part. */
const chineseStreet = /(?<=\p{Script=Han})(大道|大街|胡同|路|街|巷|弄|道)(?=\d)/gu;

const koreanProvince =
  /([\p{Script=Hangul}]{2,6}(?:특별시|광역시|특별자치시|특별자치도|[경충전강제][가-힣]{1,2}도|도))(?=[\p{Script=Hangul}])/u;
const koreanArea = /([\p{Script=Hangul}]{1,4}?[시군구읍면])(?=[\p{Script=Hangul}]{2})/gu;
/** 아주로37 but not 월드컵로193번길. */
const koreanNumber = /(?<=\p{Script=Hangul}[로길동리가])(\d{1,5}(?:-\d{1,4})?)(?![\d-]*\p{L})/gu;
const longRun = /[\p{Script=Hangul}\d]{9,}/u;

/** Inserts blanks between the parts of such an address; other texts are unchanged. */
export function withEastAsianBlanks(text: string): string {
  if (hangul.test(text)) return koreanBlanks(text);
  return han.test(text) ? hanBlanks(text) : text;
}

function koreanBlanks(text: string): string {
  const numbered = text.replace(koreanNumber, ' $1');
  return longRun.test(numbered) ? numbered.replace(koreanProvince, '$1 ').replace(koreanArea, '$1 ') : numbered;
}

function hanBlanks(text: string): string {
  return text
    .replace(/〒\s*/g, '')
    .replace(counted, (numeral) => String(numeralValue(numeral)))
    .replace(japaneseNumber, '$1-')
    .replace(numberEnd, ' ')
    .replace(chineseNumber, ' ')
    .split(/(\s+|[,，、])/)
    .map((run) => run.replace(prefecture, '$1 ').replace(province, '$1 ').replace(area, '$1 '))
    .join('')
    .replace(chineseStreet, '$1 ')
    .replace(/(?<=\p{Script=Han}|[ぁ-ヿ])(?=\d)/gu, ' ')
    .replace(/\s{2,}/g, ' ');
}

/** A numeral up to 999. */
function numeralValue(numeral: string): number {
  let [value, ones] = [0, 0];
  for (const sign of numeral) {
    if (sign === '百' || sign === '十') {
      value += (ones || 1) * (sign === '百' ? 100 : 10);
      ones = 0;
    } else ones = ones * 10 + digits.indexOf(sign);
  }
  return value + ones;
}

// Japanese syllables in Latin letters.

const smallVowels: Record<string, string> = { ゃ: 'a', ゅ: 'u', ょ: 'o' };

/** A text in hiragana in Hepburn's spelling, long vowels as they are written: `きょうとし` is kyoutoshi. */
export function hepburn(hiragana: string): string {
  let latin = '';
  let isDoubled = false;
  for (const syllable of hiragana) {
    if (syllable === 'っ') {
      isDoubled = true;
      continue;
    }
    const vowel = smallVowels[syllable];
    if (vowel !== undefined) {
      // し + ゃ is sha, き + ゃ kya.
      const consonant = latin.replace(/i$/, '');
      latin = consonant + (/(?:sh|ch|j)$/.test(consonant) ? '' : 'y') + vowel;
      continue;
    }
    const letters = toAscii(syllable);
    latin += (isDoubled ? (letters.startsWith('ch') ? 't' : letters[0]) : '') + letters;
    isDoubled = false;
  }
  return latin;
}

/** A Latin spelling without long vowels: tokyo for toukyou. */
export const shortVowels = (latin: string): string => latin.replace(/o[ou]+/g, 'o').replace(/uu+/g, 'u');

const serbian: Readonly<Record<string, string>> = serbianLetters;

/** A Serbian name in the Latin letters of the language. */
export const serbianLatin = (name: string): string =>
  name.replace(/\p{Script=Cyrillic}/gu, (letter) => {
    const lower = letter.toLowerCase();
    const written = serbian[lower] ?? lower;
    return letter === lower ? written : written[0].toUpperCase() + written.slice(1);
  });

// Transliterations: how people write other alphabets in Latin letters.

/** The Latin spellings of a letter or of several that belong together: those that are usual, and the others. */
type Spellings = { usual: readonly string[]; others: readonly string[] };

const words = (text: string) => (text === '' ? [] : text.split(' '));
const spellings = new Map<string, Spellings>(
  Object.entries(table.letters).map(([unit, text]) => {
    const [usual, others = ''] = text.split('|');
    return [unit, withUnwrittenVowels(unit, { usual: usual.split(' '), others: words(others) })];
  }),
);
// People double the wrong letter: `cinncinati`.
for (const letter of table.mayBeDoubled) {
  spellings.set(letter, { usual: [letter], others: [letter + letter] });
  spellings.set(letter + letter, { usual: [letter + letter], others: [letter] });
}
const longestUnit = Math.max(...[...spellings.keys()].map(({ length }) => length));
const written =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Alphabets of consonants leave the vowels behind them to the reader, and write a doubled letter once: `בנדר` for Bandar,
 * `राजकोट` for Rajkot.
 */
function withUnwrittenVowels(unit: string, { usual, others }: Spellings): Spellings {
  const rule = table.unwrittenVowels.find(({ after }) => after.includes(unit.at(-1)!));
  if (!rule) return { usual, others };
  const vowels = words(rule.usual);
  const followed = usual.flatMap((written) => [written, ...vowels.map((vowel) => written + vowel)]);
  const doubled = usual.filter(({ length }) => length === 1).map((letter) => letter + letter);
  return {
    usual: followed,
    others: [
      ...others,
      ...[...others, ...doubled].flatMap((written) => [written, ...vowels.map((vowel) => written + vowel)]),
      ...usual.flatMap((written) => words(rule.others).map((vowel) => written + vowel)),
    ],
  };
}

/** Whether a folded text is in an alphabet whose letters have Latin spellings here. */
export const isTransliterable = (text: string): boolean => written.test(text);

/** A folded text in the letters that have spellings: Korean syllables are taken apart. */
export const lettersOf = (text: string): string => (hangul.test(text) ? text.normalize('NFD') : text);

/**
 * The ways to write in Latin what stands at a position of a folded text, by how many of its letters they take; a sign
 * that has none stands for itself.
 */
export function spellingsAt(text: string, at: number): [length: number, spellings: Spellings][] {
  const found: [number, Spellings][] = [];
  for (let length = Math.min(longestUnit, text.length - at); length > 0; length--) {
    const known = spellings.get(text.slice(at, at + length));
    if (known) found.push([length, known]);
    else if (length === 1) found.push([1, { usual: [text[at]], others: [] }]);
  }
  return found;
}
