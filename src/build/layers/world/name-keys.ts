/** The keys under which a place is found: its names folded, and the other ways people write them. */
import { otherSpellingsOf } from '../../../text/abbreviations.ts';
import { fold } from '../../../text/fold.ts';
import { withLettersSpelledOut } from '../../../text/letter-spellings.ts';
import { stopWordSet } from '../../../text/stop-words.ts';

/** The folded forms of a name, the plain one first; empty when the name has nothing that can be matched. */
export function foldedForms(name: string): string[] {
  const plain = fold(name);
  if (plain === '') return [];
  const forms = [plain];
  // Some rows have one name in two scripts: `Khartún - الخرطوم`.
  if (name.includes(' - '))
    forms.push(
      ...name
        .split(' - ')
        .map(fold)
        .filter((part) => part.length > 2),
    );
  // The Arabic article is written or left out.
  if (plain.length > 4 && plain.startsWith('ال')) forms.push(plain.slice(2));
  const spelledOut = withLettersSpelledOut(name);
  if (spelledOut !== undefined) forms.push(fold(spelledOut));
  // A Chinese or Japanese city is written with and without the word for city.
  if (plain.length >= 3 && plain.endsWith('市')) forms.push(plain.slice(0, -1));
  return forms;
}

/** The same folded name with its abbreviations written out, or its long words abbreviated; empty when none applies. */
export function otherSpellings(folded: string): string[] {
  const words = folded.split(' ');
  const spellings: string[] = [];
  for (const [at, word] of words.entries()) {
    if (words.length === 1) break;
    for (const other of otherSpellingsOf(word)) spellings.push(words.with(at, other).join(' '));
  }
  return spellings;
}

/** The suffixes of a folded name that start at a later word worth looking for; empty for a name of one word. */
export function suffixes(folded: string): string[] {
  const found: string[] = [];
  for (let at = folded.indexOf(' ') + 1; at > 0; at = folded.indexOf(' ', at) + 1) {
    const tail = folded.slice(at);
    const blank = tail.indexOf(' ');
    const first = blank < 0 ? tail : tail.slice(0, blank);
    if (first.length > 1 && !stopWordSet.has(first)) found.push(tail);
  }
  return found;
}

const romanisation = /^[a-z][a-z' =\-.]*$/;

/** Whether a name is one of GeoNames' machine romanisations: all small ASCII letters, as in `mosukuwa`. */
export function isRomanised(name: string): boolean {
  return romanisation.test(name);
}
