import { geocode, type Hit, type SearchHit } from '../geocoding/geocode.ts';
import { layers as allLayers, type Layer } from '../geocoding/layers.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import { placeTypes, type Store } from '../store/store.ts';
import { defineEndpoint } from './endpoint.ts';
import { foundFields } from './explanation.ts';
import { geocodedFields, geocodedRecord, population } from './geocoded-record.ts';
import { biasDependencies, biasParameters, languageParameter, limit, listOf, optional, text } from './parameters.ts';
import { placeFacts, placeFields } from './place-fields.ts';
import { answerText, textParameters } from './text-answer.ts';

const variant = Type.Object({
  q: text(
    'Name of a place, region or country in any language, optionally with its region, country or postal code before or ' +
      'after it; or a position.',
    { examples: ['Berlin', 'Paris, Texas', '10115 Berlin'] },
  ),
  country: textParameters.country,
  limit: limit({ maximum: 100, default: 10 }),
  ...biasParameters,
  type: optional(oneOf(placeTypes, 'Only places of this type.')),
  lang: languageParameter,
  fuzzy: Type.Boolean({ default: true, description: 'Tolerate typos if nothing matches exactly.' }),
});
const parameters = Type.Object({
  ...variant.properties,
  ...textParameters,
});
const answerFields = {
  country_name: Type.String(),
  admin2: Nullable.String('Second-level region; null when unknown.'),
  postal_code: Nullable.String('The requested code, or else the main code of the place; null if unknown.'),
  confidence: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'Estimated probability, in percent, that the result is what was meant; 100 only if all words match exactly and nothing else is about as likely.',
  }),
  sources: Type.Array(Type.String(), { description: 'Identifiers of the data sources; /status has the details.' }),
};
const timezone = Type.String('IANA time zone.');
const placesOnly = listOf({ ...placeFields, timezone, ...placeFacts, ...answerFields }, {});
const response = listOf(
  {
    ...geocodedFields,
    ...answerFields,
    country_name: geocodedFields.country_name,
    timezone: nullable(timezone),
    population,
  },
  foundFields,
);

/** Layers that answer too where the text has a house number or nothing else fits. */
const streetLayers: ReadonlySet<Layer> = new Set<Layer>(['address', 'street', 'poi']);
/** Layers that a search answers from unless others are requested. */
const defaultLayers: ReadonlySet<Layer> = new Set(allLayers).difference(streetLayers);
const areaSources = ['geonames-admin'];

/** Places, regions and countries that a free text names. */
export const search = defineEndpoint({
  path: '/search',
  summary: 'Places, regions and countries by name',
  description:
    'Understands names in every language and script of the dataset, with context before or after the name (Paris, Texas; ' +
    'Springfield IL; 10115 Berlin) and with an unfinished last word. Tolerates typos if nothing matches exactly. The best ' +
    'match comes first; among equal matches, the more prominent and then the nearer one. A query that is a position ' +
    'is answered like a request to /reverse, a category, kind of thing or brand with a place (`restaurant in ' +
    'Vaduz`, `lakes in Switzerland`) with what is there.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: placesOnly, b: placesOnly },
  dependencies: biasDependencies,
  layers: ['world'],
  handle(asked, context) {
    const { store } = context;
    return answerText(asked, context, {
      layers: defaultLayers,
      otherLayers: streetLayers,
      isUnfinished: false,
      find: (options, trace) => geocode(store, asked.q, options, trace),
      recordOf: (hit: SearchHit) =>
        Object.assign(geocodedRecord(store, hit, asked.lang), {
          confidence: hit.confidence,
          sources: sourcesOf(store, hit),
        }),
      recordAt: (record) => ({ ...record, confidence: 100 }),
    });
  },
});

function sourcesOf({ places }: Store, { layer, address, poi, postal, place }: Hit): string[] {
  const record = address ?? poi ?? (layer === 'postal' ? postal : undefined);
  return record ? [record.source] : place === undefined ? areaSources : [places.sourceOf(place)];
}
