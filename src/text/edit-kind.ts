/** Kinds of typing mistakes, which people make more or less often. */
import keyboard from './dictionaries/keyboard.json' with { type: 'json' };

/** `other` is one letter for another that is neither a vowel's vowel nor beside it on the keyboard. */
export const editKinds = ['vowel', 'nearKey', 'swapped', 'doubled', 'missing', 'extra', 'other'] as const;
export type EditKind = (typeof editKinds)[number];

/**
 * The kind of the one edit that makes a typed text of a name, and whether it changes the first letter. Where the two are
 * farther apart only `isFirst` says anything.
 */
export function editKind(typed: string, name: string): { kind: EditKind; isFirst: boolean } {
  let start = 0;
  while (start < typed.length && typed[start] === name[start]) start++;
  let end = 0;
  const maxLength = Math.min(typed.length, name.length) - start;
  while (end < maxLength && typed[typed.length - 1 - end] === name[name.length - 1 - end]) end++;
  const wrong = typed.slice(start, typed.length - end);
  const right = name.slice(start, name.length - end);
  return { kind: kindOf(wrong, right, name[start - 1], name[name.length - end]), isFirst: start === 0 };
}

/** What kind of mistake it is to type `wrong` for `right` between two letters of a name. */
function kindOf(wrong: string, right: string, before: string | undefined, after: string | undefined): EditKind {
  if (wrong.length === 2) return 'swapped';
  if (wrong.length === 1 && right.length === 1) {
    if (isVowel(wrong) && isVowel(right)) return 'vowel';
    return isNextOnKeyboard(wrong, right) || isNextOnKeyboard(right, wrong) ? 'nearKey' : 'other';
  }
  const letter = wrong + right;
  if (letter === before || letter === after) return 'doubled';
  return wrong === '' ? 'missing' : 'extra';
}

const vowels = new Set('aeiouy');
const isVowel = (letter: string) => vowels.has(letter);

/** Whether a letter is left of another or above it on a keyboard. */
const isNextOnKeyboard = (one: string, other: string): boolean =>
  keyboard.some((row, line) => {
    const column = row.indexOf(one);
    const below = keyboard[line + 1] ?? '';
    return column >= 0 && [row[column + 1], below[column - 1], below[column]].includes(other);
  });
