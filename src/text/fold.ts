/**
 * Folding of names for matching: two names are the same when their folded forms are equal. Case, diacritics,
 * punctuation, width and apostrophes are ignored, in every script.
 */

import han from './dictionaries/han.json' with { type: 'json' };
import letters from './dictionaries/letters.json' with { type: 'json' };

/**
 * Letters that Unicode does not decompose but people type as plain ones, letters with two forms in one alphabet, and
 * letters that differ between keyboards of neighbouring languages. Traditional and Japanese characters become the
 * simplified ones of China, as OpenCC has them.
 */
const plainLetters: Readonly<Record<string, string>> = {
  ...letters,
  ...Object.fromEntries([...han.from].map((character, at) => [character, han.to[at]])),
};

/** A Chinese text in the simplified characters. */
export const simplifiedChinese = (text: string): string =>
  text.replace(/\p{Script=Han}/gu, (character) => plainLetters[character] ?? character);

const traditionalCharacters = new Map([...han.simplified].map((character, at) => [character, han.traditional[at]]));

/** A Chinese name in the traditional characters. */
export const traditionalChinese = (text: string): string =>
  Array.from(text, (character) => traditionalCharacters.get(character) ?? character).join('');

const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
// Marks are dropped only where they are optional spelling; in Indic and Thai text a mark is a vowel.
const marks = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
// Tatweel, which only stretches an Arabic word, goes with them.
const apostrophes = /['’‘ʼʻʹ′`´＇׳״ʽʾʿـ]/g;
const initials = /(?<=(?:^|[^\p{L}])\p{L})\.(?=\p{L}(?:[^\p{L}]|$))/gu;
const separators = /[^\p{L}\p{M}\p{N}]+/gu;
/** A folded name in ASCII, as most are typed; one with other signs between its words; and one with accents on its letters. */
const plainAscii = /^[a-z0-9]+(?: [a-z0-9]+)*$/;
const separated = /^[a-z0-9 ,;:/()&-]*$/;
const accented = /^(?:[a-z][\u0300-\u036f]*|[0-9 ])*$/;
const accents = /[\u0300-\u036f]+/g;

/** Of what is longer only the beginning counts: the time of Unicode's normalisation grows with the square of a run of marks. */
const maxLength = 2_000;

/** The folded form of a name: lower-case words separated by single blanks; `''` when nothing can be matched. */
export function fold(text: string): string {
  const lower = text.slice(0, maxLength).toLowerCase();
  if (plainAscii.test(lower)) return lower;
  if (separated.test(lower)) return lower.replace(/[^a-z0-9]+/g, ' ').trim();
  const decomposed = lower.toWellFormed().normalize('NFKD').toLowerCase();
  // To find the marks of any script takes longer.
  const folded = accented.test(decomposed) ? decomposed.replace(accents, '') : withoutMarks(decomposed);
  return folded.replace(/ {2,}/g, ' ').trim();
}

const withoutMarks = (decomposed: string) =>
  decomposed
    .replace(apostrophes, '')
    .replace(marks, '$1')
    .replace(special, (letter) => plainLetters[letter])
    .replace(initials, '')
    .replace(separators, ' ')
    .normalize('NFC');
