/** Records of what the geocoder found, for the endpoints that answer to a text. */
import type { Static, TObject } from 'typebox';
import { distanceKm, isNear, type LatLng, roundCoordinate } from '../core/geo.ts';
import { osmReference } from '../core/osm-object.ts';
import { type PoiCategory, reachKm } from '../core/place-kinds.ts';
import { traitsOfArea } from '../geocoding/area-traits.ts';
import type { Hit } from '../geocoding/geocode.ts';
import { type Layer, layers } from '../geocoding/layers.ts';
import { positionOf } from '../geocoding/postal-codes.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import type { Address, Poi } from '../store/address-contract.ts';
import { areaId, isCountryArea, regionOfArea } from '../store/gazetteer.ts';
import { type Place, placeTypes, type Store } from '../store/store.ts';
import { estimatedExtent, extentFields, extentOf, noExtent } from './extent.ts';
import { placeFields, regionName, type Within } from './place-fields.ts';
import { cityOfLandmark, positionContext } from './position-context.ts';

/** Fields that answers of every layer have in the `default` profile. */
export const geocodedFields = {
  ...placeFields,
  id: Type.Integer(
    "Identifier for /place/{id}: the gazetteer's own for a place, valid within this dataset for other records.",
  ),
  layer: oneOf(layers, 'Layer of the record.'),
  country: Nullable.String('ISO 3166-1 alpha-2 code; null for what is in no country, such as an ocean.'),
  country_name: Nullable.String(),
  ...extentFields,
  street: Nullable.String('Street of an address or street; null for others.'),
  house_number: Nullable.String('House number of an address; null for others.'),
  city: Nullable.String('City of an address, street or point of interest; null for others.'),
  type: nullable(oneOf(placeTypes, 'Kind of place by size and rank (rule: /docs/places); null for other records.')),
};

/** Inhabitants of a record of any layer. */
export const population = Nullable.Integer(
  'Inhabitants; 0 when unknown, null for records that have none, such as an address.',
);

/** What every layer's record has. */
export type GeocodedRecord = Static<TObject<typeof geocodedFields>> & {
  admin2: string | null;
  timezone: string | null;
  population: number | null;
  postal_code: string | null;
};

/** What most records of areas, streets and points lack. */
export const noDetails = {
  street: null,
  house_number: null,
  city: null,
  admin2: null,
  timezone: null,
  population: null,
  type: null,
  postal_code: null,
  ...noExtent,
  ...osmReference(null),
  osm_tag: null,
};

/**
 * The record of a hit, names in a language where one is given. With `isShort` what places, features and areas have beside the fields of
 * `geocodedFields` is left out: to find it takes a third of the time.
 */
export function geocodedRecord(store: Store, hit: Hit, lang?: string, isShort = false): GeocodedRecord {
  const { layer, place, postal, address, poi } = hit;
  if (address) return addressRecord(store, layer, address, lang);
  if (poi) {
    const { category: _, ...record } = poiRecord(store, poi, lang)!.record;
    return { ...record, name: poi.name };
  }
  if (place === undefined) return areaRecord(store, hit, isShort, lang);
  const found = store.places.unnamed(place);
  const { lat, lng } = (layer === 'postal' && postal && positionOf(postal)) || found;
  const { radiusKm } = postal ?? {};
  // The nearest place is not the code's own where that has a name that the gazetteer lacks.
  const isOwn = layer === 'postal' && postal && postal.accuracy !== 'place';
  const ownName = isOwn && store.places.named(postal.place, postal.country).length === 0 ? postal.place : undefined;
  const ofCode = () => (radiusKm ? estimatedExtent({ lat, lng }, radiusKm) : noExtent);
  const { kind, bbox, bbox_source } = layer === 'postal' ? ofCode() : extentOf(store, found);
  // Field by field: spreads of the parts of ten records took a fifth of a search.
  return {
    id: layer === 'postal' && postal ? postal.id : found.id,
    name: ownName ?? store.places.nameIn(place, lang),
    layer,
    country: found.country || null,
    country_name: store.countries.nameIn(found.country, lang) || null,
    admin1: regionName(store, found.admin1, lang),
    admin2: isShort ? null : regionName(store, found.admin2, lang),
    lat: roundCoordinate(lat),
    lng: roundCoordinate(lng),
    timezone: found.timezone,
    // An island may have inhabitants; an airport, a lake or a peak has none.
    population: ownName || (found.type === null && found.layer !== 'island') ? null : found.population,
    type: ownName ? null : found.type,
    postal_code: postal?.postalCode ?? (isShort ? null : store.postal?.ofPlace(place, 1)[0]) ?? null,
    street: null,
    house_number: null,
    city: cityName(store, found.layer, place, lang),
    kind,
    bbox,
    bbox_source,
    osm_type: null,
    osm_id: null,
    osm_tag: null,
  };
}

/** Name of the city that a landmark is in; null for other features and places. */
function cityName(store: Store, layer: string, index: number, lang: string | undefined): string | null {
  if (layer !== 'landmark' && layer !== 'park') return null;
  const city = cityOfLandmark(store, index);
  return city < 0 ? null : store.places.nameIn(city, lang);
}

function addressRecord(store: Store, layer: Layer, address: Address, lang: string | undefined): GeocodedRecord {
  const { id, street, houseNumber, country, lat, lng, postalCode, object } = address;
  const highway = houseNumber === null && object ? store.streets?.byId(id)?.highwayType : undefined;
  const type = placeTypes.find((placeType) => placeType === highway) ?? null;
  return {
    ...noDetails,
    id,
    layer: type ? 'place' : layer,
    name: [street, houseNumber].filter((part) => part !== null && part !== '').join(' '),
    street: type ? null : street || null,
    house_number: houseNumber,
    ...localityOf(store, address, lang),
    country,
    country_name: store.countries.nameIn(country, lang),
    lat: roundCoordinate(lat),
    lng: roundCoordinate(lng),
    timezone: store.zones?.at(address) ?? null,
    type,
    postal_code: postalCode,
    ...(type && estimatedExtent(address, reachKm(0))),
    ...osmReference(object),
    osm_tag: highway ? `${type ? 'place' : 'highway'}=${highway}` : null,
  };
}

function areaRecord(store: Store, { layer, area = -1 }: Hit, isShort: boolean, lang?: string): GeocodedRecord {
  const { gazetteer, countries } = store;
  const { country: number, admin1, admin2, population } = gazetteer.areaFacts(area);
  const { position } = traitsOfArea(gazetteer, area);
  const country = gazetteer.countryCode(number);
  const own = isCountryArea(area) ? countries.get(country) : undefined;
  const country_name = countries.nameIn(country, lang);
  const box = store.boundaries?.boxOf(isCountryArea(area) ? (country ?? '') : regionOfArea(area));
  return {
    ...noDetails,
    id: areaId(area),
    layer,
    name: isCountryArea(area) ? country_name : regionName(store, regionOfArea(area), lang)!,
    country,
    country_name,
    admin1: regionName(store, admin1, lang),
    admin2: regionName(store, admin2, lang),
    lat: roundCoordinate(position?.lat ?? 0),
    lng: roundCoordinate(position?.lng ?? 0),
    timezone: isShort ? null : ((position && store.zones?.at(position)) ?? own?.timezone ?? null),
    population: own?.population ?? population,
    bbox: box?.map(roundCoordinate) ?? null,
    bbox_source: box ? 'area' : null,
  };
}

// Records of street-level data: what an address or point lies in, and the record of a point of interest.

/** Maximum distance between an address and its settlement. */
const maxCityKm = 40;

/** The settlement and region of an address in a language, where the gazetteer has them, else as its source calls them. */
export function localityOf(
  store: Store,
  address: LatLng & Pick<Address, 'city' | 'admin1' | 'country'>,
  lang: string | undefined,
): Pick<Address, 'city' | 'admin1'> {
  const { city, admin1, country } = address;
  if (lang === undefined) return { city, admin1 };
  const [region = -1] = admin1 === null ? [] : store.regions.matching(country, admin1);
  const place =
    city === null ? undefined : store.cities.resolve(admin1 === null ? city : `${city}, ${admin1}`, country);
  const isThere = place !== undefined && isNear(place, address, maxCityKm);
  return {
    city: isThere ? store.places.nameIn(place.index, lang) : city,
    admin1: regionName(store, region, lang) ?? admin1,
  };
}

/**
 * The country, regions and settlement of a record at its own position: the settlement that it names, else the one that
 * contains it. The country is that of the record, where it has one; undefined if none is known.
 */
export function contextOf(store: Store, point: LatLng, { country, city: named = null }: Named = {}) {
  const { places } = store;
  const at = positionContext(store, point, 1);
  const around = at.city && places.get(at.city.index);
  const code = country ?? at.country ?? around?.country;
  if (code === undefined) return undefined;
  const namesakes = named === null ? [] : places.named(named, code).map(places.get);
  const [nearest] = namesakes
    .filter((place) => isNear(place, point, maxCityKm))
    .sort((one, other) => distanceKm(one, point) - distanceKm(other, point));
  const city = nearest ?? around;
  const settlements: Place[] = city?.country === code ? [city] : [];
  const region = at.region >= 0 ? at.region : (settlements[0]?.admin1 ?? -1);
  const own = settlements[0]?.admin1 === region ? settlements[0].admin2 : -1;
  const within: Within = { country: code, admin1: region, admin2: at.subregion >= 0 ? at.subregion : own };
  return { within, settlements };
}

type Named = { country?: string; city?: string | null };
type PoiFacts = LatLng & Pick<Poi, 'id' | 'name' | 'category' | 'object' | 'tag'>;

/** A point of interest as a record of any layer, with the context of its own position; undefined in no country. */
export function poiRecord(store: Store, { id, name, category, lat, lng, object, tag = null }: PoiFacts, lang?: string) {
  const context = contextOf(store, { lat, lng });
  if (!context) return undefined;
  const { within, settlements } = context;
  const [city] = settlements;
  const record: Omit<GeocodedRecord, 'name'> & { name: string | null; category: PoiCategory } = {
    ...noDetails,
    id,
    layer: 'poi',
    name,
    city: city ? store.places.nameIn(city.index, lang) : null,
    country: within.country,
    country_name: store.countries.nameIn(within.country, lang),
    admin1: regionName(store, within.admin1, lang),
    admin2: regionName(store, within.admin2, lang),
    lat: roundCoordinate(lat),
    lng: roundCoordinate(lng),
    timezone: store.zones?.at({ lat, lng }) ?? null,
    ...osmReference(object),
    osm_tag: tag,
    category,
  };
  return { record, within, settlements };
}
