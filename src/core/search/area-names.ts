import type { KeyRange, NameIndex } from './name-index.ts';

/** The names of countries and regions. */
export class AreaNames {
  readonly #areas: Uint32Array;
  readonly index: NameIndex;

  /**
   * The index's values are positions in `areas` (area numbers, see areas.ts, the most populous first), or past its end
   * those of areas by a shortened name.
   */
  constructor(areas: Uint32Array, index: NameIndex) {
    this.#areas = areas;
    this.index = index;
  }

  /** Areas of a range of names, whole names before shortened ones, then the most populous first. */
  visit(range: KeyRange, visit: (area: number, isShortened: boolean) => boolean): void {
    const { length } = this.#areas;
    this.index.visit(range, (value) => visit(this.#areas[value % length], value >= length));
  }

  /** All areas of a range of names, in no order, from at most `most` names. */
  all({ from, to }: KeyRange, most: number): Set<number> {
    const { postings, postingEnds } = this.index.columns;
    const start = from === 0 ? 0 : postingEnds[from - 1];
    const end = to === 0 ? 0 : Math.min(postingEnds[to - 1], start + most);
    const areas = new Set<number>();
    for (let at = start; at < end; at++) areas.add(this.#areas[postings[at] % this.#areas.length]);
    return areas;
  }

  /** The range of names that are exactly a text; undefined when there is none. */
  named(text: string): KeyRange | undefined {
    const key = this.index.find(text);
    return key < 0 ? undefined : { from: key, to: key + 1 };
  }
}
