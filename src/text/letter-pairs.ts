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
 * written with several: about 300 for a word of ten letters. Duplicates are among them.
 */
export function letterPairEdits(word: string): string[] {
  const together = word.match(units) ?? [];
  // `тс` and `ц` are both `ts`.
  const edits = editsOf(together);
  return together.length === word.length ? edits : [...edits, ...editsOf([...word])];
}

function editsOf(parts: readonly string[]): string[] {
  const edits: string[] = [];
  const word = parts.join('');
  let before = '';
  for (const [at, part] of parts.entries()) {
    const after = word.slice(before.length + part.length);
    const isLong = part.length > 1;
    for (const unit of longUnits) edits.push(before + unit + part + after);
    if (isLong) edits.push(before + after);
    for (const unit of longUnits) if (unit !== part) edits.push(before + unit + after);
    if (isLong) for (const unit of plainUnits) edits.push(before + unit + after);
    const next = parts[at + 1];
    if (next !== undefined && (isLong || next.length > 1)) edits.push(before + next + part + after.slice(next.length));
    before += part;
  }
  for (const unit of longUnits) edits.push(word + unit);
  return edits;
}
