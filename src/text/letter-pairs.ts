/**
 * Edits of letters that Latin writes with two or more. In a word in Latin letters a missing `я` of `Елецкая` is two
 * letters and a mistake in `ц` another two, more than a search for one edit finds.
 */
import { latin } from './latin.ts';

const letters = [...'абвгдежзийклмнопрстуфхцчшщыэюяёіїєґўјљњћђџ', ...'αβγδεζηθικλμνξοπρστυφχψω'];
const longUnits = [...new Set(letters.map(latin).filter(({ length }) => length > 1))].sort(
  (left, right) => right.length - left.length,
);
const units = new RegExp(`${longUnits.join('|')}|.`, 'g');
const plainUnits = [...new Set(letters.map(latin).filter(({ length }) => length === 1))];

/** Whether a text has letters that Latin writes with several. */
export const hasLetterPairs = (text: string): boolean => /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(text);

/**
 * Every word that one wrong, missing, extra or swapped letter makes of a word in Latin letters, where that letter is
 * written with several: some 300 for a word of ten letters. Duplicates are among them.
 */
export function letterPairEdits(word: string): string[] {
  const together = word.match(units) ?? [];
  // `тс` and `ц` are both `ts`.
  const edits = editsOf(together);
  return together.length === word.length ? edits : [...edits, ...editsOf([...word])];
}

function editsOf(parts: readonly string[]): string[] {
  const edits: string[] = [];
  const put = (from: number, to: number, ...between: string[]) =>
    edits.push([...parts.slice(0, from), ...between, ...parts.slice(to)].join(''));
  for (let at = 0; at <= parts.length; at++) {
    for (const unit of longUnits) put(at, at, unit);
    if (at === parts.length) break;
    const isLong = parts[at].length > 1;
    if (isLong) put(at, at + 1);
    for (const unit of isLong ? [...longUnits, ...plainUnits] : longUnits)
      if (unit !== parts[at]) put(at, at + 1, unit);
    if (at + 1 < parts.length && (isLong || parts[at + 1].length > 1)) put(at, at + 2, parts[at + 1], parts[at]);
  }
  return edits;
}
