/** The reach of a town from its centre. */

const peoplePerKm2 = 3000;
const minKm = 3;
const maxKm = 40;

/**
 * Radius in km within which a place belongs to a town: that of a circle that holds its people at 3,000 per km², at
 * least 3 km (villages and towns of unknown population), at most 40 km. Berlin 19 km, a town of 100,000 3.3 km.
 */
export function reachKm(population: number): number {
  return Math.min(maxKm, Math.max(minKm, Math.sqrt(population / peoplePerKm2 / Math.PI)));
}
