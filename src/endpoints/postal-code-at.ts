import type { LatLng } from '../core/geo.ts';
import type { Place, PostalCode, Store } from '../store/store.ts';

/** Maximum distance of a code's measured position. */
const maxKm = 10;

/**
 * The postal code at a point in a city: the one measured nearest to it, else the suburb's, else the city's where it has
 * only one; undefined where the dataset cannot determine it.
 */
export function codeAt(store: Store, from: LatLng, city: Place, suburb: Place | undefined): PostalCode | undefined {
  const { postal } = store;
  const measured = postal?.nearest(from, city.country, maxKm);
  if (measured || !postal) return measured;
  const [ofSuburb] = suburb ? postal.ofPlace(suburb.index, 1) : [];
  const [code, another] = postal.ofPlace(city.index, 2);
  const only = ofSuburb ?? (another === undefined ? code : undefined);
  return only === undefined ? undefined : postal.find(city.country, only)[0];
}
