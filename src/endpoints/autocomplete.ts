import { Type } from '../schema.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { country, limit, optional, queryMs, text } from './parameters.ts';
import { placeFields, regionName } from './place-fields.ts';

const variant = Type.Object({
  q: text('What has been typed so far, at least 2 characters. The last word may be unfinished.', {
    minLength: 2,
    examples: ['berl', 'paris tex'],
  }),
  country: optional(country('Only places of this country: ISO 3166-1 alpha-2 code, any case.')),
  limit: limit({ maximum: 20, default: 5 }),
});
const parameters = Type.Object({
  ...variant.properties,
  lang: optional(text('Language of names, BCP 47; main names where the data has none.', { examples: ['de'] })),
});
const { id, name, admin1, country: countryCode } = placeFields;
const response = Type.Object({
  results: Type.Array(
    Type.Object({
      id,
      name,
      admin1,
      country: countryCode,
      label: Type.String({ description: 'Name, region and country, joined by a comma and a blank.' }),
    }),
  ),
  count: Type.Integer(),
  ...queryMs,
});

/** Places that a half-typed text may become. */
export const autocomplete = defineEndpoint({
  path: '/autocomplete',
  summary: 'Places while typing',
  description:
    'Places whose name the text begins, main names before other names, the better known first. Words after a complete ' +
    'name may be its region or country, finished or not. From 4 characters on, typing mistakes are allowed for when ' +
    'nothing else fits.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ q, country, limit, lang }, { store }) {
    const results = store.places.suggest(q, { country, limit }).map((index) => {
      const { id, name: mainName, country, admin1 } = store.places.get(index);
      const name = lang === undefined ? mainName : store.places.nameIn(index, lang);
      const region = regionName(store, admin1, lang);
      return { id, name, admin1: region, country, label: `${name}, ${region === null ? '' : `${region}, `}${country}` };
    });
    return { results, count: results.length };
  },
});
