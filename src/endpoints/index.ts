/** The public API on one screen: every GET endpoint below /v1, by the name the library calls it. */
import { admin } from './admin.ts';
import { countries } from './countries.ts';
import { countriesAll } from './countries-all.ts';
import { country } from './country.ts';
import type { Endpoint } from './endpoint.ts';

export const endpoints = {
  countries,
  countriesAll,
  country,
  admin,
} as const satisfies Record<string, Endpoint>;
