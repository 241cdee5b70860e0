/** Which city a position is in, where no area of cities is known: by how far each reaches. */

/** Built-up land holds about so many people per km², fields and roads included; a hamlet still reaches so far. */
const peoplePerKm2 = 1100;
const minReachKm = 0.7;
/** Past this many times its reach a city is not a city that one is in: then the nearest place is meant. */
const maxReaches = 1.5;

/** How far a city reaches from its centre: the radius of a circle that holds its people. */
export function cityReachKm(population: number): number {
  return Math.max(minReachKm, Math.sqrt(population / peoplePerKm2 / Math.PI));
}

/**
 * The city that a position is in: the one whose centre is nearest in relation to its reach, else the nearest one;
 * undefined when there are none. `cities` may be in any order; suburbs and other parts of places are none.
 */
export function cityAt<C extends { distanceKm: number }>(
  cities: readonly C[],
  populationOf: (city: C) => number,
): C | undefined {
  let within: C | undefined;
  let smallest = maxReaches;
  let nearest: C | undefined;
  for (const city of cities) {
    const reaches = city.distanceKm / cityReachKm(populationOf(city));
    if (reaches < smallest) [smallest, within] = [reaches, city];
    if (!nearest || city.distanceKm < nearest.distanceKm) nearest = city;
  }
  return within ?? nearest;
}
