/**
 * Corrects the map of regions by nearby places. Its borders are generalised: in a few cities a border river or a city's
 * limits lie a kilometre or more off, so that the city's centre is in its neighbour.
 */

/** A place near a position. */
export type RegionWitness = {
  /** Its region according to the gazetteer; -1 for none. */
  region: number;
  /** Its region according to the map. */
  mapped: number;
  /** Whether the map has its region within `mapErrorKm` of the position, towards it; called for few. */
  isBehindBorder(): boolean;
  distanceKm: number;
  population: number;
};

/** Closer than this to a border, the map is unreliable. */
export const mapErrorKm = 1;
/** Factor on the distance of a correctly mapped place across the border. */
const acrossBorder = 2;

/**
 * A place is evidence within the circle that holds its population at 3,000 per km², but at least within this distance.
 */
const minReachKm = 1;
const peoplePerKm2 = 3000;

/**
 * The region of a position that the map has in `mapped`. A place is evidence where the position is within its reach and
 * the map has both on the same side, or the border between them is close to the position; of several, the one nearest
 * in relation to its reach decides. Without such a place the map is right: a place that the map has where the gazetteer
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
