import { Type } from '../schema.ts';
import { defineEndpoint } from './endpoint.ts';
import { bboxOf, country, limit, listOf, listParameters, optional, text } from './parameters.ts';
import { placeFacts, placeFields, placeRecord } from './place-fields.ts';

const variant = Type.Object({
  country: country(),
  admin1: optional(
    text('First-level region by name in any language or by code, with or without diacritics, any case.', {
      examples: ['Bavaria', 'CA'],
    }),
  ),
  min_population: optional(Type.Integer({ minimum: 0, description: 'Minimum population.' })),
  max_population: optional(Type.Integer({ minimum: 0, description: 'Maximum population.' })),
  limit: limit({ maximum: 100, default: 25 }),
});
const parameters = Type.Object({ ...variant.properties, ...listParameters });
const response = listOf({ ...placeFields, ...placeFacts }, {});

/** Places of a country by falling population. */
export const cities = defineEndpoint({
  path: '/cities',
  summary: 'Places of a country by population',
  description:
    'The places of a country, or of one of its first-level regions, largest population first. A region that the ' +
    'country does not have returns no results.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: response, b: response },
  dependencies: ['min_population<=max_population;'],
  layers: ['world'],
  handle({ country, admin1, min_population, max_population, bbox, lang, limit, offset = 0 }, { store }) {
    const results = store.places
      .ofCountry(country, {
        admin1: admin1 === undefined ? undefined : store.regions.matching(country, admin1),
        minPopulation: min_population,
        maxPopulation: max_population,
        bbox: bboxOf(bbox),
        limit: limit + offset,
      })
      .slice(offset)
      .map((index) => placeRecord(store, store.places.get(index), lang));
    return { results, count: results.length };
  },
});
