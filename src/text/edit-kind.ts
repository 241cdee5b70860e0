/** Typing mistakes: their number, and their kinds, which differ in frequency. */
import keyboard from './dictionaries/keyboard.json' with { type: 'json' };

/** `other` is one letter for another, except a vowel for a vowel or a neighbour on the keyboard. */
export const editKinds = ['vowel', 'nearKey', 'swapped', 'doubled', 'missing', 'extra', 'other'] as const;
export type EditKind = (typeof editKinds)[number];

/**
 * The kind of the single edit between a typed text and a name, and whether it changes the first letter. With more edits
 * only `isFirst` is meaningful.
 */
export function editKind(typed: string, name: string): { kind: EditKind; isFirst: boolean } {
  const [start, end] = commonEnds(typed, name);
  const wrong = typed.slice(start, typed.length - end);
  const right = name.slice(start, name.length - end);
  return { kind: kindOf(wrong, right, name[start - 1]), isFirst: start === 0 };
}

/** How many letters two texts have in common at their beginnings, and behind these at their ends. */
export function commonEnds(one: string, other: string): [start: number, end: number] {
  const shorter = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < shorter && one[start] === other[start]) start++;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [start, end];
}

/** Whether a text is a name, or one with one letter wrong, missing, extra or swapped with the next. */
export function isAtMostOneEdit(typed: string, name: string): boolean {
  let start = 0;
  while (start < typed.length && typed[start] === name[start]) start++;
  const [wrong, right] = [typed.slice(start), name.slice(start)];
  return (
    wrong.slice(1) === right.slice(1) ||
    wrong.slice(1) === right ||
    wrong === right.slice(1) ||
    (wrong.length > 1 && wrong[0] === right[1] && wrong[1] === right[0] && wrong.slice(2) === right.slice(2))
  );
}

/** The kind of mistake of typing `wrong` for `right` after a letter of a name, which all that agrees before it ends with. */
function kindOf(wrong: string, right: string, before: string | undefined): EditKind {
  if (wrong.length === 2) return 'swapped';
  if (wrong.length === 1 && right.length === 1) {
    if (isVowel(wrong) && isVowel(right)) return 'vowel';
    return isNextOnKeyboard(wrong, right) || isNextOnKeyboard(right, wrong) ? 'nearKey' : 'other';
  }
  const letter = wrong + right;
  if (letter === before) return 'doubled';
  return wrong === '' ? 'missing' : 'extra';
}

const vowels = new Set('aeiouy');
const isVowel = (letter: string) => vowels.has(letter);

/** A text with each of its doubled letters once: people double the wrong one, `britanny`. */
export const undoubled = (text: string): string => text.replace(/(.)\1/gu, '$1');

/** Whether a letter is to the left of another or above it on a keyboard. */
const isNextOnKeyboard = (one: string, other: string): boolean =>
  keyboard.some((row, line) => {
    const column = row.indexOf(one);
    const below = keyboard[line + 1] ?? '';
    return column >= 0 && [row[column + 1], below[column - 1], below[column]].includes(other);
  });

/** Letters to insert, delete or replace, in any case (Wagner and Fischer 1974); exact up to `most`, above it some larger number. */
export function editDistance(one: string, other: string, most = Number.POSITIVE_INFINITY): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let at = 1; at <= from.length; at++) {
    const above = row;
    row = Array(to.length + 1).fill(Number.POSITIVE_INFINITY);
    row[0] = at;
    for (let column = Math.max(1, at - most); column <= Math.min(to.length, at + most); column++) {
      const replaced = above[column - 1] + (from[at - 1] === to[column - 1] ? 0 : 1);
      row[column] = Math.min(replaced, above[column] + 1, row[column - 1] + 1);
    }
  }
  return row[to.length];
}
