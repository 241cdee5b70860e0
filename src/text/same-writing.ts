const eastAsianLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const otherLetter = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])\p{L}/u;

/**
 * Whether one of these names may be meant by a text that has only the beginning of its words, or mistyped ones. The Latin
 * letters of a text in Chinese, Japanese or Korean writing are its sounds, so that they begin names that have nothing to
 * do with it: 渋谷 (segu) is not Segunda.
 */
export function mayBeginOrMistype(text: string, names: readonly string[]): boolean {
  if (!eastAsianLetter.test(text) || otherLetter.test(text)) return true;
  return names.some((name) => eastAsianLetter.test(name));
}
