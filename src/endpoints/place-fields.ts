/** Fields of place records, shared by the endpoints that return places. */
import { roundCoordinate } from '../core/geo.ts';
import { Nullable, oneOf, Type } from '../schema.ts';
import { areaId, areaOfCountry, areaOfRegion } from '../store/gazetteer.ts';
import { type Place, placeTypes, type Store } from '../store/store.ts';

export const placeFields = {
  id: Type.Integer("The gazetteer's identifier of the place."),
  name: Type.String(),
  country: Type.String('ISO 3166-1 alpha-2 code.'),
  admin1: Nullable.String('First-level region; null when unknown.'),
  lat: Type.Number('Latitude in degrees, WGS84.'),
  lng: Type.Number('Longitude in degrees, WGS84.'),
};

export const placeFacts = {
  population: Type.Integer('Inhabitants; 0 when unknown.'),
  type: oneOf(placeTypes, 'Kind of place by size and rank (rule: /docs/places).'),
};

export const distanceField = {
  distance_km: Type.Number('Great-circle distance from the given point.'),
};

/** Name of a region in a language, null when there is none at the position. */
export const regionName = ({ regions }: Store, position: number, language?: string): string | null =>
  position < 0 ? null : regions.nameIn(position, language);

/** What every place record has; a feature has no type. */
export function placeRecord(store: Store, place: Place, language?: string) {
  return {
    id: place.id,
    name: store.places.nameIn(place.index, language),
    country: place.country,
    admin1: regionName(store, place.admin1, language),
    lat: roundCoordinate(place.lat),
    lng: roundCoordinate(place.lng),
    population: place.population,
    type: place.type!,
  };
}

const layers = ['country', 'region', 'subregion', 'place', 'suburb', 'street'] as const;

export const hierarchyField = {
  hierarchy: Type.Array(
    Type.Object({
      layer: oneOf(layers, 'Layer of the entry.'),
      id: Nullable.Integer('Identifier for /place/{id}; null for a country without places.'),
      code: Nullable.String(
        'ISO 3166-1 alpha-2 code of a country, ISO 3166-2 code of a region, or else the concatenated codes of the source (`DE.02.091`).',
      ),
      name: Type.String(),
    }),
    { description: 'From the country down to the place itself.' },
  ),
};

/** Region positions, -1 for none. */
export type Within = Pick<Place, 'country' | 'admin1' | 'admin2'>;
type HierarchyEntry = { layer: (typeof layers)[number]; id: number | null; code: string | null; name: string };

/** The country and regions that hold something, by region positions (-1 for none), and then places from the larger to the smaller. */
export function hierarchyOf(
  store: Store,
  within: Within,
  settlements: readonly Pick<Place, 'id' | 'index'>[],
  lang?: string,
): HierarchyEntry[] {
  const { regions, places, gazetteer, countries } = store;
  const { country, admin1, admin2 } = within;
  const number = gazetteer.countryNumber(country);
  const entries: HierarchyEntry[] = [];
  if (country !== '') {
    const id = number === undefined ? null : areaId(areaOfCountry(number));
    entries.push({ layer: 'country', id, code: country, name: countries.nameIn(country, lang) });
  }
  const add = (layer: 'region' | 'subregion', position: number) => {
    const name = regionName(store, position, lang);
    if (name === null) return;
    entries.push({ layer, id: areaId(areaOfRegion(position)), code: regionCode(store, position), name });
  };
  add('region', admin1);
  // A region from the boundaries may differ from the place's own, and then does not have its subregion.
  if (admin2 >= 0 && regions.get(admin2).parent === admin1) add('subregion', admin2);
  for (const [at, { id, index }] of settlements.entries())
    entries.push({ layer: at === 0 ? 'place' : 'suburb', id, code: null, name: places.nameIn(index, lang) });
  return entries;
}

function regionCode({ regions }: Store, position: number): string {
  const { country, isoCode, sourceCode, parent } = regions.get(position);
  if (isoCode !== null) return isoCode;
  return parent < 0 ? `${country}.${sourceCode}` : `${country}.${regions.get(parent).sourceCode}.${sourceCode}`;
}
