/** The keys under which a place is found: its names folded, and the other ways people write them. */
import { fold } from '../fold.ts';

/** How a key names a place. */
export const nameKinds = {
  /** The main name or its ASCII form. */
  main: 0,
  /** Another name of a well-known place; without language tags the local and the English one are among these. */
  known: 1,
  /** Another name. */
  other: 2,
  /** A main name from its second or a later word on: `angeles`. */
  inner: 3,
  /** A machine's romanisation: `bei jing shi`. */
  romanised: 4,
} as const;
export type NameKind = (typeof nameKinds)[keyof typeof nameKinds];

/** Words that people write in several ways, folded; a name with one of them is also found under the others. */
const sameWords: readonly (readonly string[])[] = [
  ['st', 'saint', 'sankt', 'sint'],
  ['ste', 'sainte'],
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['mt', 'mount'],
  ['ft', 'fort'],
  ['pt', 'port'],
  ['n', 'north'],
  ['s', 'south'],
  ['e', 'east'],
  ['w', 'west'],
];
const otherSpellings = new Map<string, string[]>();
for (const words of sameWords) {
  // The single letters stand for the long word only, never the other way: `s` is too short to be a key's beginning.
  const [short, ...long] = words;
  for (const word of long) {
    if (short.length > 1) otherSpellings.set(word, [short, ...long.filter((other) => other !== word)]);
  }
  otherSpellings.set(short, long);
}
/** Short words that say nothing at the start of a name's tail: no one looks for `de janeiro`'s `de`. */
const smallWords = new Set(
  'a al am an and at auf d da das de dei del della den der des di die do dos du e el en im in i la las le les lo los na nad of on ob op pri the to u und upon v van von y zu'.split(
    ' ',
  ),
);
const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** The folded forms of a name, the plain one first; empty when the name has nothing that can be matched. */
export function foldedForms(name: string): string[] {
  const plain = fold(name);
  if (plain === '') return [];
  const forms = [plain];
  // Some rows give one name in two scripts: `Khartún - الخرطوم`.
  if (name.includes(' - '))
    forms.push(
      ...name
        .split(' - ')
        .map(fold)
        .filter((part) => part.length > 2),
    );
  // The Arabic article is written or left out.
  if (plain.length > 4 && plain.startsWith('ال')) forms.push(plain.slice(2));
  const lower = name.toLowerCase().normalize('NFC');
  if (/[äöüøå]/.test(lower)) forms.push(fold(lower.replace(/[äöüøå]/g, (letter) => umlauts[letter])));
  // A Chinese or Japanese city is written with and without the word for city.
  if (plain.length >= 3 && plain.endsWith('市')) forms.push(plain.slice(0, -1));
  return forms;
}

/** The same folded name with its abbreviations written out, or its long words abbreviated; empty when none applies. */
export function otherWritings(folded: string): string[] {
  const words = folded.split(' ');
  const writings: string[] = [];
  for (const [at, word] of words.entries()) {
    if (words.length === 1) break;
    for (const other of otherSpellings.get(word) ?? []) writings.push(words.with(at, other).join(' '));
  }
  return writings;
}

/** The tails of a folded name that start at a later word worth looking for; empty for a name of one word. */
export function tails(folded: string): string[] {
  const found: string[] = [];
  for (let at = folded.indexOf(' ') + 1; at > 0; at = folded.indexOf(' ', at) + 1) {
    const tail = folded.slice(at);
    const blank = tail.indexOf(' ');
    const first = blank < 0 ? tail : tail.slice(0, blank);
    if (first.length > 1 && !smallWords.has(first)) found.push(tail);
  }
  return found;
}

const romanisation = /^[a-z][a-z' =\-.]*$/;

/** Whether a name is one of GeoNames' machine romanisations: all small ASCII letters, as in `mosukuwa`. */
export function isRomanised(name: string): boolean {
  return romanisation.test(name);
}
