import { blockColumns } from './block-index.ts';
import { KeyHash } from './key-hash.ts';
import { KeyText, keyColumns } from './key-text.ts';
import type { NameColumns } from './name-index.ts';
import { RangeMinimum } from './range-minimum.ts';

/** Collects names with their posting values and lays them out as an index. */
export class NameIndexBuilder {
  /** A list only where a key has several: most have one, and there are millions of keys. */
  readonly #postings = new Map<string, number | number[]>();

  /** Adds a posting to a folded key. Duplicate values of a key are kept once. */
  add(key: string, value: number): void {
    const values = this.#postings.get(key);
    if (values === undefined) this.#postings.set(key, value);
    else if (typeof values === 'number') {
      if (values !== value) this.#postings.set(key, [values, value]);
    } else if (values[values.length - 1] !== value) values.push(value);
  }

  get size(): number {
    return this.#postings.size;
  }

  /**
   * The columns of the index. `groupOf` returns the group, in [0, groups), of a posting value; with 0 groups it is not
   * called. Of the postings of one key with the same owner only the smallest value is kept. The builder is empty
   * afterwards.
   */
  finish(groups: number, groupOf: (value: number) => number, ownerOf: (value: number) => number): NameColumns {
    // Array.prototype.sort without a comparator orders by UTF-16 code units, which is the index's order.
    const keys = [...this.#postings.keys()].sort();
    const lists: number[][] = [];
    let units = 0;
    let total = 0;
    for (const key of keys) {
      const kept = oncePerOwner(this.#postings.get(key)!, ownerOf);
      lists.push(kept);
      units += key.length;
      total += kept.length;
    }
    this.#postings.clear();
    const text = new Uint16Array(units);
    const textEnds = new Uint32Array(keys.length);
    const postingEnds = new Uint32Array(keys.length);
    const postings = new Uint32Array(total);
    let unit = 0;
    let posting = 0;
    for (const [at, key] of keys.entries()) {
      for (let character = 0; character < key.length; character++) text[unit++] = key.charCodeAt(character);
      textEnds[at] = unit;
      for (const value of lists[at]) postings[posting++] = value;
      postingEnds[at] = posting;
    }
    const columns = keyColumns(text, textEnds);
    const keyText = new KeyText(columns);
    const { groupOrder, groupEnds } = grouped(postings, groups, groupOf);
    return {
      ...columns,
      ...blockColumns(keyText),
      slots: KeyHash.slotsOf(keyText),
      postingEnds,
      postings,
      groupOrder,
      groupEnds,
      minima: RangeMinimum.minimaOf(postings),
      groupMinima: RangeMinimum.minimaOf(postings, groupOrder),
    };
  }
}

/** The positions of values by group, and where each group ends. */
function grouped(values: Uint32Array, groups: number, groupOf: (value: number) => number) {
  const groupEnds = new Uint32Array(groups);
  const groupOrder = new Uint32Array(groups === 0 ? 0 : values.length);
  if (groups === 0) return { groupOrder, groupEnds };
  for (const value of values) groupEnds[groupOf(value)]++;
  const next = new Uint32Array(groups);
  for (let group = 1; group < groups; group++) {
    next[group] = groupEnds[group - 1];
    groupEnds[group] += groupEnds[group - 1];
  }
  for (const [position, value] of values.entries()) groupOrder[next[groupOf(value)]++] = position;
  return { groupOrder, groupEnds };
}

function oncePerOwner(values: number | number[], ownerOf: (value: number) => number): number[] {
  if (typeof values === 'number') return [values];
  values.sort((left, right) => left - right);
  const seen = new Set<number>();
  return values.filter((value) => {
    const owner = ownerOf(value);
    if (seen.has(owner)) return false;
    seen.add(owner);
    return true;
  });
}
