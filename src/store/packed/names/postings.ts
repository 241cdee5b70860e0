import { type NameKind, nameKinds } from '../../gazetteer.ts';
import visitBonus from '../../visit-bonus.json' with { type: 'json' };

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
 * The order of main and known names, for a build: known names come after main ones, cities of a million, which most people who
 * type a prefix mean, before others (`visitBonus` has what they gain), and else main names, cities of a million and places. Rows from `placeCount` on are features.
 */
export function mixedRanks(prominence: Float32Array, population: Uint32Array, placeCount: number): Uint32Array {
  const isMillion = (place: number) => Number(place < placeCount && population[place] >= 1_000_000);
  const names = [0, knownBit].flatMap((bit) =>
    Array.from(prominence, (score, place) => ({
      posting: (place | bit) >>> 0,
      million: isMillion(place),
      score: score + isMillion(place) * visitBonus.million + (bit === 0 ? 0 : visitBonus.known),
    })),
  );
  names.sort(
    (one, other) =>
      other.score - one.score ||
      (one.posting >>> 31) - (other.posting >>> 31) ||
      other.million - one.million ||
      one.posting - other.posting,
  );
  return Uint32Array.from(names, ({ posting }) => posting);
}
