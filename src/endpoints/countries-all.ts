import { Type } from '../schema.ts';
import type { Store } from '../store/store.ts';
import { countryFields } from './countries.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { keptRecord } from './kept-record.ts';
import { queryMs } from './parameters.ts';

const parameters = Type.Object({});
const { iso2, iso3, name, capital, currency, phone_code, is_eu } = countryFields;
const response = Type.Object({
  results: Type.Array(Type.Object({ iso2, iso3, name, capital, currency, phone_code, is_eu })),
  count: Type.Integer(),
  ...queryMs,
});

export const countriesAll = defineEndpoint({
  path: '/countries/all',
  summary: 'All countries',
  description: 'All 249 countries with an ISO 3166-1 code, ordered by name.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle: (_parameters, { store }) => keptRecord(store, 0, {}, allCountries),
});

function allCountries({ countries }: Store) {
  const results = countries.assigned.map((country) => ({
    iso2: country.iso2,
    iso3: country.iso3,
    name: country.name,
    capital: country.capital,
    currency: country.currency,
    phone_code: country.phoneCode,
    is_eu: country.isEu,
  }));
  return { results, count: results.length };
}
