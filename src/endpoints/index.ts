/** The public API on one screen: every GET endpoint below /v1, by the name the library calls it. */
import { didYouMean, UsageError } from '../errors.ts';
import { address } from './address.ts';
import { admin } from './admin.ts';
import { adminArea, countryArea, placeArea } from './area.ts';
import { autocomplete } from './autocomplete.ts';
import { cities } from './cities.ts';
import { countries, countriesAll, country } from './countries.ts';
import { distance } from './distance.ts';
import type { Endpoint } from './endpoint.ts';
import { ipLookup } from './ip.ts';
import { nearby } from './nearby.ts';
import { place } from './place.ts';
import { pois } from './pois.ts';
import { postal } from './postal.ts';
import { reverse } from './reverse.ts';
import { search } from './search.ts';
import { streets } from './streets.ts';
import { sun } from './sun.ts';
import { timezone } from './timezone.ts';
import { validate } from './validate.ts';

export const endpoints = {
  search,
  autocomplete,
  cities,
  nearby,
  reverse,
  countries,
  countriesAll,
  country,
  admin,
  countryArea,
  adminArea,
  place,
  placeArea,
  postal,
  validate,
  timezone,
  sun,
  distance,
  ip: ipLookup,
  address,
  streets,
  pois,
} as const satisfies Record<string, Endpoint>;

/** Every endpoint's path without the slash, for a command's help. */
export const endpointPaths = Object.values(endpoints).map(({ path }) => path.slice(1));

/** The endpoint of a path below /v1, with or without its slash and path parameters. Throws UsageError for others. */
export function endpointNamed(text: string): Endpoint {
  const name = text.slice(0, 60);
  const plain = (path: string) => path.replace(/^\//, '').replace(/\/\{\w+\}/g, '');
  const endpoint = Object.values<Endpoint>(endpoints).find(({ path }) => plain(path) === plain(name));
  if (!endpoint) throw new UsageError(`there is no endpoint "${name}"; expected one of ${endpointPaths.join(', ')}`);
  return endpoint;
}

/** Names that a key can be restricted to. */
const callable: readonly string[] = [...Object.keys(endpoints), 'usage', 'batch', 'jobs', 'tiles'];

/** What is wrong with a list of endpoint names, with the closest valid name; undefined if it is valid. */
export function callableFault(names: readonly string[] | null | undefined): string | undefined {
  const unknown = names?.find((name) => !callable.includes(name));
  if (unknown === undefined) return undefined;
  return `there is no endpoint ${JSON.stringify(unknown.slice(0, 60))}${didYouMean(unknown.slice(0, 60), callable)}`;
}
