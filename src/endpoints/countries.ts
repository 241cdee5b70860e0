import { Type } from '../schema.ts';
import { countryFields } from './country-fields.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { limit, offsetParameter, queryMs } from './parameters.ts';

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
