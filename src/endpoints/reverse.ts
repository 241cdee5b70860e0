import type { Static, TObject } from 'typebox';
import { type BoundingBox, distanceKm, isWithin, type LatLng, roundKm } from '../core/geo.ts';
import { poiCategories } from '../core/place-kinds.ts';
import type { Hit } from '../geocoding/geocode.ts';
import { layers as allLayers, type Layer } from '../geocoding/layers.ts';
import { positionOf } from '../geocoding/position.ts';
import { placeOfCode } from '../geocoding/postal-codes.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import type { Address } from '../store/address-contract.ts';
import { areaOfCountry, areaOfRegion } from '../store/gazetteer.ts';
import { type FeatureLayer, orWithoutStreets, type Place, type PlaceType, type Store } from '../store/store.ts';
import { layersCoverage, layersCoverageSchema } from './coverage.ts';
import { type Context, defineEndpoint, type Profile } from './endpoint.ts';
import { extentFields } from './extent.ts';
import { featuresAt } from './features-at.ts';
import {
  contextOf,
  type GeocodedRecord,
  geocodedFields,
  geocodedRecord,
  poiRecord,
  population,
} from './geocoded-record.ts';
import { languageParameter, latitude, layersOf, layersParameter, listOf, longitude, optional } from './parameters.ts';
import {
  distanceField,
  hierarchyField,
  hierarchyOf,
  placeFacts,
  placeFields,
  regionName,
  type Within,
} from './place-fields.ts';
import { codeAt, isSuburb, positionContext } from './position-context.ts';

const point = Type.Object({ lat: latitude(), lng: longitude() });
const response = listOf({ ...placeFields, ...distanceField }, {});
const recordFields = {
  ...placeFields,
  ...distanceField,
  population,
  city: Nullable.String('City of an address, street or point of interest; null for others, whose name it is.'),
  type: nullable(placeFacts.type),
  layer: oneOf(allLayers, 'Layer of the record; `place` unless `layers` requests others.'),
  name: Nullable.String('Null for a point of interest without a name.'),
  category: nullable(oneOf(poiCategories, 'Kind of a point of interest or landmark; null for others.')),
  country: geocodedFields.country,
  country_name: geocodedFields.country_name,
  ...extentFields,
  admin2: Nullable.String('Second-level region; null when unknown.'),
  suburb: Nullable.String(
    'Part of the city that the point is in: the one whose centre is nearest, as their areas are not known; null if there is none, and in all results after the first.',
  ),
  municipality: Nullable.String(
    'Municipality that contains the point, if the dataset has outlines of municipalities; null otherwise, and in all results after the first.',
  ),
  postal_code: Nullable.String(
    'First result: the code of the address there, else the one at the point; null if the city has many codes and it is not known which one applies. Other results: the main code of the place.',
  ),
  timezone: Nullable.String('IANA time zone: of the point in the first result, of the place in the others.'),
  street: Nullable.String(
    'Street of the nearest address within 50 m; null if there is none, and in all results after the first.',
  ),
  house_number: Nullable.String('House number of that address.'),
  ...hierarchyField,
};
const addressReachKm = 0.05;

/** The country, region and city of a point. */
export const reverse = defineEndpoint({
  path: '/reverse',
  summary: 'The city, region and country at a point',
  description:
    'The first result is the city that the point is in, never a suburb: among the places of its country and region, the ' +
    'one whose centre is nearest relative to its size, the sooner if the nearest postal code has its name. The nearest other places follow. The first result has the region, ' +
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
    default: listOf(recordFields, { coverage: optional(layersCoverageSchema) }),
    a: response,
    b: response,
  },
  layers: ['world'],
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
      : store.places.nearest(from, { country: near[0] && store.places.countryOf(near[0].index), accept });
  const first = town ?? near[0];
  const suburb = suburbAt && store.places.get(suburbAt.index);
  const others = near.filter(({ index }) => index !== first?.index);
  return [...(first ? [first] : []), ...others].slice(0, limit).map(({ index, distanceKm }, at) => {
    const place = store.places.unnamed(index);
    const isFirst = at === 0;
    const admin1 = isFirst && region >= 0 && place.country === country ? region : place.admin1;
    const own = admin1 === place.admin1 ? place.admin2 : -1;
    const admin2 = isFirst && around.subregion >= 0 ? around.subregion : own;
    // On an island without places the nearest one is abroad, and the point is in no more than its own country.
    const isAbroad = isFirst && country !== undefined && place.country !== country;
    const within = isAbroad ? { country, admin1: region, admin2: -1 } : { country: place.country, admin1, admin2 };
    const { street, houseNumber, source } = (isFirst && address) || {};
    const settlements = isAbroad ? [] : isFirst && suburb ? [place, suburb] : [place];
    const codeThere = () => address?.postalCode ?? (isAbroad ? null : codeAt(store, place, around)?.postalCode);
    // Assigned: with spreads of its parts, a record took a tenth of the time.
    return Object.assign(geocodedRecord(store, { layer: 'place', place: index }, lang, true), {
      distance_km: roundKm(distanceKm),
      country: within.country,
      country_name: store.countries.nameIn(within.country, lang),
      admin1: regionName(store, within.admin1, lang),
      admin2: regionName(store, within.admin2, lang),
      municipality: (isFirst && around.municipality) || null,
      suburb: isFirst && suburb ? store.places.nameIn(suburb.index, lang) : null,
      postal_code: (isFirst ? codeThere() : store.postal?.ofPlace(index, 1)[0]) ?? null,
      timezone: (isFirst ? store.zones?.at(from) : undefined) ?? place.timezone,
      street: street || null,
      house_number: houseNumber || null,
      category: null,
      hierarchy: hierarchyOf(store, within, settlements, lang),
      sources: source === undefined || source === place.source ? [place.source] : [place.source, source],
    }) as ReverseRecord;
  });
}

type ReverseRecord = Static<TObject<typeof recordFields>> & { sources: string[] };

/** Maximum distance of streets, houses and points of interest. */
const reachKm = 0.5;

/**
 * Records of the requested layers: first the one of each layer that contains the point or is nearest to it, in the
 * order of the layers, then the second nearest of each, and so on; without a limit one of each. Areas that contain the
 * point are 0 km away.
 */
function layersAt(
  store: Store,
  from: LatLng,
  layers: readonly Layer[],
  { limit, lang }: { limit: number | undefined; lang: string | undefined },
  placesAt: (limit: number) => ReverseRecord[],
): ReverseRecord[] {
  /** Maximum number of records per layer. */
  const perLayer = limit ?? 1;
  const around = positionContext(store, from, 1);
  const { country, region: mapped, subregion: outlined, city: near } = around;
  const nearest = near && store.places.get(near.index);
  const city = country === undefined || nearest?.country === country ? nearest : undefined;
  const region = mapped >= 0 ? mapped : (city?.admin1 ?? -1);
  const subregion = outlined >= 0 ? outlined : city && city.admin1 === region ? city.admin2 : -1;
  const within: Within = { country: country ?? city?.country ?? '', admin1: region, admin2: subregion };

  /** What a record has here besides what it is; a point of interest has a category of its own. */
  const completed = <R extends object>(
    record: R,
    km: number,
    settlements: readonly Place[],
    sources: string[],
    containing: Within,
  ) => ({
    category: null,
    ...record,
    distance_km: roundKm(km),
    suburb: null,
    municipality: null,
    hierarchy: hierarchyOf(store, containing, settlements, lang),
    sources,
  });
  const record = (hit: Hit, km: number, settlements: readonly Place[], sources: string[], containing = within) =>
    completed(geocodedRecord(store, hit, lang), km, settlements, sources, containing);
  const area = (layer: Layer, number: number | undefined, containing: Within): ReverseRecord[] =>
    country === undefined || number === undefined
      ? []
      : [record({ layer, area: number }, 0, [], ['geonames-admin'], containing)];
  const regionArea = (position: number) => (position < 0 ? undefined : areaOfRegion(position));
  const ofCity = city ? [city] : [];
  const addresses = (layer: 'address' | 'street', found: readonly (Address & { distanceKm: number })[]) =>
    found.map((address) => {
      const hit: Hit = { layer, address };
      // Near a border, the address is not always on the side of the point.
      const { within: own, settlements } = contextOf(store, address, address)!;
      const admin2 = regionName(store, own.admin2, lang);
      return { ...record(hit, address.distanceKm, settlements, [address.source], own), admin2 };
    });

  const features = (layer: FeatureLayer) =>
    featuresAt(store, from, layer, { limit: perLayer, country }).map(({ index, distanceKm }) => {
      const feature = store.places.get(index);
      const hit: Hit = { layer, place: index };
      const category = store.places.featureFacts(index)?.category ?? null;
      return { ...record(hit, distanceKm, [], [feature.source], feature), category };
    });

  const answers: Record<Exclude<Layer, FeatureLayer>, () => ReverseRecord[]> = {
    country() {
      const number = store.gazetteer.countryNumber(within.country);
      const containing = { ...within, admin1: -1, admin2: -1 };
      return area('country', number === undefined ? undefined : areaOfCountry(number), containing);
    },
    region: () => area('region', regionArea(region), { ...within, admin2: -1 }),
    subregion: () => area('subregion', regionArea(subregion), within),
    place: () => placesAt(perLayer),
    postal() {
      const code = city && codeAt(store, city, around);
      const place = code && placeOfCode(store, code);
      if (!code || place === undefined) return [];
      const km = code.lat === null || code.lng === null ? 0 : distanceKm(from, { lat: code.lat, lng: code.lng });
      const hit: Hit = { layer: 'postal', place, postal: code };
      return [record(hit, code.accuracy === 'point' ? km : 0, ofCity, [code.source])];
    },
    street: () =>
      addresses(
        'street',
        (store.streets?.nearest(from, { maxKm: reachKm, limit: perLayer }) ?? []).map((street) => ({
          ...street,
          street: street.name,
          houseNumber: null,
          postalCode: null,
          matchType: 'street' as const,
          distanceKm: street.distanceKm ?? 0,
        })),
      ),
    address: () => addresses('address', store.addresses?.nearest(from, { maxKm: reachKm, limit: perLayer }) ?? []),
    poi: () =>
      (store.pois?.nearest(from, { radiusKm: reachKm, limit: perLayer }) ?? []).flatMap((poi) => {
        const found = poiRecord(store, poi, lang);
        if (!found) return [];
        const { record, within: own, settlements } = found;
        return completed(record, poi.distanceKm, settlements, [poi.source], own);
      }),
  };
  const found = layers.map((layer) =>
    layer in answers ? answers[layer as keyof typeof answers]() : features(layer as FeatureLayer),
  );
  const longest = Math.max(0, ...found.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, rank) =>
    found.flatMap((records) => records.slice(rank, rank + 1)),
  );
  return inTurn.flat().slice(0, limit ?? layers.length);
}

// What a text that is a position answers with, for the endpoints that answer to a text: as /reverse does there.

/** The position that a text is, including a short plus code next to a place. */
export const positionIn = ({ cities }: Store, text: string): LatLng | undefined =>
  positionOf(text, (place) => cities.resolve(place));

const maxResults = 10;

type RecordsAtOptions = {
  limit: number;
  lang: string | undefined;
  layers: string | undefined;
  /** What else the records must be, as those of any other text. */
  country?: string;
  type?: PlaceType;
  bbox?: BoundingBox;
};

/** The records there: the city that holds the position and the nearest places, or those of the layers requested. */
export function recordsAt(
  { lat, lng }: LatLng,
  { limit, lang, layers, country, type, bbox }: RecordsAtOptions,
  context: Context,
): (GeocodedRecord & { sources: string[] })[] {
  const isFiltered = country !== undefined || type !== undefined || bbox !== undefined;
  const options = { lat, lng, lang, limit: isFiltered ? maxResults : Math.min(maxResults, limit) };
  const { results } = reverse.handle(layers === undefined ? options : { ...options, layers }, context);
  // A point of interest without a name is called by its category.
  const records = results.map(({ name, category, ...record }) => ({ ...record, name: name ?? category ?? '' }));
  return (records as unknown as (GeocodedRecord & { sources: string[] })[])
    .filter(
      (record) =>
        (country === undefined || record.country === country) &&
        (type === undefined || record.type === type) &&
        (!bbox || isWithin(record.lat, record.lng, bbox)),
    )
    .slice(0, limit);
}
