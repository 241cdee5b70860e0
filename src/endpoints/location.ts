/** A location, either as coordinates or as a city's name: `/sun` takes one, `/distance` two. */
import type { LatLng } from '../core/geo.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Place, Store, Zones } from '../store/store.ts';

/** The four parameters of a location, independent of their names; missing ones are undefined. */
type LocationParameters = {
  lat?: number | undefined;
  lng?: number | undefined;
  city?: string | undefined;
  country?: string | undefined;
};

/** A resolved location; `place` is set if a city was named. */
export type Location = LatLng & { place: Place | undefined };

/** What holds among these parameters: exactly one way must be used, and completely. */
export const locationDependencies = (prefix = ''): string[] => [
  `IF ${prefix}country THEN ${prefix}city;`,
  `OnlyOne(${prefix}lat, ${prefix}city);`,
  `AllOrNone(${prefix}lat, ${prefix}lng);`,
];

/** The location of valid parameters. Throws `place_not_found` when no place has the city's name. */
export function locate({ lat, lng, city, country }: LocationParameters, store: Store, prefix = ''): Location {
  if (lat !== undefined && lng !== undefined) return { lat, lng, place: undefined };
  const place = store.cities.resolve(city ?? '', country);
  if (place) return { lat: place.lat, lng: place.lng, place };
  const where = country === undefined ? 'in the whole dataset' : `in ${country}`;
  throw new WhereaboutsError(
    'place_not_found',
    `${prefix}city is ${JSON.stringify(city)}, and no place ${where} has that name; ` +
      `look it up with /v1/search, or use ${prefix}lat and ${prefix}lng`,
    { errors: [{ parameter: `${prefix}city`, detail: 'no place has that name' }] },
  );
}

/** The dataset's time zones. Throws `dataset_missing` when it has none, saying what the endpoint answers without. */
export function zonesOf(store: Store, without: string): Zones {
  if (store.zones) return store.zones;
  throw new WhereaboutsError(
    'dataset_missing',
    `coordinates need the layer "zones", which this dataset (${store.manifest.version}) does not have; ${without} works without it`,
  );
}
