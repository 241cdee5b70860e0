/**
 * Names in Latin letters that a text in another alphabet spells: Gilgit for `Гилгит`, and those of several words that a text
 * has in one: Salt Lake City for `saltlakecity`. The sorted names are walked as a trie along every way to write each letter, the
 * usual ways first.
 */
import { firstPast } from '../core/columns.ts';
import type { KeyRange, NameKeys } from '../store/gazetteer.ts';
import { lettersOf, spellingsAt } from '../text/scripts.ts';

/** An unusual spelling for each so many letters. */
const lettersPerUnusual = 3;
const maxUnusual = 4;

/**
 * Calls `found` with each name that a folded text spells with the fewest unusual spellings and blanks between or one more,
 * and with their number; with `isPrefix` a range is all names that begin so. Returns how many branches were visited, `budget` at most.
 */
export function transliterated(
  names: NameKeys,
  folded: string,
  { isPrefix, budget }: { isPrefix: boolean; budget: number },
  found: (range: KeyRange, unusual: number) => void,
): number {
  const text = lettersOf(folded);
  const last = Math.min(maxUnusual, Math.ceil(text.length / lettersPerUnusual));
  const seen = new Set<number>();
  let visited = 0;

  /** Follows the names in [from, to), which agree in `depth` letters, from a position of the text on. */
  const follow = (from: number, to: number, depth: number, at: number, unusual: number, most: number): void => {
    if (at === text.length) {
      if ((!isPrefix && names.length(from) !== depth) || seen.has(from)) return;
      seen.add(from);
      found({ from, to: isPrefix ? to : from + 1 }, unusual);
      return;
    }
    const step = (written: string, length: number, more: number): void => {
      if (unusual + more > most || visited >= budget) return;
      visited++;
      const branch = depth === 0 ? names.prefixRange(written) : narrowed(names, from, to, depth, written);
      if (branch.from < branch.to) {
        follow(branch.from, branch.to, depth + written.length, at + length, unusual + more, most);
      }
    };
    for (const [length, { usual, others }] of spellingsAt(text, at)) {
      for (const written of usual) step(written, length, 0);
      for (const written of others) step(written, length, 1);
    }
    // Names of several words are often one in the other alphabet, or the other way round.
    if (at > 0) step(' ', 0, 1);
    if (text[at] === ' ') step('', 1, 1);
  };
  let isLast = false;
  for (let most = 0; most <= last && !isLast; most++) {
    isLast = seen.size > 0;
    follow(0, 0, 0, 0, 0, most);
  }
  return visited;
}

/** The names in [from, to) that go on with a text after `depth` letters. */
function narrowed(names: NameKeys, from: number, to: number, depth: number, text: string): KeyRange {
  const range = { from, to };
  for (let at = 0; at < text.length && range.from < range.to; at++) {
    const letter = text.charCodeAt(at);
    // Most branches have few letters: those before their first one and behind their last one need no search.
    if (letterOf(names, range.to - 1, depth + at) < letter) return { from: to, to };
    if (letterOf(names, range.from, depth + at) < letter) range.from = firstFrom(names, range, depth + at, letter);
    if (letterOf(names, range.to - 1, depth + at) > letter) range.to = firstFrom(names, range, depth + at, letter + 1);
  }
  return range;
}

/** The first name of a range whose letter at `depth` is this one or a later one. */
function firstFrom(names: NameKeys, { from, to }: KeyRange, depth: number, letter: number): number {
  return firstPast(from, to, (name) => letterOf(names, name, depth) >= letter);
}

/** A name's letter; less than any for a name that ends before, which comes first. */
function letterOf(names: NameKeys, name: number, depth: number): number {
  return names.length(name) <= depth ? -1 : names.unit(name, depth);
}
