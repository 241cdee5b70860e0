/**
 * Edits of letters that Latin writes with two or more. In a word in Latin letters a missing `я` of `Елецкая` is two
 * letters and a mistake in `ц` another two, more than a search for one edit finds.
 */
import { latin } from './latin.ts';

const letters = [...'абвгдежзийклмнопрстуфхцчшщыэюяёіїєґўјљњћђџ', ...'αβγδεζηθικλμνξοπρστυφχψω'];

/** What the letters are in Latin; on first use, as their table is half a megabyte. */
function readUnits() {
  const written = [...new Set(letters.map(latin))];
  const long = written.filter(({ length }) => length > 1).sort((left, right) => right.length - left.length);
  const plain = written.filter(({ length }) => length === 1);
  return { long, plain, pattern: new RegExp(`${long.join('|')}|.`, 'g') };
}

let units: ReturnType<typeof readUnits> | undefined;

/** Whether a text has letters that Latin writes with several. */
export const hasLetterPairs = (text: string): boolean => /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(text);

/**
 * Every word that one wrong, missing, extra or swapped letter makes of a word in Latin letters, where that letter is
 * written with several: about 300 for a word of ten letters. Duplicates are among them.
 */
export function letterPairEdits(word: string): string[] {
  units ??= readUnits();
  const together = word.match(units.pattern) ?? [];
  // `тс` and `ц` are both `ts`.
  const edits = editsOf(together, units);
  return together.length === word.length ? edits : [...edits, ...editsOf([...word], units)];
}

function editsOf(parts: readonly string[], { long, plain }: ReturnType<typeof readUnits>): string[] {
  const edits: string[] = [];
  const word = parts.join('');
  let before = '';
  for (const [at, part] of parts.entries()) {
    const after = word.slice(before.length + part.length);
    const isLong = part.length > 1;
    for (const unit of long) edits.push(before + unit + part + after);
    if (isLong) edits.push(before + after);
    for (const unit of long) if (unit !== part) edits.push(before + unit + after);
    if (isLong) for (const unit of plain) edits.push(before + unit + after);
    const next = parts[at + 1];
    if (next !== undefined && (isLong || next.length > 1)) edits.push(before + next + part + after.slice(next.length));
    before += part;
  }
  for (const unit of long) edits.push(word + unit);
  return edits;
}
