import { type NameKind, nameKinds, visitBonus } from '../../gazetteer.ts';

const knownBit = 0x80000000;
const placeMask = 0x7fffffff;

/**
 * The order of postings in the place-name index. Each kind of name of each place has a rank; smaller is better, so the
 * best places of any range of names are its smallest values. Main names and well-known other names mix by prominence;
 * the other kinds follow, each in the order of the places.
 */
export class PostingRanks {
  readonly #size: number;
  /** Place at each of the first ranks; those of well-known other names are marked by the highest bit. */
  readonly #mixed: Uint32Array;

  /** `mixed` is the column that `mixedRanks` returned. */
  constructor(mixed: Uint32Array) {
    this.#size = mixed.length / 2;
    this.#mixed = mixed;
  }

  place(rank: number): number {
    return rank < this.#mixed.length ? this.#mixed[rank] & placeMask : rank % this.#size;
  }

  kind(rank: number): NameKind {
    if (rank < this.#mixed.length) return this.#mixed[rank] >>> 31 === 1 ? nameKinds.known : nameKinds.main;
    return Math.floor(rank / this.#size) as NameKind;
  }

  /** The inverse of `place` and `kind`, for builders: the rank of each place and kind. */
  ranks(): (place: number, kind: NameKind) => number {
    const rankOf = new Uint32Array(this.#mixed.length);
    for (let rank = 0; rank < rankOf.length; rank++) rankOf[this.kind(rank) * this.#size + this.place(rank)] = rank;
    return (place, kind) => (kind <= nameKinds.known ? rankOf[kind * this.#size + place] : kind * this.#size + place);
  }
}

/**
 * The order of main and known names, for a build: merges runs that are each in order already, of cities of a million, of
 * other places and of features. `prominence` falls from place to place, and again from feature to feature behind the
 * `placeCount` places.
 */
export function mixedRanks(prominence: Float32Array, population: Uint32Array, placeCount: number): Uint32Array {
  const size = prominence.length;
  const parts = [
    { isMillion: true, from: 0, end: placeCount },
    { isMillion: false, from: 0, end: placeCount },
    { isMillion: false, from: placeCount, end: size },
  ];
  const runs = [false, true].flatMap((isKnown) =>
    parts.map(({ isMillion, from, end }) => ({
      isMillion,
      bit: isKnown ? knownBit : 0,
      gain: (isMillion ? visitBonus.million : 0) + (isKnown ? visitBonus.known : 0),
      at: from,
      end,
      score: Number.NEGATIVE_INFINITY,
    })),
  );
  const advance = (run: (typeof runs)[number]) => {
    while (run.at < run.end && population[run.at] >= 1_000_000 !== run.isMillion) run.at++;
    run.score = run.at < run.end ? prominence[run.at] + run.gain : Number.NEGATIVE_INFINITY;
  };
  for (const run of runs) advance(run);
  const mixed = new Uint32Array(size * 2);
  for (let rank = 0; rank < mixed.length; rank++) {
    let best = runs[0];
    for (const run of runs) if (run.score > best.score) best = run;
    mixed[rank] = best.at++ | best.bit;
    advance(best);
  }
  return mixed;
}
