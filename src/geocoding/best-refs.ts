/** Something found: a place by its position, or an area behind all places. */
export type Scored = { ref: number; score: number };

/**
 * The best so many of what is found, each with its best score, in order: by score, then id. What comes too late in this
 * order is not kept, and `least` says what need not be looked at any more.
 */
export class BestRefs {
  readonly list: Scored[] = [];
  readonly #count: number;
  readonly #idOf: (ref: number) => number;

  constructor(count: number, idOf: (ref: number) => number) {
    this.#count = count;
    this.#idOf = idOf;
  }

  /** Less than this is not kept. */
  get least(): number {
    const { list } = this;
    return list.length < this.#count ? Number.NEGATIVE_INFINITY : list[list.length - 1].score;
  }

  add(ref: number, score: number): void {
    const { list } = this;
    const before = list.findIndex((each) => each.ref === ref);
    if (before >= 0 && list[before].score >= score) return;
    if (before >= 0) list.splice(before, 1);
    let at = list.length;
    while (at > 0 && this.#isBehind(list[at - 1], ref, score)) at--;
    if (at === this.#count) return;
    if (list.length === this.#count) list.pop();
    list.splice(at, 0, { ref, score });
  }

  #isBehind(each: Scored, ref: number, score: number): boolean {
    return each.score < score || (each.score === score && this.#idOf(each.ref) > this.#idOf(ref));
  }
}
