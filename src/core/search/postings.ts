import { type NameKind, nameKinds } from './name-keys.ts';

/** Points of prominence that another name of a well-known place stands behind a main name. */
const knownCost = 16;

/**
 * The order of postings in the place-name index. Each kind of name of each place has a rank; smaller is better, so the
 * best places of any range of names are its smallest values. Main names and well-known other names mix by prominence;
 * the other kinds follow, each in the order of the places.
 */
export class PostingRanks {
  readonly #size: number;
  /** Place at each of the first ranks; those of well-known other names are marked by the highest bit. */
  readonly #mixed: Uint32Array;

  /** `prominence` falls from place to place. */
  constructor(prominence: Float32Array) {
    this.#size = prominence.length;
    this.#mixed = new Uint32Array(this.#size * 2);
    for (let main = 0, known = 0; main < this.#size || known < this.#size; ) {
      const isMain = known === this.#size || (main < this.#size && prominence[main] >= prominence[known] - knownCost);
      this.#mixed[main + known] = isMain ? main++ : known++ | knownBit;
    }
  }

  place(rank: number): number {
    return rank < this.#mixed.length ? this.#mixed[rank] & placeMask : rank % this.#size;
  }

  kind(rank: number): NameKind {
    if (rank < this.#mixed.length) return this.#mixed[rank] >>> 31 === 1 ? nameKinds.known : nameKinds.main;
    return Math.floor(rank / this.#size) as NameKind;
  }

  /** Every rank, by kind and place: the inverse of `place` and `kind`. For builders. */
  ranks(): (place: number, kind: NameKind) => number {
    const rankOf = new Uint32Array(this.#mixed.length);
    for (let rank = 0; rank < rankOf.length; rank++) rankOf[this.kind(rank) * this.#size + this.place(rank)] = rank;
    return (place, kind) => (kind <= nameKinds.known ? rankOf[kind * this.#size + place] : kind * this.#size + place);
  }
}

const knownBit = 0x80000000;
const placeMask = 0x7fffffff;
