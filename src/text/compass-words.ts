/** Points of the compass as people shorten them in names of places and regions: `n las vegas`, `So. Australia`. */
import compass from './dictionaries/compass-words.json' with { type: 'json' };

const writtenOut = new Map<string, readonly string[]>(Object.entries(compass));
const variants = Math.max(...[...writtenOut.values()].map(({ length }) => length));
/** A short word before another one; the letters of `U.S.` are none. */
const shortWord = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}.'’-])(${[...writtenOut.keys()].join('|')})\\.?(?=\\s+\\p{L})`,
  'giu',
);

/** The text with its short points of the compass written out; none without one, or with a number: that is an address. */
export function withCompassWords(text: string): string[] {
  if (!/(?<!\S)\S{1,3}\s/u.test(text) || /\p{N}/u.test(text)) return [];
  const found = Array.from({ length: variants }, (_, at) =>
    text.replace(shortWord, (_typed, word: string) => writtenOut.get(word.toLowerCase())![at]),
  );
  return found[0] === text ? [] : found;
}
