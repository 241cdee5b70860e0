import table from './dictionaries/transliterations.json' with { type: 'json' };

/** The Latin spellings of a letter or of several that belong together: those that are usual, and the others. */
export type Spellings = { usual: readonly string[]; others: readonly string[] };

const spellings = new Map<string, Spellings>(
  Object.entries(table).map(([unit, text]) => {
    const [usual, others = ''] = text.split('|');
    return [unit, { usual: usual.split(' '), others: others === '' ? [] : others.split(' ') }];
  }),
);
const longestUnit = Math.max(...[...spellings.keys()].map(({ length }) => length));
const written = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a folded text is in an alphabet whose letters have Latin spellings here: Cyrillic or Greek. */
export const isTransliterable = (text: string): boolean => written.test(text);

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
