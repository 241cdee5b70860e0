import { fold } from '../text/fold.ts';

const words = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The parts of a label that begin as the words of a folded query do, each word once: starts and ends (exclusive) in turn,
 * in UTF-16 code units, ascending; empty where the label is found by another name.
 */
export function highlight(label: string, query: string): number[] {
  const typed = query.split(' ');
  const found: number[] = [];
  for (const { 0: word, index } of label.matchAll(words)) {
    const at = typed.findIndex((part) => part !== '' && fold(word).startsWith(part));
    if (at < 0) continue;
    found.push(index, index + lengthOf(word, typed[at].length));
    typed.splice(at, 1);
  }
  return found;
}

/** How many code units of a word make so many folded ones: `ß` is two of them. */
function lengthOf(word: string, folded: number): number {
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (fold(word.slice(0, length)).length >= folded) break;
    length += segment.length;
  }
  return length;
}
