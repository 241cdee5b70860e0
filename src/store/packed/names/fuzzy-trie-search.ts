/**
 * Names within a few edits of a text. The sorted keys are walked as a trie, with one row of the edit-distance table per
 * letter, and a branch is left as soon as it is too distant. An edit is a wrong, missing or extra letter or blank, or
 * two neighbours swapped (optimal string alignment: Damerau 1964, with rows as Wagner and Fischer 1974).
 */
import { firstPast } from '../../../core/columns.ts';
import type { FuzzyOptions, KeyRange } from '../../gazetteer.ts';
import type { KeyText } from './key-text.ts';

/** Shorter names are codes, which are similar to almost any text. */
export const minCorrectedLength = 4;
const longest = 60;
/** First letter of the scripts after Latin. */
const afterLatin = 0x250;

/**
 * Calls `found` with ranges of keys and their number of edits (1 or more; equal keys are skipped). With `isPrefix` a
 * range is a whole branch of keys with a common prefix, else it is one key. Returns how many trie nodes were visited.
 */
export function fuzzyTrieSearch(
  keys: KeyText,
  text: string,
  { edits, fixedPrefix, isPrefix, budget }: FuzzyOptions,
  found: (range: KeyRange, edits: number) => void,
): number {
  // Names this long are too rare to be worth the work.
  if (text.length > longest) return 0;
  const isLatin = text.charCodeAt(0) < afterLatin;
  const table = editTable(text, edits);
  let left = budget;

  const walk = (from: number, to: number, depth: number, letterBefore: number): void => {
    let at = from;
    // Keys that end here come first.
    while (at < to && keys.length(at) === depth) at++;
    // Over all scripts there are thousands of first letters.
    if (depth < fixedPrefix) at = branchFrom(keys, at, to, depth, text.charCodeAt(depth));
    while (at < to && left > 0) {
      const letter = keys.unit(keys.start(at) + depth);
      if (letter >= afterLatin && isLatin) return;
      if (depth < fixedPrefix && letter !== text.charCodeAt(depth)) return;
      if (!isLatin && letter < afterLatin && letter !== 0x20) {
        at = branchFrom(keys, at, to, depth, afterLatin);
        continue;
      }
      const next = table.nextLetter(depth, letterBefore, letter);
      if (next > letter) {
        at = branchFrom(keys, at, to, depth, next);
        continue;
      }
      const end = branchEnd(keys, at, to, depth, letter);
      left--;
      const least = table.addLetter(depth, letter, letterBefore);
      const { distance } = table;
      if (isPrefix && distance <= edits) found({ from: at, to: end }, distance);
      else if (least <= edits) {
        const isWhole = depth + 1 >= minCorrectedLength && keys.length(at) === depth + 1;
        if (!isPrefix && isWhole && distance <= edits && distance > 0) found({ from: at, to: at + 1 }, distance);
        walk(at, end, depth + 1, letter);
      }
      at = end;
    }
  };
  walk(0, keys.size, 0, 0);
  return budget - left;
}

/** The distances of a name's prefixes from those of a text, a row for each letter of the name. */
function editTable(text: string, edits: number) {
  const tooFar = edits + 2;
  const rows = [Uint8Array.from({ length: text.length + 1 }, (_, column) => Math.min(tooFar, column))];
  const table = {
    /** The distance of the name so far from the whole text; more than the edits that are allowed if it is not known. */
    distance: 0,

    /** Fills the row behind `depth` letters for a further one; returns its least distance. */
    addLetter(depth: number, letter: number, letterBefore: number): number {
      const above = rows[depth];
      const row = (rows[depth + 1] ??= new Uint8Array(text.length + 1));
      // Only a band around the diagonal can stay within the allowed number of edits.
      const first = Math.max(1, depth + 1 - edits);
      const last = Math.min(text.length, depth + 1 + edits);
      row[first - 1] = first === 1 ? Math.min(depth + 1, tooFar) : tooFar;
      if (last < text.length) row[last + 1] = tooFar;
      let least = row[first - 1];
      for (let column = first; column <= last; column++) {
        const typed = text.charCodeAt(column - 1);
        let best = above[column - 1] + (typed === letter ? 0 : 1);
        if (above[column] + 1 < best) best = above[column] + 1;
        if (row[column - 1] + 1 < best) best = row[column - 1] + 1;
        if (depth > 0 && column > 1 && letterBefore === typed && letter === text.charCodeAt(column - 2)) {
          const swapped = rows[depth - 1][column - 2] + 1;
          if (swapped < best) best = swapped;
        }
        row[column] = best;
        if (best < least) least = best;
      }
      table.distance = last === text.length ? row[last] : tooFar;
      return least;
    },

    /**
     * The next letter, from `least` on, that may follow the first `depth` ones: where no further edit is allowed, most branches are
     * left without a look at them. Infinite where none may.
     */
    nextLetter(depth: number, letterBefore: number, least: number): number {
      const row = rows[depth];
      let next = Number.POSITIVE_INFINITY;
      const last = Math.min(text.length, depth + edits);
      for (let column = Math.max(0, depth - edits); column <= last; column++) {
        if (row[column] < edits) return least;
        const typed = text.charCodeAt(column);
        if (row[column] === edits && typed >= least && typed < next) next = typed;
        // Two swapped letters cost one edit more than what is before them.
        if (depth === 0 || column === 0 || typed !== letterBefore || rows[depth - 1][column - 1] >= edits) continue;
        const swapped = text.charCodeAt(column - 1);
        if (swapped >= least && swapped < next) next = swapped;
      }
      return next;
    },
  };
  return table;
}

/** End of the keys in [from, to) whose letter at `depth` is the same as that of `from`. */
function branchEnd(keys: KeyText, from: number, to: number, depth: number, letter: number): number {
  let low = from + 1;
  let step = 1;
  // Most branches are small.
  while (from + step < to && keys.unit(keys.start(from + step) + depth) === letter) {
    low = from + step + 1;
    step *= 2;
  }
  return firstPast(low, Math.min(to, from + step), (key) => keys.unit(keys.start(key) + depth) !== letter);
}

/** The first key in [from, to) whose letter at `depth` is this one or a later one. */
function branchFrom(keys: KeyText, from: number, to: number, depth: number, letter: number): number {
  return firstPast(from, to, (key) => keys.unit(keys.start(key) + depth) >= letter);
}
