/** The table of places and features, and what finds them by identifier, country and position. */

import { StringTableBuilder } from '../../../core/columns.ts';
import type { LatLng } from '../../../core/geo.ts';
import { placeTypeOf } from '../../../core/place-kinds.ts';
import { buildSphereIndex, type SphereIndex, sphereIndex } from '../../../core/sphere-index.ts';
import type { GeonamesPlace } from '../../../sources/geonames.ts';
import { areaOfRegion } from '../../../store/gazetteer.ts';
import { type AreaPlaces, areaPlacesOf } from '../../../store/packed/boundaries.ts';
import { emptyColumns, writePack } from '../../../store/packed/pack-file.ts';
import {
  type FactColumns,
  factTypes,
  noBox,
  type PlacesMeta,
  placeTable,
} from '../../../store/packed/place-columns.ts';
import { type Regions, rowKinds } from '../../../store/store.ts';
import type { RankedFeature } from './features.ts';

/** What the builders of names know of all places and features at once. */
export type PlaceColumns = FactColumns &
  AreaPlaces & {
    /** Alpha-2 codes by the number of a country. */
    countries: readonly string[];
    /** Places and features in the order of their ids. */
    byId: Uint32Array;
    placeCount: number;
    nameOf(index: number): string;
  };

const sourceOfPlaces = 'geonames';

/**
 * Writes the table: places in their order, then features in theirs. Their time zones are those of the polygons, as
 * `/timezone` answers at their positions; without `zoneAt` those of the sources, which are wrong for some 2% of them.
 */
export function writePlaces(
  path: string,
  places: RankedPlaces,
  features: readonly RankedFeature[],
  regions: Regions,
  zoneAt?: (position: LatLng) => string,
): PlaceColumns {
  const placeCount = places.size;
  const table = tableBuilder(placeCount + features.length, regions, zoneAt);
  for (const place of places) table.addPlace(place);
  const { columns } = table;
  const sphere = buildSphereIndex(placeCount, (at) => ({ lat: columns.lat[at] / 1e6, lng: columns.lng[at] / 1e6 }));
  table.addFeatures(
    features,
    sphereIndex(sphere, (at) => columns.id[at]),
  );
  const { countries, timezones, sources, names } = table.finish();
  const own = featureColumns(features);
  const byId = numbered(columns.id.length).sort((left, right) => columns.id[left] - columns.id[right]);
  const ofCountries = byCountryOf(columns, placeCount, countries.length);
  const ofTable = { table: placeTable(columns), placeCount, byCountry: ofCountries.byCountry };
  const ofAreas = areaPlacesOf(ofTable, areaOfRegion(regions.size));
  writePack(path, { countries, timezones, sources, placeCount, kinds: own.kinds } satisfies PlacesMeta, {
    ...columns,
    nameBytes: names.bytes,
    nameEnds: names.ends,
    byId,
    ...ofCountries,
    ...ofAreas,
    spherePoints: sphere.points,
    sphereVectors: sphere.vectors,
    sphereCountries: Uint8Array.from(sphere.points, (point) => columns.country[point]),
    ...own.columns,
  });
  return { ...columns, ...ofAreas, countries, byId, placeCount, nameOf: (index) => names.at(columns.name[index]) };
}

/** What only features have: their kinds and boxes, and what finds them by position. */
function featureColumns(features: readonly RankedFeature[]) {
  const numbers = new Map([['', 0]]);
  const kinds: PlacesMeta['kinds'] = [{ kind: null, category: null }];
  const featureKinds = Uint8Array.from(features, ({ kind, category = null }) => {
    const number = numberOf(kind ?? '', numbers);
    if (kind) kinds[number] = { kind, category };
    return number;
  });
  const featureBoxes = Int32Array.from(
    features.flatMap(({ bbox }) => bbox?.map((edge) => Math.round(edge * 1e6)) ?? noBox),
  );
  const { points, vectors } = buildSphereIndex(features.length, (at) => features[at]);
  return { kinds, columns: { featureKinds, featureBoxes, featurePoints: points, featureVectors: vectors } };
}

/** The columns of the table, filled row by row. */
function tableBuilder(size: number, regions: Regions, zoneAt?: (position: LatLng) => string) {
  const columns: FactColumns = emptyColumns(factTypes, size);
  const countries = new Map<string, number>();
  const zones = new Map<string, number>();
  const sources = new Map([[sourceOfPlaces, 0]]);
  const names = new StringTableBuilder();
  let rows = 0;

  /** The zone at the position of a row, as it is stored. */
  const zoneOf = (index: number): number | undefined => {
    const zone = zoneAt?.({ lat: columns.lat[index] / 1e6, lng: columns.lng[index] / 1e6 });
    return zone === undefined ? undefined : numberOf(zone, zones);
  };
  const add = (row: Pick<RankedPlace, 'id' | 'name' | 'prominence' | 'lat' | 'lng'>): number => {
    columns.id[rows] = row.id;
    columns.lat[rows] = Math.round(row.lat * 1e6);
    columns.lng[rows] = Math.round(row.lng * 1e6);
    columns.prominence[rows] = row.prominence;
    columns.name[rows] = names.add(row.name);
    return rows++;
  };
  return {
    columns,

    addPlace(place: RankedPlace): void {
      const { country, admin1Code, admin2Code } = place;
      const index = add(place);
      columns.population[index] = place.population;
      columns.admin1[index] = regions.find(country, admin1Code);
      columns.admin2[index] = admin2Code === '' ? -1 : regions.find(country, admin1Code, admin2Code);
      columns.country[index] = numberOf(country, countries);
      columns.timezone[index] = zoneOf(index) ?? numberOf(place.timezone, zones);
      columns.type[index] = rowKinds.indexOf(placeTypeOf(place.featureCode, place.population));
    },

    /** Adds features behind all places, of which the nearest one has what a feature lacks. */
    addFeatures(features: readonly RankedFeature[], nearestPlace: SphereIndex): void {
      const numbersOfPlaces = new Map(countries);
      const placeCountries = [...numbersOfPlaces.keys()];
      for (const feature of features) {
        const index = add(feature);
        const number = feature.country === undefined ? undefined : numbersOfPlaces.get(feature.country);
        const accept = number === undefined ? undefined : (at: number) => columns.country[at] === number;
        // In a country without places, or without a country, the rest is taken from the nearest place of any country.
        const [near] = nearestPlace.nearest(feature, 1, undefined, accept);
        const country = feature.country ?? placeCountries[columns.country[near.index]];
        const region = regionOf(regions, country, feature.region);
        const isOfCountry = region >= 0 && regions.get(region).country === country;
        const hasPlaces = feature.region !== '' && (number !== undefined || feature.country === undefined);
        columns.admin1[index] = isOfCountry ? region : hasPlaces ? columns.admin1[near.index] : -1;
        columns.admin2[index] = -1;
        columns.country[index] = numberOf(country, countries);
        columns.timezone[index] = zoneOf(index) ?? columns.timezone[near.index];
        columns.type[index] = rowKinds.indexOf(feature.layer);
        columns.source[index] = numberOf(feature.source, sources);
      }
    },

    /** Puts countries and time zones in order; returns these, the sources and the names. */
    finish: () => ({
      countries: inOrder(countries, columns.country),
      timezones: inOrder(zones, columns.timezone),
      sources: [...sources.keys()],
      names: names.finish(),
    }),
  };
}

/** The places of each country, the largest first, and where each country's end. */
function byCountryOf(
  { country, population, id }: Pick<PlaceColumns, 'country' | 'population' | 'id'>,
  placeCount: number,
  countries: number,
): Record<'byCountry' | 'countryEnds', Uint32Array<ArrayBuffer>> {
  const byCountry = numbered(placeCount).sort(
    (left, right) => country[left] - country[right] || population[right] - population[left] || id[left] - id[right],
  );
  const countryEnds = new Uint32Array(countries);
  for (let at = 0; at < placeCount; at++) countryEnds[country[at]]++;
  for (let number = 1; number < countries; number++) countryEnds[number] += countryEnds[number - 1];
  return { byCountry, countryEnds };
}

function regionOf(regions: Regions, country: string, code: string | undefined): number {
  if (code === undefined) return -1;
  return code.includes('-') ? regions.byIsoCode(code) : regions.find(country, code);
}

/** How many places each country has, by alpha-2 code. */
export function countryCounts({ country, countries, placeCount }: PlaceColumns): Record<string, number> {
  const counts = new Uint32Array(countries.length);
  for (let at = 0; at < placeCount; at++) counts[country[at]]++;
  return Object.fromEntries(countries.flatMap((code, number) => (counts[number] > 0 ? [[code, counts[number]]] : [])));
}

const numbered = (size: number) => new Uint32Array(size).map((_, at) => at);

/** The number of a text, a new one for a new text. */
const numberOf = (text: string, numbers: Map<string, number>): number => numbers.getOrInsert(text, numbers.size);

/** The numbered texts in their order; the numbers in the column become positions in it. */
function inOrder(numbers: ReadonlyMap<string, number>, column: Uint8Array | Uint16Array): string[] {
  const texts = [...numbers.keys()].sort();
  const positions = new Uint16Array(texts.length);
  for (const [position, text] of texts.entries()) positions[numbers.get(text)!] = position;
  for (let at = 0; at < column.length; at++) column[at] = positions[column[at]];
  return texts;
}

/** A place as the builder ranks it. */
export type RankedPlace = GeonamesPlace & {
  prominence: number;
  /** The alternate names that are known to be in use. */
  knownNames?: readonly string[];
};

/** Places in the order of a dataset, the most prominent first; they may be gone through several times. */
export type RankedPlaces = Iterable<RankedPlace> & { readonly size: number };
