/** A location, either as coordinates or as a city's name: `/sun` takes one, `/distance` two. */
import type { LatLng } from '../core/geo.ts';
import { type ParameterError, WhereaboutsError } from '../errors.ts';
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

/** The errors of a location's parameters: exactly one way must be used, and completely. Empty if they are valid. */
export function locationErrors({ lat, lng, city, country }: LocationParameters, prefix = ''): LocationError[] {
  if (city === undefined && country === undefined && lat !== undefined && lng !== undefined) return [];
  const named = (name: string) => prefix + name;
  const [latName, lngName, cityName] = [named('lat'), named('lng'), named('city')];
  const ways = `either ${latName} and ${lngName}, or ${cityName} (with ${named('country')} if the name is ambiguous)`;
  if (city !== undefined) {
    const presentName = lat !== undefined ? latName : lng !== undefined ? lngName : undefined;
    if (presentName === undefined) return [];
    return [
      {
        parameter: cityName,
        isMissing: false,
        detail: `${cityName} and ${presentName} are both present, expected ${ways}`,
      },
    ];
  }
  const errors: LocationError[] = [];
  if (country !== undefined) {
    const detail = `${named('country')} is present without ${cityName}, expected ${ways}`;
    errors.push({ parameter: named('country'), isMissing: false, detail });
  }
  if (lat === undefined && lng === undefined) {
    for (const parameter of [latName, lngName]) {
      errors.push({ parameter, isMissing: true, detail: `${parameter} is missing` });
    }
    errors.push({ parameter: cityName, isMissing: true, detail: `${cityName} is missing: expected ${ways}` });
  } else if (lat === undefined) {
    errors.push({ parameter: latName, isMissing: true, detail: `${latName} is missing: ${lngName} needs it` });
  } else if (lng === undefined) {
    errors.push({ parameter: lngName, isMissing: true, detail: `${lngName} is missing: ${latName} needs it` });
  }
  return errors;
}

type LocationError = ParameterError & { isMissing: boolean };

/**
 * Throws one error that lists all of them, `missing_parameter` if nothing else is wrong. Does nothing if there is none.
 */
export function refuse(errors: readonly LocationError[]): void {
  if (errors.length === 0) return;
  const code = errors.every(({ isMissing }) => isMissing) ? 'missing_parameter' : 'invalid_parameter';
  throw new WhereaboutsError(code, errors.map(({ detail }) => detail).join('; '), {
    errors: errors.map(({ parameter, detail }) => ({ parameter, detail })),
  });
}

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
