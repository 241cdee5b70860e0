/** A match: a place by its index, or an area by its number plus the number of places. */
export type Scored = { ref: number; score: number };

/**
 * The best matches, each with its best score, ordered by score, then id. Matches beyond the limit are discarded;
 * `minScore` says what need not be examined any more.
 */
export class BestRefs {
  readonly list: (Scored & { same: number })[] = [];
  readonly #count: number;
  readonly #idOf: (ref: number) => number;
  readonly #same: (ref: number) => number;

  /** `same` is equal for matches that are one thing, of which only the better one is kept. */
  constructor(count: number, idOf: (ref: number) => number, same = (ref: number) => ref) {
    this.#count = count;
    this.#idOf = idOf;
    this.#same = same;
  }

  /** Matches below this score are discarded. */
  get minScore(): number {
    const { list } = this;
    return list.length < this.#count ? Number.NEGATIVE_INFINITY : list[list.length - 1].score;
  }

  add(ref: number, score: number): void {
    const { list } = this;
    const same = this.#same(ref);
    const before = list.findIndex((each) => each.same === same);
    if (before >= 0 && list[before].score >= score) return;
    if (before >= 0) list.splice(before, 1);
    let at = list.length;
    while (at > 0 && this.#isBehind(list[at - 1], ref, score)) at--;
    if (at === this.#count) return;
    if (list.length === this.#count) list.pop();
    list.splice(at, 0, { ref, score, same });
  }

  #isBehind(each: Scored, ref: number, score: number): boolean {
    return each.score < score || (each.score === score && this.#idOf(each.ref) > this.#idOf(ref));
  }
}
