import { fold } from '../text/fold.ts';

const words = /[\p{L}\p{M}\p{N}]+/gu;
const segmenter = new Intl.Segmenter();

/**
 * The parts of a label that begin as the words of a folded query do, each word once: starts and ends (exclusive) in turn,
 * in UTF-16 code units, ascending; empty where the label is found by another name.
 */
export function highlight(label: string, query: string): number[] {
  const typed = query.split(' ').filter((part) => part !== '');
  const found: number[] = [];
  for (const { 0: word, index } of label.matchAll(words)) {
    const folded = fold(word);
    const at = typed.findIndex((part) => folded.startsWith(part));
    if (at < 0) continue;
    found.push(index, index + lengthOf(word, typed[at].length));
    if (typed.length === 1) break;
    typed.splice(at, 1);
  }
  return found;
}

/** How many code units of a word make so many folded ones: `ß` is two of them. */
function lengthOf(word: string, folded: number): number {
  if (isAscii(word, folded + 1)) return Math.min(folded, word.length);
  let length = 0;
  for (const { segment } of segmenter.segment(word)) {
    if (fold(word.slice(0, length)).length >= folded) break;
    length += segment.length;
  }
  return length;
}

/** Whether a word begins with so many ASCII characters, or is shorter and has no others. */
function isAscii(word: string, length: number): boolean {
  for (let at = Math.min(length, word.length) - 1; at >= 0; at--) if (word.charCodeAt(at) > 0x7f) return false;
  return true;
}
