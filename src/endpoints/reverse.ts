import { type LatLng, roundKm } from '../core/geo.ts';
import { layers as allLayers } from '../geocoding/layers.ts';
import { Type } from '../schema.ts';
import { poiCategories } from '../store/address-contract.ts';
import type { Place, Store } from '../store/store.ts';
import { orWithoutStreets } from '../store/streets-unavailable.ts';
import { layersCoverage, layersCoverageSchema } from './coverage.ts';
import { always, defineEndpoint, type Profile } from './endpoint.ts';
import { extentFields, extentOf } from './extent.ts';
import { geocodedFields, population } from './geocoded-record.ts';
import { hierarchyField, hierarchyOf } from './hierarchy.ts';
import {
  languageParameter,
  latitude,
  layersOf,
  layersParameter,
  listOf,
  longitude,
  nullable,
  oneOf,
  optional,
} from './parameters.ts';
import { countryName, distanceField, placeFacts, placeFields, placeRecord, regionName } from './place-fields.ts';
import { isSuburb, positionContext } from './position-context.ts';
import { codeAt } from './postal-code-at.ts';
import { layersAt, type ReverseRecord } from './reverse-layers.ts';

const point = Type.Object({ lat: latitude(), lng: longitude() });
const response = listOf({ ...placeFields, ...distanceField }, {});
const detailFields = {
  population,
  city: nullable(
    Type.String({ description: 'City of an address, street or point of interest; null for others, whose name it is.' }),
  ),
  type: nullable(placeFacts.type),
  layer: oneOf(allLayers, 'Layer of the record; `place` unless `layers` requests others.'),
  name: nullable(Type.String({ description: 'Null for a point of interest without a name.' })),
  category: nullable(oneOf(poiCategories, 'Kind of a point of interest; null for others.')),
  country: geocodedFields.country,
  country_name: geocodedFields.country_name,
  ...extentFields,
  admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
  suburb: nullable(
    Type.String({
      description: 'Part of the city that the point is in; null if none is known, and in all results after the first.',
    }),
  ),
  municipality: nullable(
    Type.String({
      description:
        'Municipality that contains the point, if the dataset has outlines of municipalities; null otherwise, and in all results after the first.',
    }),
  ),
  postal_code: nullable(
    Type.String({
      description:
        'First result: the code at the point; null if the city has many codes and it is not known which one applies. Other results: the main code of the place.',
    }),
  ),
  timezone: nullable(
    Type.String({ description: 'IANA time zone: of the point in the first result, of the place in the others.' }),
  ),
  street: nullable(
    Type.String({
      description:
        'Street of the nearest address within 50 m; null if there is none, and in all results after the first.',
    }),
  ),
  house_number: nullable(Type.String({ description: 'House number of that address.' })),
  ...hierarchyField,
};
const addressReachKm = 0.05;

/** The country, region and city of a point. */
export const reverse = defineEndpoint({
  path: '/reverse',
  summary: 'The city, region and country at a point',
  description:
    'The first result is the city that the point is in, never a suburb: among the places of its country and region, the ' +
    'one whose centre is nearest relative to its size. The nearest other places follow. The first result has the region, ' +
    'postal code and time zone of the point itself. At sea it is the nearest place, with its own region. The profiles a and ' +
    'b return the nearest place that is not a suburb. `layers` selects what is returned: the country, regions and postal code ' +
    'of the point, the city it is in, and the nearest street, address and point of interest within 500 m. One result per ' +
    'layer comes first, in the order of the list, then the second nearest of each.',
  parameters: {
    default: Type.Object({
      ...point.properties,
      limit: optional(
        Type.Integer({
          minimum: 1,
          maximum: 10,
          description: 'Maximum number of results: 1 by default, or one for each of the `layers`.',
        }),
      ),
      layers: layersParameter,
      lang: languageParameter,
    }),
    a: point,
    b: point,
  },
  response: {
    default: listOf(
      { ...placeFields, ...distanceField, ...detailFields },
      { coverage: optional(layersCoverageSchema) },
    ),
    a: response,
    b: response,
  },
  layers: ['world'],
  isCacheable: always,
  handle({ lat, lng, limit, lang, layers }, { store, profile }) {
    const from = { lat, lng };
    const placesAt = (maxPlaces: number) => placesAround(store, from, maxPlaces, lang, profile);
    const requestedLayers =
      layers === undefined || profile !== 'default' ? undefined : [...layersOf(layers, new Set())];
    const results = requestedLayers
      ? layersAt(store, from, requestedLayers, { limit, lang }, placesAt)
      : placesAt(limit ?? 1);
    const coverage =
      requestedLayers && results.length === 0
        ? { coverage: layersCoverage(store, requestedLayers, store.boundaries?.countryAt(from)) }
        : {};
    return { results, count: results.length, ...coverage };
  },
});

function placesAround(
  store: Store,
  from: LatLng,
  limit: number,
  lang: string | undefined,
  profile: Profile,
): ReverseRecord[] {
  const around = positionContext(store, from, limit);
  const { country, region, city, suburb: suburbAt, near } = around;
  const nearestAddress = () => store.addresses?.nearest(from, { maxKm: addressReachKm, limit: 1 }) ?? [];
  const [address] = orWithoutStreets(store, nearestAddress, []);
  // Large cities have more suburbs around a point than the nearest places that the context is made from.
  const accept = (index: number) => !isSuburb(store, { index });
  const [town] =
    profile === 'default'
      ? [city]
      : store.places.nearest(from, { limit: 1, country: near[0] && store.places.countryOf(near[0].index), accept });
  const first = town ?? near[0];
  const suburb = suburbAt && store.places.get(suburbAt.index);
  const others = near.filter(({ index }) => index !== first?.index);
  return [...(first ? [first] : []), ...others].slice(0, limit).map(({ index, distanceKm }, at) => {
    const place = store.places.get(index);
    const isFirst = at === 0;
    const admin1 = isFirst && region >= 0 && place.country === country ? region : place.admin1;
    const own = admin1 === place.admin1 ? place.admin2 : -1;
    const admin2 = isFirst && around.subregion >= 0 ? around.subregion : own;
    const { street, houseNumber, source } = (isFirst && address) || {};
    const code = isFirst ? codeAt(store, from, place, suburb)?.postalCode : store.postal?.mainOfPlace(index);
    return {
      ...placeRecord(store, { ...place, admin1 }, lang),
      layer: 'place',
      distance_km: roundKm(distanceKm),
      country_name: countryName(store, place.country, lang),
      admin2: regionName(store, admin2, lang),
      city: null,
      ...extentOf(store, place),
      municipality: (isFirst && around.municipality) || null,
      suburb: isFirst && suburb ? nameOf(store, suburb, lang) : null,
      postal_code: code ?? null,
      timezone: (isFirst ? store.zones?.at(from) : undefined) ?? place.timezone,
      street: street || null,
      house_number: houseNumber || null,
      category: null,
      hierarchy: hierarchyOf(store, { ...place, admin1, admin2 }, isFirst && suburb ? [place, suburb] : [place], lang),
      sources: source === undefined || source === place.source ? [place.source] : [place.source, source],
    };
  });
}

const nameOf = ({ places }: Store, { index, name }: Place, lang: string | undefined) =>
  lang === undefined ? name : places.nameIn(index, lang);
