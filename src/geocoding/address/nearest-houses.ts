/** The houses nearest to a position, searched in circles that grow until there are enough. */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import { together } from '../../store/deferred.ts';
import type { House, StreetPart } from '../../store/street-parts.ts';

/** Radius of the first circle, and the factor by which it grows. */
const firstCircleKm = 0.05;
const circleGrowth = 3;

/** A house with the position of its part, the number of its street, and its distance. */
type NearHouse = { part: number; street: number; house: House; km: number };

/** At most `limit` houses within `maxKm`, the nearest first; not those that are only another number of a house. */
export function nearestHouses(parts: readonly StreetPart[], from: LatLng, maxKm: number, limit: number): NearHouse[] {
  let km = Math.min(firstCircleKm, maxKm);
  let found = within(parts, from, km);
  while (found.length < limit && km < maxKm) {
    km = Math.min(maxKm, km * circleGrowth);
    found = within(parts, from, km);
  }
  found.sort((a, b) => a.km - b.km || a.part - b.part || a.street - b.street || a.house.ordinal - b.house.ordinal);
  return found.slice(0, limit);
}

/** The houses in a circle. */
const within = (parts: readonly StreetPart[], from: LatLng, maxKm: number) =>
  together(parts, (opened, part) =>
    opened.housesNear(from, maxKm).flatMap(({ street, houses }) =>
      houses.flatMap((house) => {
        const km = house.otherNumber === undefined ? distanceKm(from, house) : Number.POSITIVE_INFINITY;
        return km > maxKm ? [] : [{ part, street, house, km }];
      }),
    ),
  ).flat();
