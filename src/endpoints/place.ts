import type { Static } from 'typebox';
import { roundCoordinate } from '../core/geo.ts';
import { poiCategories } from '../core/place-kinds.ts';
import { WhereaboutsError } from '../errors.ts';
import { traitsOfArea } from '../geocoding/area-traits.ts';
import type { Hit } from '../geocoding/geocode.ts';
import { placeOfCode, positionOf } from '../geocoding/postal-codes.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import { areaOfId, isCountryArea, regionOfArea } from '../store/gazetteer.ts';
import {
  firstAreaId,
  firstLandmarkId,
  firstPostalId,
  firstStreetLevelId,
  recordOf,
  streetOf,
} from '../store/identifiers.ts';
import { type PostalCode, placeTypes, type Store } from '../store/store.ts';
import { defineEndpoint } from './endpoint.ts';
import { contextOf, geocodedFields, geocodedRecord, noDetails, poiRecord, population } from './geocoded-record.ts';
import { languageParameter, queryMs } from './parameters.ts';
import { hierarchyField, hierarchyOf, regionName } from './place-fields.ts';
import { positionContext } from './position-context.ts';

// The record of an identifier, of any layer, with all known details.

type FullRecord = Omit<Static<typeof response>, 'query_ms'>;

const nothingElse = {
  category: null,
  cuisine: null,
  highway_type: null,
  match_type: null,
  names: {} as Record<string, string>,
  other_names: [] as string[],
};
/** Maximum number of postal codes of a place. */
export const maxCodes = 100;

/** The record of an identifier, names in a language where one is given. Throws where there is none. */
export function recordById(store: Store, id: number, lang?: string): FullRecord {
  const found = foundById(store, id, lang);
  if (found) return found;
  throw new WhereaboutsError(
    'place_not_found',
    `no record of this dataset has the identifier ${id}; /v1/search finds those that exist`,
  );
}

function foundById(store: Store, id: number, lang: string | undefined): FullRecord | undefined {
  if (id < firstAreaId || (id >= firstLandmarkId && id < firstStreetLevelId)) return ofPlace(store, id, lang);
  if (id < firstPostalId) return ofArea(store, id, lang);
  const found = recordOf(id);
  if (!found) return ofPostalCode(store, id, lang);
  return found.record.kind === 'poi' ? ofPoi(store, id, lang) : ofAddress(store, id, lang);
}

function ofPlace(store: Store, id: number, lang: string | undefined): FullRecord | undefined {
  const index = store.places.byId(id);
  if (index < 0) return undefined;
  const place = store.places.get(index);
  const around = place.type === 'suburb' ? positionContext(store, place, 1).city : undefined;
  const city = around && store.places.get(around.index);
  const own = place.layer === 'place' ? [place] : [];
  const settlements = city && city.index !== index && city.type !== 'suburb' ? [city, ...own] : own;
  return full(store, { layer: place.layer, place: index }, lang, {
    postal_codes: store.postal?.ofPlace(index, maxCodes) ?? [],
    names: store.places.namesOf(index),
    other_names: store.otherNames?.of(id) ?? [],
    category: store.places.featureFacts(index)?.category ?? null,
    sources: [place.source],
    hierarchy: hierarchyOf(store, place, settlements, lang),
  });
}

function ofArea(store: Store, id: number, lang: string | undefined): FullRecord | undefined {
  const { regions, countries, gazetteer } = store;
  const area = areaOfId(id)!;
  const isCountry = isCountryArea(area);
  const region = regionOfArea(area);
  if (isCountry ? !gazetteer.countryCode(area) : region >= regions.size) return undefined;
  const { country: number, admin1, admin2 } = gazetteer.areaFacts(area);
  const country = gazetteer.countryCode(number) ?? regions.get(region).country;
  const layer = isCountry ? 'country' : regions.get(region).level === 1 ? 'region' : 'subregion';
  return full(store, { layer, area }, lang, {
    ...(traitsOfArea(gazetteer, area).position ? {} : { lat: null, lng: null }),
    postal_codes: [],
    names: isCountry ? countries.namesOf(country) : regions.namesOf(region),
    sources: ['geonames-admin'],
    hierarchy: hierarchyOf(store, { country, admin1, admin2 }, [], lang),
  });
}

function ofPostalCode(store: Store, id: number, lang: string | undefined): FullRecord | undefined {
  const postal = store.postal?.byId(id);
  if (!postal) return undefined;
  const more = { postal_codes: [postal.postalCode], sources: [postal.source] };
  const place = placeOfCode(store, postal);
  if (place === undefined) return { ...withoutPlace(store, postal, lang), ...more };
  const within = store.places.get(place);
  const hierarchy = hierarchyOf(store, within, [within], lang);
  return full(store, { layer: 'postal', place, postal }, lang, { ...more, hierarchy });
}

/** A code whose place the gazetteer lacks: its own row. */
function withoutPlace(store: Store, postal: PostalCode, lang: string | undefined) {
  const { id, place, country, admin1, admin2 } = postal;
  const { lat, lng } = positionOf(postal) ?? { lat: null, lng: null };
  return {
    ...nothingElse,
    ...noDetails,
    id,
    layer: 'postal' as const,
    name: place,
    country,
    country_name: store.countries.nameIn(country, lang),
    admin1,
    admin2,
    lat: lat === null ? null : roundCoordinate(lat),
    lng: lng === null ? null : roundCoordinate(lng),
    hierarchy: hierarchyOf(store, { country, admin1: -1, admin2: -1 }, [], lang),
  };
}

function ofAddress(store: Store, id: number, lang: string | undefined): FullRecord | undefined {
  const address = store.addresses?.byId(id);
  if (!address) return undefined;
  const { within, settlements } = contextOf(store, address, address)!;
  const street = store.streets?.byId(streetOf(id)!);
  const type = placeTypes.find((placeType) => placeType === street?.highwayType);
  const layer = type ? ('place' as const) : ('street' as const);
  const entry = { layer, id: streetOf(id)!, code: null, name: address.street };
  const { matchType } = address;
  // A crossing has the identifier of its first street.
  const match_type = matchType === 'exact' || matchType === 'interpolated' ? matchType : null;
  const isStreet = match_type === null;
  return full(store, { layer: isStreet ? 'street' : 'address', address }, lang, {
    admin2: regionName(store, within.admin2, lang),
    highway_type: isStreet && !type ? (street?.highwayType ?? null) : null,
    match_type,
    postal_codes: isStreet ? (street?.postalCodes ?? []) : address.postalCode === null ? [] : [address.postalCode],
    other_names: isStreet ? (street?.otherNames ?? []) : [],
    sources: [address.source],
    hierarchy: [...hierarchyOf(store, within, settlements, lang), entry],
  });
}

function ofPoi(store: Store, id: number, lang: string | undefined): FullRecord | undefined {
  const poi = store.pois?.byId(id);
  const found = poi && poiRecord(store, poi, lang);
  if (!found) return undefined;
  const { postal_code: _, ...record } = found.record;
  return {
    ...nothingElse,
    ...record,
    cuisine: poi.cuisine,
    postal_codes: [],
    other_names: poi.otherNames,
    sources: [poi.source],
    hierarchy: hierarchyOf(store, found.within, found.settlements, lang),
  };
}

function full(
  store: Store,
  hit: Hit,
  lang: string | undefined,
  more: Partial<FullRecord> & Pick<FullRecord, 'postal_codes' | 'sources' | 'hierarchy'>,
): FullRecord {
  const { postal_code: _, ...record } = geocodedRecord(store, hit, lang);
  return { ...record, ...nothingElse, ...more };
}

export const idInPath = (example: number) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Identifier of a record of any layer, as returned by any endpoint.',
    examples: [example],
  });
const parameters = Type.Object({ id: idInPath(2950159), lang: languageParameter });
const response = Type.Object({
  ...geocodedFields,
  name: Nullable.String('Null for a point of interest without a name.'),
  lat: nullable(geocodedFields.lat),
  lng: nullable(geocodedFields.lng),
  admin2: Nullable.String('Second-level region; null when unknown.'),
  timezone: Nullable.String('IANA time zone at its position, of a country that of its capital.'),
  population,
  category: nullable(oneOf(poiCategories, 'Kind of a point of interest; null for others.')),
  cuisine: Nullable.String('Kinds of food of a point of interest; null when unknown.'),
  highway_type: Nullable.String('Value of the OpenStreetMap tag `highway` for a street; null when unknown.'),
  match_type: nullable(
    oneOf(
      ['exact', 'interpolated'],
      'For an address: `exact` is the house itself, `interpolated` its position between neighbours.',
    ),
  ),
  postal_codes: Type.Array(Type.String(), {
    description: 'Postal codes of the record, the main one first; at most 100.',
  }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'Names by language (BCP 47), besides the main one.',
  }),
  other_names: Type.Array(Type.String(), { description: 'Other names whose language is not known.' }),
  sources: Type.Array(Type.String(), { description: 'Identifiers of the data sources; /status has the details.' }),
  ...hierarchyField,
  ...queryMs,
});

/** One record by its identifier. */
export const place = defineEndpoint({
  path: '/place/{id}',
  summary: 'One record by its identifier',
  description:
    'Everything known about one place, region, country, postal code, street, address or point of interest: its position, ' +
    'facts, postal codes, other names and the areas that contain it. Identifiers of places come from the gazetteer and are ' +
    'the same in every dataset; all others are valid within one dataset. Identifiers are unique within a dataset.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  handle: ({ id, lang }, { store }) => recordById(store, id, lang),
});
