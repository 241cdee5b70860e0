import { join } from 'node:path';
import { firstPast } from '../../core/columns.ts';
import { type BoundingBox, isWithin } from '../../core/geo.ts';
import { buildSphereIndex, type SphereIndex, sphereIndex } from '../../core/sphere-index.ts';
import { fold } from '../../text/fold.ts';
import {
  type AreaFacts,
  areaOfRegion,
  type Gazetteer,
  isCountryArea,
  regionOfArea,
  type WordUse,
} from '../gazetteer.ts';
import type { Countries, Places, Regions } from '../store.ts';
import { openAreaPlaces } from './boundaries.ts';
import { type NameIndex, openNames } from './names/name-index.ts';
import { postingRanks } from './names/postings.ts';
import { type Pack, readPack, writePack } from './pack-file.ts';
import { type PlaceColumns, placeAt, placeNamesFile, readPlaceColumns, unnamedPlaceAt } from './place-columns.ts';
import { mainLanguage, openPlaceLanguages } from './place-languages.ts';

/** Share of places that count as prominent. */
const prominentShare = 0.05;
/**
 * A country with at most this many places has an index of its own. In that of all places a search for the 24 nearest of a
 * country which has 20 looked at every place on Earth: 25 ms.
 */
const maxOfOwnIndex = 1_000;

/** Opens the places of a dataset and their indexes of names. Throws when a file is absent or not a pack. */
export function openPlaces(
  directory: string,
  regions: Regions,
  countries: Countries,
): { places: Places; gazetteer: Gazetteer } {
  const pack = readPack(join(directory, placeNamesFile));
  const columns = readPlaceColumns(directory);
  const { table } = columns;
  const boxOf = featureBoxesOf(columns);
  const names = openIndex(pack, 'name');
  const areaNames = openIndex(pack, 'area');
  const areas = pack.column('areas', 'u32');
  const postings = postingRanks(pack.column('ranks', 'u32'));
  const countryNumbers = new Map(columns.countries.map((code, number) => [code, number]));
  const areaCount = areaOfRegion(regions.size);
  const { areaPopulation, areaPlaces, areaPlaceEnds } = openAreaPlaces(columns.pack);

  const nameOfArea = (area: number, language?: string) =>
    isCountryArea(area)
      ? countries.nameIn(columns.countries[area] ?? '', language)
      : regions.nameIn(regionOfArea(area), language);

  /** Made on first use: a search compares hundreds of areas. */
  const areaFacts: (AreaFacts | undefined)[] = new Array(areaCount);
  const factsOfArea = (area: number): AreaFacts => {
    const population = areaPopulation[area];
    if (isCountryArea(area)) return { country: area, admin1: -1, admin2: -1, population };
    const region = regionOfArea(area);
    const country = countryNumbers.get(regions.countryOf(region)) ?? -1;
    const parent = regions.parentOf(region);
    const [admin1, admin2] = parent < 0 ? [region, -1] : [parent, region];
    return { country, admin1, admin2, population };
  };

  const gazetteer: Gazetteer = {
    facts: table,
    placeNames: names,
    areaNames,
    countryNumber: (iso2) => countryNumbers.get(iso2),
    countryCode: (number) => columns.countries[number],
    visitPlaces(range, country, visit) {
      const each = (rank: number, posting: number) => visit(postings.place(rank), postings.kind(rank), posting);
      if (country === undefined) names.visit(range, each);
      else names.visitGroup(country, range, each);
    },
    visitAreas(range, visit) {
      const { length } = areas;
      areaNames.visit(range, (value, posting) => visit(areas[value % length], value >= length, posting));
    },
    areasNamed(range, most) {
      const named: number[] = [];
      for (const value of areaNames.values(range, most)) named.push(areas[value % areas.length]);
      return named;
    },
    areaCount,
    areaFacts: (area) => (areaFacts[area] ??= factsOfArea(area)),
    placesOfArea: (area) => areaPlaces.subarray(area === 0 ? 0 : areaPlaceEnds[area - 1], areaPlaceEnds[area]),
    capitalOf(area) {
      const country = columns.countries[area];
      const capital = countries.get(country)?.capital;
      return capital == null ? undefined : places.named(capital, country)[0];
    },
    nearest: (lat, lng, limit) => places.nearest({ lat, lng }, { limit }).map(({ index }) => index),
    wordUse: openWordUse(directory),
    boxOf,
    nameOf: (index, language) => places.nameIn(index, language),
    nameOfArea,
    ownNameOfArea(area) {
      if (isCountryArea(area)) return nameOfArea(area);
      const region = regions.get(regionOfArea(area));
      return region.level === 2 ? region.name : regions.nameIn(region.index, mainLanguage(region.country));
    },
  };

  const places = placesOf(directory, columns, boxOf, (name, country) => {
    const found: number[] = [];
    names.visitGroup(country, names.exact(fold(name)), (rank) => found.push(postings.place(rank)) > 0);
    return found;
  });
  return { places, gazetteer };
}

/** `named` returns the places and features of a country, by its number, that have a name. */
function placesOf(
  directory: string,
  columns: PlaceColumns,
  boxOf: Gazetteer['boxOf'],
  named: (name: string, country: number) => number[],
): Places {
  const { table, placeCount, spherePoints, sphereVectors, sphereCountries } = columns;
  const languages = openPlaceLanguages(directory);
  const idOf = (index: number) => table.id(index);
  const countryOf = (index: number) => columns.countries[table.country(index)];
  const sphere = sphereIndex({ points: spherePoints, vectors: sphereVectors }, idOf);
  // Made on first use: an index of all places would make a search scan twenty times as many.
  let prominent: SphereIndex | undefined;
  const countryNumbers = new Map(columns.countries.map((code, number) => [code, number]));
  /** By country, the index of its places; made on first use, and only for those with few. */
  const spheresOfCountries: SphereIndex[] = [];
  const startOf = (number: number) => (number === 0 ? 0 : columns.countryEnds[number - 1]);
  const positionOf = (index: number) => ({ lat: table.lat(index) / 1e6, lng: table.lng(index) / 1e6 });
  const sphereOf = (number: number) => {
    const own = columns.byCountry.subarray(startOf(number), columns.countryEnds[number]);
    const { points, vectors } = buildSphereIndex(own.length, (at) => positionOf(own[at]));
    return sphereIndex({ points: points.map((at) => own[at]), vectors }, idOf);
  };
  return {
    size: placeCount,
    get: (index) => placeAt(columns, index),
    unnamed: (index) => unnamedPlaceAt(columns, index),
    idOf,
    countryOf,
    sourceOf: (index) => columns.sources[table.source(index)],
    nameIn: (index, language) =>
      (language === undefined
        ? undefined
        : languages.nameIn(index, language, index < placeCount ? undefined : countryOf(index))) ??
      columns.names.at(table.name(index)),
    namesOf: languages.namesOf,
    byId(id) {
      const at = firstPast(0, table.size, (at) => table.id(columns.byId[at]) >= id);
      return at < table.size && table.id(columns.byId[at]) === id ? columns.byId[at] : -1;
    },
    nearest(from, { limit = 1, maxKm, country, accept }) {
      if (country === undefined) return sphere.nearest(from, limit, maxKm, accept);
      const number = countryNumbers.get(country);
      if (number !== undefined && columns.countryEnds[number] - startOf(number) <= maxOfOwnIndex) {
        return (spheresOfCountries[number] ??= sphereOf(number)).nearest(from, limit, maxKm, accept);
      }
      const isWithin = (index: number, at: number) => sphereCountries[at] === number && (accept?.(index) ?? true);
      return sphere.nearest(from, limit, maxKm, isWithin);
    },
    nearestProminent(from, { limit, maxKm, country, accept }) {
      prominent ??= sphereIndex(buildSphereIndex(Math.ceil(placeCount * prominentShare), positionOf), idOf);
      if (country === undefined) return prominent.nearest(from, limit, maxKm, accept);
      const number = countryNumbers.get(country);
      const isWithin = (index: number) => table.country(index) === number && (accept?.(index) ?? true);
      return prominent.nearest(from, limit, maxKm, isWithin);
    },
    ...featuresOf(columns, boxOf),
    ofCountry(country, { admin1, minPopulation = 0, maxPopulation = Number.POSITIVE_INFINITY, bbox, limit }) {
      const number = countryNumbers.get(country);
      if (number === undefined) return [];
      const found: number[] = [];
      const end = columns.countryEnds[number];
      for (let at = startOf(number); at < end && found.length < limit; at++) {
        const index = columns.byCountry[at];
        const population = table.population(index);
        if (population < minPopulation) break;
        if (population > maxPopulation || (admin1 && !admin1.includes(table.admin1(index)))) continue;
        if (!bbox || isWithin(table.lat(index) / 1e6, table.lng(index) / 1e6, bbox)) found.push(index);
      }
      return found;
    },
    named(name, country) {
      const number = countryNumbers.get(country);
      if (number === undefined) return [];
      return named(name, number)
        .filter((index) => index < placeCount)
        .sort((left, right) => left - right);
    },
  };
}

function featureBoxesOf({ placeCount, featureBoxes }: PlaceColumns): Gazetteer['boxOf'] {
  return (index) => {
    const at = (index - placeCount) * 4;
    if (at < 0 || featureBoxes[at + 1] === featureBoxes[at + 3]) return undefined;
    return [featureBoxes[at] / 1e6, featureBoxes[at + 1] / 1e6, featureBoxes[at + 2] / 1e6, featureBoxes[at + 3] / 1e6];
  };
}

/** What only features have. */
function featuresOf(
  columns: PlaceColumns,
  boxOf: Gazetteer['boxOf'],
): Pick<Places, 'featureFacts' | 'nearestFeatures' | 'featuresAround'> {
  const { table, placeCount, kinds, featureKinds, featurePoints, featureVectors } = columns;
  const points = featurePoints.map((at) => placeCount + at);
  const sphere = sphereIndex({ points, vectors: featureVectors }, (index) => table.id(index));
  return {
    featureFacts(index) {
      const at = index - placeCount;
      return at < 0 ? undefined : { ...kinds[featureKinds[at]], bbox: boxOf(index) };
    },
    nearestFeatures: (from, { limit, maxKm, accept }) => sphere.nearest(from, limit, maxKm, accept),
    featuresAround({ lat, lng }) {
      const found: { index: number; size: number }[] = [];
      for (let index = placeCount; index < table.size; index++) {
        const box = boxOf(index);
        if (box && isWithin(lat, lng, box)) found.push({ index, size: sizeOf(box) });
      }
      return found
        .sort((left, right) => left.size - right.size || table.id(left.index) - table.id(right.index))
        .map(({ index }) => index);
    },
  };
}

/** Degrees of width times degrees of height. */
const sizeOf = ([west, south, east, north]: BoundingBox) => (east - west + (east < west ? 360 : 0)) * (north - south);

function openIndex(pack: Pack, prefix: string): NameIndex {
  const types = { units: 'u16', slots: 'u32', postings: 'u32', groupOrder: 'u32' } as const;
  const columns = pack.columns({ ...types, minima: 'u32', groupMinima: 'u32' }, `${prefix}.`);
  return openNames({
    ...columns,
    textEnds: pack.ends(`${prefix}.textEnds`, columns.units.length),
    postingEnds: pack.ends(`${prefix}.postingEnds`, columns.postings.length),
    groupEnds: pack.ends(`${prefix}.groupEnds`, columns.groupOrder.length),
  });
}

// How common words are, whether they are names of places or not: a table from hashes of folded words.

/** Name of the file inside a dataset. */
export const wordUseFile = 'word-use.pack';

const givenNameBit = 0x80;
const maxCommonness = 0x7f;
/** Of 300,000 even hashes one in five thousand lies farther from where its value says. */
const maxAway = 1024;

/** Writes the table. Words are folded; `commonness` is in [0, 1]. */
export function writeWordUse(directory: string, words: ReadonlyMap<string, WordUse>): void {
  const byHash = new Map<number, number>();
  for (const [word, { commonness, isGivenName }] of words) {
    const value = Math.round(commonness * maxCommonness) | (isGivenName ? givenNameBit : 0);
    const hash = hashOf(word);
    byHash.set(hash, Math.max(byHash.get(hash) ?? 0, value));
  }
  const hashes = Uint32Array.from(byHash.keys()).sort();
  const uses = Uint8Array.from(hashes, (hash) => byHash.get(hash)!);
  writePack(join(directory, wordUseFile), null, { hashes, uses });
}

/**
 * Opens the table: the use of a folded word, undefined for one that is not listed. Of other words one in ten thousand is
 * taken for a listed one.
 */
function openWordUse(directory: string): (word: string) => WordUse | undefined {
  const pack = readPack(join(directory, wordUseFile));
  const { hashes, uses } = pack.columns({ hashes: 'u32', uses: 'u8' });
  return (word) => {
    const hash = hashOf(word);
    const { length } = hashes;
    // Hashes are spread evenly, so that one is near where its value says: a search of all would read from cold memory.
    const guess = Math.floor((hash / 2 ** 32) * length);
    const [low, high] = [Math.max(0, guess - maxAway), Math.min(length, guess + maxAway)];
    const isNear = !(hashes[low] > hash) && !(hashes[high - 1] < hash);
    const at = firstPast(isNear ? low : 0, isNear ? high : length, (each) => hashes[each] >= hash);
    if (hashes[at] !== hash) return undefined;
    return { commonness: (uses[at] & maxCommonness) / maxCommonness, isGivenName: (uses[at] & givenNameBit) !== 0 };
  };
}

/** FNV-1a over UTF-16 units, its bits mixed once more. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
