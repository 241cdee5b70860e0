/**
 * Folding of names for matching: two names are the same when their folded forms are equal. Case, diacritics,
 * punctuation, width and apostrophes are ignored, in every script.
 */

/** Letters that Unicode does not decompose but people type as plain ones. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ŋ: 'n',
  ħ: 'h',
  ŧ: 't',
  ĸ: 'k',
  ə: 'e',
  ǝ: 'e', // typed for ə in Azerbaijani names
  ɨ: 'i',
  ʉ: 'u',
  // One letter in two forms, or letters that keyboards of neighbouring languages exchange.
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ڪ: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ة: 'ه',
  ٱ: 'ا',
  // Cyrillic letters of one language that others write plainly.
  ґ: 'г',
  ұ: 'у',
  ү: 'у',
};
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
// Marks are dropped only where they are optional spelling; in Indic and Thai text a mark is a vowel.
const marks =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}/gu;
// Tatweel, which only stretches an Arabic word, goes with them.
const apostrophes = /['’‘ʼʻʹ′`´＇׳״ʽʾʿـ]/g;
const initials = /(?<=(?:^|[^\p{L}])\p{L})\.(?=\p{L}(?:[^\p{L}]|$))/gu;
const separators = /[^\p{L}\p{M}\p{N}]+/gu;
const plainAscii = /^[a-z0-9 ]*$/;

/** The folded form of a name: lower-case words separated by single blanks; `''` when nothing can be matched. */
export function fold(text: string): string {
  let folded = text.toLowerCase();
  if (!plainAscii.test(folded)) {
    folded = folded
      .toWellFormed()
      .normalize('NFKD')
      .toLowerCase()
      .replace(apostrophes, '')
      .replace(marks, '')
      .replace(special, (letter) => plainLetters[letter])
      .replace(initials, '')
      .replace(separators, ' ')
      .normalize('NFC');
  }
  return folded.replace(/ {2,}/g, ' ').trim();
}
