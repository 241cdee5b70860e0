/** The public API on one screen: every GET endpoint below /v1, by the name the library calls it. */
import { address } from './address.ts';
import { admin } from './admin.ts';
import { adminArea, countryArea } from './area.ts';
import { autocomplete } from './autocomplete.ts';
import { cities } from './cities.ts';
import { countries } from './countries.ts';
import { countriesAll } from './countries-all.ts';
import { country } from './country.ts';
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
