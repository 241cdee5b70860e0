/** A match: a place by its index, or an area by its number plus the number of places. */
export type Scored = { ref: number; score: number };

/**
 * The best matches, each with its best score, ordered by score, then id. Matches beyond the limit are discarded;
 * `minScore` says what need not be examined any more.
 */
export class BestRefs<T extends Scored = Scored> {
  readonly list: T[] = [];
  /** What each in the list is one thing with. */
  readonly #things: number[] = [];
  readonly #count: number;
  readonly #idOf: (ref: number) => number;
  readonly #thingOf: (ref: number) => number;

  /** `thingOf` is equal for matches that are one thing, of which only the better one is kept. */
  constructor(count: number, idOf: (ref: number) => number, thingOf = (ref: number) => ref) {
    this.#count = count;
    this.#idOf = idOf;
    this.#thingOf = thingOf;
  }

  /** Matches below this score are discarded. */
  get minScore(): number {
    const { list } = this;
    return list.length < this.#count ? Number.NEGATIVE_INFINITY : list[list.length - 1].score;
  }

  add(match: T): void {
    const { list } = this;
    const things = this.#things;
    const thing = this.#thingOf(match.ref);
    const before = things.indexOf(thing);
    if (before >= 0) {
      if (list[before].score >= match.score) return;
      list.splice(before, 1);
      things.splice(before, 1);
    }
    let at = list.length;
    while (at > 0 && this.#isBehind(list[at - 1], match)) at--;
    if (at === this.#count) return;
    list.splice(at, 0, match);
    things.splice(at, 0, thing);
    if (list.length > this.#count) things.length = list.length = this.#count;
  }

  #isBehind(each: Scored, { ref, score }: Scored): boolean {
    return each.score < score || (each.score === score && this.#idOf(each.ref) > this.#idOf(ref));
  }
}
