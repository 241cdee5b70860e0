import table from './dictionaries/transliterations.json' with { type: 'json' };

/** The Latin spellings of a letter or of several that belong together: those that are usual, and the others. */
export type Spellings = { usual: readonly string[]; others: readonly string[] };

const words = (text: string) => (text === '' ? [] : text.split(' '));
const spellings = new Map<string, Spellings>(
  Object.entries(table.letters).map(([unit, text]) => {
    const [usual, others = ''] = text.split('|');
    return [unit, withUnwrittenVowels(unit, { usual: usual.split(' '), others: words(others) })];
  }),
);
const longestUnit = Math.max(...[...spellings.keys()].map(({ length }) => length));
const written =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Katakana}\p{Script=Hangul}]/u;
const hangul = /\p{Script=Hangul}/u;

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
