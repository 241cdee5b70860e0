import { type NameKind, nameKinds } from '../../gazetteer.ts';
import visitBonus from '../../visit-bonus.json' with { type: 'json' };

const knownBit = 0x80000000;
const placeMask = 0x7fffffff;

/**
 * The order of postings in the place-name index. Each kind of name of each place has a rank; smaller is better, so the
 * best places of any range of names are its smallest values. Main names and well-known other names mix by prominence;
 * the other kinds follow, each in the order of the places. `mixed` is the column that `mixedRanks` returned: the place at each
 * of the first ranks; those of well-known other names are marked by the highest bit.
 */
export function postingRanks(mixed: Uint32Array) {
  const size = mixed.length / 2;
  const placeAt = (rank: number) => (rank < mixed.length ? mixed[rank] & placeMask : rank % size);
  const kindAt = (rank: number): NameKind => {
    if (rank < mixed.length) return mixed[rank] >>> 31 === 1 ? nameKinds.known : nameKinds.main;
    return Math.floor(rank / size) as NameKind;
  };
  return {
    place: placeAt,
    kind: kindAt,
    /** The inverse of `place` and `kind`, for builders: the rank of each place and kind. */
    ranks(): (place: number, kind: NameKind) => number {
      const rankOf = new Uint32Array(mixed.length);
      for (let rank = 0; rank < rankOf.length; rank++) rankOf[kindAt(rank) * size + placeAt(rank)] = rank;
      return (place, kind) => (kind <= nameKinds.known ? rankOf[kind * size + place] : kind * size + place);
    },
  };
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
