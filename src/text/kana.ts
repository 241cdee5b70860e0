/** Japanese syllables in Latin letters, so that a name's reading can be compared with its Latin spelling. */
import { toAscii } from './latin.ts';

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

/**
 * A Latin spelling of a Japanese name without what spellings differ in: blanks, hyphens, long vowels (Ōita, Oita, Ooita) and
 * m before b, m and p (Namba, Nanba). Spellings with the same key are the same syllables, long vowels apart.
 */
export function japaneseSpellingKey(folded: string): string {
  return folded
    .replace(/[^a-z]/g, '')
    .replace(/o[ou]+/g, 'o')
    .replace(/uu+/g, 'u')
    .replace(/m(?=[bmp])/g, 'n')
    .replace(/cch/g, 'tch');
}
