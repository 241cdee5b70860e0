/** Fields of place records, shared by the endpoints that return places. */

import { roundCoordinate } from '../core/geo.ts';
import { Type } from '../schema.ts';
import { type Place, placeTypes, type Store } from '../store/store.ts';
import { keptRecord } from './kept-record.ts';
import { nullable, oneOf } from './parameters.ts';

export const placeFields = {
  id: Type.Integer({ description: "The gazetteer's identifier of the place." }),
  name: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  admin1: nullable(Type.String({ description: 'First-level region; null when unknown.' })),
  lat: Type.Number({ description: 'Latitude in degrees, WGS84.' }),
  lng: Type.Number({ description: 'Longitude in degrees, WGS84.' }),
};

export const placeFacts = {
  population: Type.Integer({ description: 'Inhabitants; 0 when unknown.' }),
  type: oneOf(placeTypes, 'Kind of place by size and rank (rule: /docs/places).'),
};

export const distanceField = {
  distance_km: Type.Number({ description: 'Great-circle distance from the given point.' }),
};

/** Name of a region in a language, null when there is none at the position. */
export function regionName(store: Store, position: number, language?: string): string | null {
  if (position < 0) return null;
  return language === undefined ? store.regions.get(position).name : store.regions.nameIn(position, language);
}

/** A country's name, in a language where one is given; its code where it is unknown. */
export function countryName({ countries }: Store, code: string, language?: string): string {
  return language === undefined ? (countries.get(code)?.name ?? code) : countries.nameIn(code, language);
}

/** What every place record has; a feature has no type. */
export function placeRecord(store: Store, place: Place, language?: string) {
  return {
    id: place.id,
    name: language === undefined ? place.name : store.places.nameIn(place.index, language),
    country: place.country,
    admin1: regionName(store, place.admin1, language),
    lat: roundCoordinate(place.lat),
    lng: roundCoordinate(place.lng),
    population: place.population,
    type: place.type!,
  };
}

/** A place's record as a list has it, with the fields that depend on the question. */
export function listedPlace<O extends object>(store: Store, index: number, own: O) {
  return keptRecord(store, index, own, placeAt);
}

const placeAt = (store: Store, index: number) => placeRecord(store, store.places.get(index));
