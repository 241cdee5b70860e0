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

  /** The range of names that are exactly a text; undefined when there is none. */
  named(text: string): KeyRange | undefined {
    const key = this.index.find(text);
    return key < 0 ? undefined : { from: key, to: key + 1 };
  }
}
