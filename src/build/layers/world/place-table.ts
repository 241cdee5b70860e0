/** The table of places and features, and what finds them by identifier, country and position. */
import { placeTypeOf } from '../../../core/place-classification.ts';
import { buildSphereIndex, SphereIndex } from '../../../core/sphere-index.ts';
import { StringTableBuilder } from '../../../core/string-table.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import type { PlacesMeta } from '../../../store/packed/place-columns.ts';
import { type Regions, rowKinds } from '../../../store/store.ts';
import type { RankedFeature } from './features.ts';
import type { RankedPlaces } from './ranked-places.ts';

/** What the builders of names know of all places and features at once. */
export type PlaceColumns = Record<'id' | 'population', Uint32Array> &
  Record<'admin1' | 'admin2', Int32Array> & {
    prominence: Float32Array;
    /** Position in `countries`, which are alpha-2 codes in their order. */
    country: Uint8Array;
    countries: readonly string[];
    /** Places and features in the order of their ids. */
    byId: Uint32Array;
    placeCount: number;
  };

const sourceOfPlaces = 'geonames';

/** Writes the table: places in their order, then features in theirs. */
export function writePlaces(
  path: string,
  places: RankedPlaces,
  features: readonly RankedFeature[],
  regions: Regions,
): PlaceColumns {
  const placeCount = places.size;
  const size = placeCount + features.length;
  const countryNumbers = new Map<string, number>();
  const zoneNumbers = new Map<string, number>();
  const sourceNumbers = new Map([[sourceOfPlaces, 0]]);
  const names = new StringTableBuilder();
  const columns = {
    id: new Uint32Array(size),
    lat: new Int32Array(size),
    lng: new Int32Array(size),
    population: new Uint32Array(size),
    prominence: new Float32Array(size),
    admin1: new Int32Array(size),
    admin2: new Int32Array(size),
    country: new Uint8Array(size),
    timezone: new Uint16Array(size),
    type: new Uint8Array(size),
    source: new Uint8Array(size),
    name: new Uint32Array(size),
  };
  const setCommon = (
    index: number,
    row: { id: number; name: string; prominence: number; lat: number; lng: number },
  ) => {
    columns.id[index] = row.id;
    columns.lat[index] = Math.round(row.lat * 1e6);
    columns.lng[index] = Math.round(row.lng * 1e6);
    columns.prominence[index] = row.prominence;
    columns.name[index] = names.add(row.name);
  };
  let index = 0;
  for (const place of places) {
    setCommon(index, place);
    columns.population[index] = place.population;
    columns.admin1[index] = regions.find(place.country, place.admin1Code);
    columns.admin2[index] =
      place.admin2Code === '' ? -1 : regions.find(place.country, place.admin1Code, place.admin2Code);
    columns.country[index] = numberOf(place.country, countryNumbers);
    columns.timezone[index] = numberOf(place.timezone, zoneNumbers);
    columns.type[index++] = rowKinds.indexOf(placeTypeOf(place.featureCode, place.population));
  }
  const sphere = buildSphereIndex(placeCount, (at) => ({ lat: columns.lat[at] / 1e6, lng: columns.lng[at] / 1e6 }));
  const nearestPlace = new SphereIndex(sphere, (at) => columns.id[at]);
  const placeCountries = [...countryNumbers.keys()];
  const numbersOfPlaces = new Map(countryNumbers);
  for (const feature of features) {
    setCommon(index, feature);
    const number = feature.country === undefined ? undefined : numbersOfPlaces.get(feature.country);
    const accept = number === undefined ? undefined : (at: number) => columns.country[at] === number;
    // In a country without places, or without a country, the rest is taken from the nearest place of any country.
    const [near] = nearestPlace.nearest(feature, 1, undefined, accept);
    const country = feature.country ?? placeCountries[columns.country[near.index]];
    const region = regionOf(regions, country, feature.region);
    const isOfCountry = region >= 0 && regions.get(region).country === country;
    const hasPlaces = number !== undefined || feature.country === undefined;
    columns.admin1[index] = isOfCountry ? region : hasPlaces ? columns.admin1[near.index] : -1;
    columns.admin2[index] = -1;
    columns.country[index] = numberOf(country, countryNumbers);
    columns.timezone[index] = columns.timezone[near.index];
    columns.type[index] = rowKinds.indexOf(feature.layer);
    columns.source[index++] = numberOf(feature.source, sourceNumbers);
  }
  const countries = inOrder(countryNumbers, columns.country);
  const timezones = inOrder(zoneNumbers, columns.timezone);
  const byCountry = numbered(placeCount).sort(
    (left, right) =>
      columns.country[left] - columns.country[right] ||
      columns.population[right] - columns.population[left] ||
      columns.id[left] - columns.id[right],
  );
  const countryEnds = new Uint32Array(countries.length);
  for (let at = 0; at < placeCount; at++) countryEnds[columns.country[at]]++;
  for (let number = 1; number < countries.length; number++) countryEnds[number] += countryEnds[number - 1];
  const byId = numbered(size).sort((left, right) => columns.id[left] - columns.id[right]);
  const { bytes, ends } = names.finish();
  const sources = [...sourceNumbers.keys()];
  writePack(path, { countries, timezones, sources, placeCount } satisfies PlacesMeta, {
    ...columns,
    nameBytes: bytes,
    nameEnds: ends,
    byId,
    byCountry,
    countryEnds,
    spherePoints: sphere.points,
    sphereVectors: sphere.vectors,
  });
  return { ...columns, countries, byId, placeCount };
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
function numberOf(text: string, numbers: Map<string, number>): number {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}

/** The numbered texts in their order; the numbers in the column become positions in it. */
function inOrder(numbers: ReadonlyMap<string, number>, column: Uint8Array | Uint16Array): string[] {
  const texts = [...numbers.keys()].sort();
  const positions = new Uint16Array(texts.length);
  for (const [position, text] of texts.entries()) positions[numbers.get(text)!] = position;
  for (let at = 0; at < column.length; at++) column[at] = positions[column[at]];
  return texts;
}
