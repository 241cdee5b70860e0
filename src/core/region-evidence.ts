/**
 * Where the map of regions errs, the places around tell. Its borders are generalised: in a few cities a border river
 * or a city's limits lie a kilometre or more off, so that the city's centre is in its neighbour.
 */

/** A place near a position. */
export type RegionWitness = {
  /** The region that the gazetteer says it is in; -1 for none. */
  region: number;
  /** The region that the map has it in. */
  mapped: number;
  /** Whether the map has its region within `mapErrorKm` of the position, towards it; asked of few. */
  isBehindBorder(): boolean;
  distanceKm: number;
  population: number;
};

/** Nearer than this to a border the map does not tell for sure on which side a position lies. */
export const mapErrorKm = 1;
/** A place across the border, which the map has right, counts as so many times farther away. */
const acrossBorder = 2;

/** A place speaks for its surroundings as far as its people live: a circle of 3,000 per km², but at least so far. */
const minReachKm = 1;
const peoplePerKm2 = 3000;

/**
 * The region of a position that the map has in `mapped`. A place speaks where the position lies within its reach and the
 * map has both on the same side, or the border between them is close to the position; of several, the one speaks that is
 * nearest in relation to its reach. Without such a place the map is right: a place that the map has where the gazetteer
 * does says nothing about land well across the border.
 */
export function regionByWitnesses(mapped: number, witnesses: readonly RegionWitness[]): number {
  let region = mapped;
  let nearest = 1;
  for (const witness of witnesses) {
    const isAcross = witness.mapped !== mapped && witness.region !== mapped;
    if (witness.region < 0) continue;
    const reachKm = Math.max(minReachKm, Math.sqrt(witness.population / peoplePerKm2 / Math.PI));
    const share = ((isAcross ? acrossBorder : 1) * witness.distanceKm) / reachKm;
    if (share < nearest && (!isAcross || witness.isBehindBorder())) [nearest, region] = [share, witness.region];
  }
  return region;
}
