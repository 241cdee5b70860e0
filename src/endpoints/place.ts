import { WhereaboutsError } from '../errors.ts';
import type { Hit } from '../geocoding/geocode.ts';
import { Type } from '../schema.ts';
import { areaOfId, isCountryArea, regionOfArea } from '../store/gazetteer.ts';
import type { Store } from '../store/store.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { geocodedFields, geocodedRecord } from './geocoded-record.ts';
import { hierarchyField, hierarchyOf } from './hierarchy.ts';
import { nullable, optional, queryMs, text } from './parameters.ts';
import { placeFacts } from './place-fields.ts';

const parameters = Type.Object({
  id: Type.Integer({
    minimum: 1,
    maximum: 4_294_967_295,
    description: 'Identifier of a place, region or country, as any endpoint gave it.',
    examples: [2950159],
  }),
  lang: optional(text('Language of names, BCP 47; main names where the data has none.', { examples: ['de'] })),
});
const response = Type.Object({
  ...geocodedFields,
  admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
  timezone: nullable(Type.String({ description: 'IANA time zone; null for a region.' })),
  population: placeFacts.population,
  postal_codes: Type.Array(Type.String(), { description: 'Codes of the place, its main one first; at most 100.' }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'Names by language (BCP 47), besides the main one.',
  }),
  ...hierarchyField,
  ...queryMs,
});
const maxCodes = 100;

/** One place, region or country by its identifier. */
export const place = defineEndpoint({
  path: '/place/{id}',
  summary: 'One place by its identifier',
  description:
    'All that is known of one place, region or country: its position, facts, postal codes, names in other languages and what it lies in. ' +
    "Identifiers of places are the gazetteer's and mean the same in every dataset; those of regions and countries hold within a dataset.",
  parameters: { default: parameters, a: parameters, b: parameters },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ id, lang }, { store }) {
    const hit = hitOf(store, id);
    if (!hit) {
      throw new WhereaboutsError(
        'place_not_found',
        `no place, region or country has the identifier ${id}; /v1/search gives those there are`,
      );
    }
    const { postal_code: _, ...record } = geocodedRecord(store, hit, lang);
    return { ...record, ...detailsOf(store, hit, lang) };
  },
});

function hitOf({ places, regions, gazetteer }: Store, id: number): Hit | undefined {
  const found = { confidence: 100, postal: undefined };
  const area = areaOfId(id);
  if (area === undefined) {
    const index = places.byId(id);
    return index < 0 ? undefined : { ...found, layer: 'place', place: index, area: undefined };
  }
  if (isCountryArea(area)) {
    const isThere = gazetteer.countryCode(area) !== undefined;
    return isThere ? { ...found, layer: 'country', place: undefined, area } : undefined;
  }
  const position = regionOfArea(area);
  if (position >= regions.size) return undefined;
  const layer = regions.get(position).level === 1 ? 'region' : 'subregion';
  return { ...found, layer, place: undefined, area };
}

function detailsOf(store: Store, { place: index, area }: Hit, lang: string | undefined) {
  const { places, regions, postal, gazetteer } = store;
  if (index !== undefined) {
    const place = places.get(index);
    const postal_codes = postal?.ofPlace(index, maxCodes) ?? [];
    return { postal_codes, names: places.namesOf(index), hierarchy: hierarchyOf(store, place, [place], lang) };
  }
  const { country: number, admin1, admin2 } = gazetteer.areaFacts(area!);
  const country = gazetteer.countryCode(number);
  const names = isCountryArea(area!) ? {} : regions.namesOf(regionOfArea(area!));
  return { postal_codes: [], names, hierarchy: hierarchyOf(store, { country, admin1, admin2 }, [], lang) };
}
