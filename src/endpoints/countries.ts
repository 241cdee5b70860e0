import { Type } from '../schema.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { limit, nullable, offsetParameter, queryMs } from './parameters.ts';

// Fields of country records, shared by three endpoints.

export const countryFields = {
  name: Type.String({ description: 'English name.' }),
  iso2: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  iso3: Type.String({ description: 'ISO 3166-1 alpha-3 code.' }),
  capital: nullable(Type.String({ description: 'Null where there is none.' })),
  currency: nullable(Type.String({ description: 'ISO 4217 code; null where there is none.' })),
  currency_symbol: nullable(Type.String({ description: 'Symbol as written in the country, or else the code.' })),
  phone_code: nullable(Type.String({ description: 'Calling code with leading plus, `+49`, `+1-268`.' })),
  languages: Type.Array(Type.String(), { description: 'English names of the official languages.' }),
  continent: nullable(Type.String()),
  flag: Type.String({ description: 'Flag emoji.' }),
  timezone: nullable(Type.String({ description: 'IANA time zone of the capital; null for uninhabited countries.' })),
  region: nullable(Type.String({ description: 'Geographic region by UN M49, such as `Western Europe`.' })),
  is_eu: Type.Boolean({ description: 'Member of the European Union.' }),
  population: nullable(Type.Integer()),
};

const variant = Type.Object({ limit: limit({ maximum: 249, default: 50 }) });
const parameters = Type.Object({ ...variant.properties, offset: offsetParameter });
const { iso2, iso3, name } = countryFields;
const response = Type.Object({
  results: Type.Array(Type.Object({ iso2, iso3, name })),
  count: Type.Integer(),
  ...queryMs,
});

export const countries = defineEndpoint({
  path: '/countries',
  summary: 'Countries by name',
  description: 'The first `limit` of the 249 countries with an ISO 3166-1 code, ordered by name.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ limit, offset = 0 }, { store }) {
    const found = store.countries.assigned.slice(offset, offset + limit);
    const results = found.map(({ iso2, iso3, name }) => ({ iso2, iso3, name }));
    return { results, count: results.length };
  },
});
