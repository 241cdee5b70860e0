import type { KeyRange, NameIndex } from './name-index.ts';

/** Countries and regions are some 50,000; a larger number is damage and would take its memory. */
const maxAreas = 1 << 22;

/** The names of countries and regions. */
export class AreaNames {
  readonly index: NameIndex;
  readonly #areas: Uint32Array;
  /** Positions of the names of each area, by area number, and where each area's end. */
  readonly #names: Uint32Array;
  readonly #nameEnds: Uint32Array;

  /**
   * The index's values are positions in `areas` (area numbers, see areas.ts, the most populous first), or past its end
   * those of areas by a shortened name.
   */
  constructor(areas: Uint32Array, index: NameIndex) {
    this.index = index;
    this.#areas = areas;
    const { postings, postingEnds } = index;
    const numbers = areas.reduce((most, area) => Math.max(most, area), -1) + 1;
    if (numbers > maxAreas) throw new RangeError(`area ${numbers - 1} of at most ${maxAreas}`);
    this.#nameEnds = new Uint32Array(numbers);
    for (const value of postings) this.#nameEnds[areas[value % areas.length]]++;
    for (let area = 1; area < numbers; area++) this.#nameEnds[area] += this.#nameEnds[area - 1];
    this.#names = new Uint32Array(postings.length);
    const next = this.#nameEnds.slice();
    for (let key = 0, at = 0; key < postingEnds.length; key++) {
      for (; at < postingEnds[key]; at++) this.#names[--next[areas[postings[at] % areas.length]]] = key;
    }
  }

  /** Areas of a range of names, whole names before shortened ones, then the most populous first. */
  visit(range: KeyRange, visit: (area: number, isShortened: boolean) => boolean): void {
    const { length } = this.#areas;
    this.index.visit(range, (value) => visit(this.#areas[value % length], value >= length));
  }

  /** Whether one of an area's names lies in a range of names; false for numbers that are no area. */
  isNamedIn({ from, to }: KeyRange, area: number): boolean {
    for (let at = area === 0 ? 0 : this.#nameEnds[area - 1]; at < this.#nameEnds[area]; at++) {
      if (this.#names[at] >= from && this.#names[at] < to) return true;
    }
    return false;
  }

  /** The range of names that are exactly a text; undefined when there is none. */
  named(text: string): KeyRange | undefined {
    const key = this.index.find(text);
    return key < 0 ? undefined : { from: key, to: key + 1 };
  }
}
