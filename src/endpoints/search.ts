import type { Explanation } from '../geocoding/explain.ts';
import { countryOfHit, geocode, type Hit, type SearchHit } from '../geocoding/geocode.ts';
import { layers as allLayers, type Layer } from '../geocoding/layers.ts';
import { Type } from '../schema.ts';
import { placeTypes, type Store } from '../store/store.ts';
import { countryOfLanguage } from '../text/language-tags.ts';
import { coverageOfLayers, layersCoverage } from './coverage.ts';
import { defineEndpoint } from './endpoint.ts';
import { explanationRecord, foundFields } from './explanation.ts';
import { geocodedFields, geocodedRecord, population } from './geocoded-record.ts';
import {
  bboxOf,
  bboxParameter,
  biasDependencies,
  biasOf,
  biasParameters,
  country,
  explainParameter,
  languageParameter,
  layersOf,
  layersParameter,
  limit,
  listOf,
  nullable,
  offsetParameter,
  oneOf,
  optional,
  text,
} from './parameters.ts';
import { placeFacts, placeFields } from './place-fields.ts';
import { positionIn, recordsAt } from './reverse.ts';
import { wantedHits } from './wanted-hits.ts';

const variant = Type.Object({
  q: text(
    'Name of a place, region or country in any language, optionally with its region, country or postal code before or ' +
      'after it; or a position.',
    { examples: ['Berlin', 'Paris, Texas', '10115 Berlin'] },
  ),
  country: optional(country('Only results in this country: ISO 3166-1 alpha-2 code, any case.')),
  limit: limit({ maximum: 100, default: 10 }),
  ...biasParameters,
  type: optional(oneOf(placeTypes, 'Only places of this type.')),
  lang: languageParameter,
  fuzzy: Type.Boolean({ default: true, description: 'Tolerate typos if nothing matches exactly.' }),
});
const parameters = Type.Object({
  ...variant.properties,
  layers: layersParameter,
  bbox: bboxParameter,
  offset: offsetParameter,
  explain: explainParameter,
});
const answerFields = {
  country_name: Type.String(),
  admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
  postal_code: nullable(
    Type.String({ description: 'The requested code, or else the main code of the place; null if unknown.' }),
  ),
  confidence: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'How completely and how exactly the result matches the query; 100 means that all of it matches exactly.',
  }),
  sources: Type.Array(Type.String(), { description: 'Identifiers of the data sources; /status has the details.' }),
};
const timezone = Type.String({ description: 'IANA time zone.' });
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
const placeLayer: ReadonlySet<Layer> = new Set<Layer>(['place']);
const areaSources = ['geonames-admin'];

/** Places, regions and countries that a free text names. */
export const search = defineEndpoint({
  path: '/search',
  summary: 'Places, regions and countries by name',
  description:
    'Understands names in every language and script of the dataset, with context before or after the name (Paris, Texas; ' +
    'Springfield IL; 10115 Berlin) and with an unfinished last word. Tolerates typos if nothing matches exactly. The best ' +
    'match comes first; among equal matches, the more prominent and then the nearer one. A query that is a position ' +
    'is answered like a request to /reverse, a category or brand with a place (`restaurant in Vaduz`) with points of interest there.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: placesOnly, b: placesOnly },
  dependencies: biasDependencies,
  layers: ['world'],
  handle({ q, country, limit, lat, lng, type, lang, fuzzy, layers, bbox, offset = 0, explain }, context) {
    const { store, profile } = context;
    const isDefault = profile === 'default';
    const options = {
      country,
      near: biasOf(lat, lng),
      home: isDefault ? countryOfLanguage(lang) : undefined,
      type,
      bbox: bboxOf(bbox),
      layers: isDefault ? layersOf(layers, defaultLayers) : placeLayer,
      otherLayers: isDefault && layers === undefined && type === undefined ? streetLayers : undefined,
      fuzzy,
      limit: limit + offset,
    };
    const trace: Partial<Explanation> | undefined = explain ? {} : undefined;
    const explained = (hits: readonly Hit[]) =>
      trace && { explain: explanationRecord(store, trace, hits, { ...options, lang }) };
    const position = isDefault ? positionIn(store, q) : undefined;
    if (position) {
      const records = recordsAt(position, { ...options, lang, layers }, context).slice(offset);
      const results = records.map((record) => ({ ...record, confidence: 100 }));
      return { results, count: results.length, ...explained([]) };
    }
    const make = (hit: SearchHit) =>
      Object.assign(geocodedRecord(store, hit, lang), { confidence: hit.confidence, sources: sourcesOf(store, hit) });
    const hasPoints = options.layers.has('poi') || options.otherLayers?.has('poi');
    let found: SearchHit[] | undefined;
    const find = () => (found ??= geocode(store, q, options, trace));
    const points = isDefault && hasPoints ? wantedHits(store, q, options, find) : undefined;
    if (points) {
      const results = points.slice(offset).map(make);
      return { results, count: results.length, ...explained(points) };
    }
    const hits = find();
    const listed = hits.slice(offset);
    const results = listed.map(make);
    return {
      results,
      count: results.length,
      ...(isDefault && hits[0]?.isOnlyTown
        ? { coverage: layersCoverage(store, ['address'], countryOfHit(store, hits[0])) }
        : coverageOfLayers(store, hits, layers, country, q)),
      ...explained(listed),
    };
  },
});

function sourcesOf({ places }: Store, { layer, address, poi, postal, place }: Hit): string[] {
  const record = address ?? poi ?? (layer === 'postal' ? postal : undefined);
  return record ? [record.source] : place === undefined ? areaSources : [places.get(place).source];
}
