/** Whether a record may lie in a place that a text names, for every way of searching and of telling alike. */
import { distanceKm, isNear, type LatLng } from '../../core/geo.ts';
import type { CityNames, Place } from '../../store/store.ts';
import type { StreetArea } from '../../store/street-parts.ts';

/** Without a comma the last word may as well be the street's, so it only matches cities of at least this population. */
export const minInhabitants = 15_000;
/** Assumed radius of a settlement that addresses do not name. */
const placeReachKm = 12;
/** Greatest radius of a metropolis, of which its suburbs are addressed. */
const maxReachKm = 50;
/** Inhabitants a square kilometre that a metropolis has with its suburbs, to derive its radius from its population. */
const densityPerKm2 = 600;
/** A municipality with more than this share of a city's inhabitants is no suburb of it: Oakland is not San Francisco. */
const maxShareOfSuburb = 0.5;

/** How far from a place its addresses may lie: 12 km, of a city that would be larger at the density of a metropolis its radius. */
export const reachKm = ({ population }: Place): number =>
  Math.min(maxReachKm, Math.max(placeReachKm, Math.sqrt(population / (Math.PI * densityPerKm2))));

/** Whether records are those of one place, by default a settlement. */
export const areInOnePlace = (records: readonly LatLng[], km = placeReachKm): boolean =>
  records.every((record) => isNear(records[0], record, km));

/**
 * Whether a place supports a record in an area that does not name it: the record's municipality belongs to the place
 * (South Dublin to Dublin, Zografou to Athens), or the place is a suburb, town or village of it. Within 12 km of a suburb or
 * town; farther of a metropolis, if the record's own city is not about as large; of a smaller settlement only if the record
 * is not nearer to its own.
 */
export function supports(place: Place, record: LatLng, area: StreetArea, places: CityNames): boolean {
  const km = distanceKm(place, record);
  if (km > reachKm(place)) return false;
  if (area.city === null || place.type === 'suburb') return km <= placeReachKm;
  const isTown = place.population >= minInhabitants;
  if (isTown && km <= placeReachKm) return true;
  const own = places.resolve(area.admin1 === null ? area.city : `${area.city}, ${area.admin1}`, area.country);
  if (!own) return true;
  return isTown ? own.population <= maxShareOfSuburb * place.population : distanceKm(own, record) >= km;
}
