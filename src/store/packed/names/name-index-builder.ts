import type { NameColumns } from './name-index.ts';

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
   * The columns of the index. `groupOf` returns the group, in [0, groups), of a posting value. Of the postings of one
   * key with the same owner only the smallest value is kept. The builder is empty afterwards.
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
    const columns: NameColumns = {
      text: new Uint16Array(units),
      textEnds: new Uint32Array(keys.length),
      postingEnds: new Uint32Array(keys.length),
      postings: new Uint32Array(total),
      groupKeys: new Uint32Array(total),
      groupPostings: new Uint32Array(total),
      groupEnds: new Uint32Array(groups),
    };
    let unit = 0;
    let posting = 0;
    for (const [at, key] of keys.entries()) {
      for (let character = 0; character < key.length; character++) columns.text[unit++] = key.charCodeAt(character);
      columns.textEnds[at] = unit;
      for (const value of lists[at]) {
        columns.postings[posting++] = value;
        columns.groupEnds[groupOf(value)]++;
      }
      columns.postingEnds[at] = posting;
    }
    const next = new Uint32Array(groups);
    for (let group = 1; group < groups; group++) {
      columns.groupEnds[group] += columns.groupEnds[group - 1];
      next[group] = columns.groupEnds[group - 1];
    }
    for (let at = 0, from = 0; at < keys.length; from = columns.postingEnds[at++]) {
      for (let position = from; position < columns.postingEnds[at]; position++) {
        const value = columns.postings[position];
        const slot = next[groupOf(value)]++;
        columns.groupKeys[slot] = at;
        columns.groupPostings[slot] = value;
      }
    }
    return columns;
  }
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
