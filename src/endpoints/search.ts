import { invalidParameter } from '../errors.ts';
import { Type } from '../schema.ts';
import { placeTypes } from '../store/store.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { country, latitude, limit, longitude, nullable, oneOf, optional, queryMs, text } from './parameters.ts';
import { placeFacts, placeFields, placeRecord, regionName } from './place-fields.ts';
import { postalSearch } from './postal-search.ts';

const parameters = Type.Object({
  q: text(
    'Name of a place in any language, with its region, country or postal code before or after it where that helps.',
    { examples: ['Berlin', 'Paris, Texas', '10115 Berlin'] },
  ),
  country: optional(country('Only places of this country: ISO 3166-1 alpha-2 code, any case.')),
  limit: limit({ maximum: 100, default: 10 }),
  lat: optional(latitude('Prefer places near this point; needs lng.')),
  lng: optional(longitude('Prefer places near this point; needs lat.')),
  type: optional(oneOf(placeTypes, 'Only places of this type.')),
  lang: optional(text('Language of names, BCP 47; main names where the data has none.', { examples: ['de'] })),
  fuzzy: Type.Boolean({ default: true, description: 'Allow for typing mistakes when nothing fits exactly.' }),
});
const response = Type.Object({
  results: Type.Array(
    Type.Object({
      ...placeFields,
      country_name: Type.String(),
      admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
      timezone: Type.String({ description: 'IANA time zone.' }),
      ...placeFacts,
      postal_code: nullable(
        Type.String({
          description: 'The code that was asked for, else the main code of the place; null when unknown.',
        }),
      ),
      confidence: Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'How much of the query is explained, and how exactly; 100 is all of it by exact names.',
      }),
      sources: Type.Array(Type.String(), { description: 'Short names of the data sources; /status tells more.' }),
    }),
  ),
  count: Type.Integer(),
  ...queryMs,
});

/** Places that a free text names. */
export const search = defineEndpoint({
  path: '/search',
  summary: 'Places that a text names',
  description:
    'Understands names in any language and script that the data has, context before or after the name (Paris, Texas; ' +
    'Springfield IL; 10115 Berlin), an unfinished last word, and typing mistakes where nothing fits exactly. The best ' +
    'fit comes first, then the better known place, then the nearer one.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ q, country, limit, lat, lng, type, lang, fuzzy }, { store }) {
    if ((lat === undefined) !== (lng === undefined)) {
      const missing = lat === undefined ? 'lat' : 'lng';
      throw invalidParameter(missing, `${missing} is missing, expected lat and lng together or neither`);
    }
    const near = lat === undefined || lng === undefined ? undefined : { lat, lng };
    const options = { country, near, type, fuzzy, limit };
    const hits = postalSearch(store, q, options) ?? store.places.search(q, options);
    const results = hits.map(({ index, confidence, postalCode }: SearchHit) => {
      const place = store.places.get(index);
      return {
        ...placeRecord(store, place, lang),
        country_name:
          lang === undefined
            ? (store.countries.get(place.country)?.name ?? place.country)
            : store.countries.nameIn(place.country, lang),
        admin2: regionName(store, place.admin2, lang),
        timezone: place.timezone,
        postal_code: postalCode ?? store.postal?.mainOfPlace(index) ?? null,
        confidence,
        sources: placeSources,
      };
    });
    return { results, count: results.length };
  },
});

type SearchHit = { index: number; confidence: number; postalCode?: string };
const placeSources = ['geonames'];
