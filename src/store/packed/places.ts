import { join } from 'node:path';
import { exactConfidence, rankPoints } from '../../core/ranking.ts';
import { AreaNames } from '../../core/search/area-names.ts';
import { isCountryArea, regionOfArea } from '../../core/search/areas.ts';
import { NameIndex } from '../../core/search/name-index.ts';
import type { NameKind } from '../../core/search/name-keys.ts';
import { searchPlaces } from '../../core/search/place-search.ts';
import { suggestPlaces } from '../../core/search/place-suggest.ts';
import type { SearchIndexes } from '../../core/search/place-table.ts';
import { PostingRanks } from '../../core/search/postings.ts';
import { SphereIndex } from '../../core/sphere-index.ts';
import { fold } from '../../text/fold.ts';
import { type Places, placeTypes, type Regions } from '../store.ts';
import { type Pack, readPack } from './pack-file.ts';
import { placeAt, placeNamesFile, readPlaceColumns } from './place-columns.ts';
import { openPlaceLanguages } from './place-languages.ts';

/** A city name with context resolves to a place from this confidence on. */
const resolvedFrom = 95;
const everything = { type: undefined, near: undefined, isFuzzy: false, limit: 1 };

/** Opens the places of a dataset. Throws when a file is absent or not a pack. */
export function openPlaces(directory: string, regions: Regions): Places {
  const pack = readPack(join(directory, placeNamesFile));
  const { population, prominence, spherePoints, sphereVectors, ...columns } = readPlaceColumns(directory);
  const { table } = columns;
  const names = openIndex(pack, 'name', true);
  const nameInLanguage = openPlaceLanguages(directory);
  const postings = new PostingRanks(prominence, population);
  const sphere = new SphereIndex({ points: spherePoints, vectors: sphereVectors }, (index) => table.id(index));
  const countryNumbers = new Map(columns.countries.map((code, number) => [code, number]));
  const { size } = table;
  const indexes: SearchIndexes = {
    table,
    names,
    postings,
    areas: new AreaNames(pack.column('areas', 'u32'), openIndex(pack, 'area', false)),
    placesOfArea,
    isSubregion: (area) => !isCountryArea(area) && regions.get(regionOfArea(area)).level === 2,
    nearest: (lat, lng, limit) => sphere.nearest({ lat, lng }, limit).map(({ index }) => index),
    nameOf: (index) => columns.names.at(table.name(index)),
  };

  /** Most populous places of an area. */
  function placesOfArea(area: number): number[] {
    const found: number[] = [];
    const isCountry = isCountryArea(area);
    const region = regionOfArea(area);
    const country = isCountry ? area : countryNumbers.get(regions.get(region).country);
    if (country === undefined) return found;
    const from = country === 0 ? 0 : columns.countryEnds[country - 1];
    for (let at = from; at < columns.countryEnds[country] && found.length < 30; at++) {
      const index = columns.byCountry[at];
      if (isCountry || table.admin1(index) === region || table.admin2(index) === region) found.push(index);
    }
    return found;
  }

  /** Places that bear exactly a folded name, in a country where one is given; main names first, then prominence. */
  const bearing = (folded: string, country: number | undefined, visit: (index: number, kind: NameKind) => boolean) => {
    const key = names.find(folded);
    if (key < 0) return;
    const range = { from: key, to: key + 1 };
    const each = (rank: number) => visit(postings.place(rank), postings.kind(rank));
    if (country === undefined) names.visit(range, each);
    else names.visitGroup(country, range, each);
  };

  return {
    size,
    get: (index) => placeAt(columns, index),
    countryOf: (index) => columns.countries[table.country(index)],
    nameIn: (index, language) => nameInLanguage(index, language) ?? columns.names.at(table.name(index)),
    byId(id) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (table.id(columns.byId[middle]) < id) low = middle + 1;
        else high = middle;
      }
      return low < size && table.id(columns.byId[low]) === id ? columns.byId[low] : -1;
    },
    nearest: (from, { limit, maxKm, accept }) => sphere.nearest(from, limit, maxKm, accept),
    ofCountry(country, { admin1, minPopulation = 0, maxPopulation = Number.POSITIVE_INFINITY, limit }) {
      const number = countryNumbers.get(country);
      if (number === undefined) return [];
      const found: number[] = [];
      const end = columns.countryEnds[number];
      for (let at = number === 0 ? 0 : columns.countryEnds[number - 1]; at < end && found.length < limit; at++) {
        const index = columns.byCountry[at];
        const population = table.population(index);
        if (population < minPopulation) break;
        if (population <= maxPopulation && (!admin1 || admin1.includes(table.admin1(index)))) found.push(index);
      }
      return found;
    },
    search(query, { country, near, type, fuzzy, limit }) {
      const number = country === undefined ? undefined : countryNumbers.get(country);
      if (country !== undefined && number === undefined) return [];
      const typeNumber = type === undefined ? undefined : placeTypes.indexOf(type);
      return searchPlaces(indexes, query, { country: number, near, type: typeNumber, isFuzzy: fuzzy, limit });
    },
    suggest(query, { country, limit }) {
      const number = country === undefined ? undefined : countryNumbers.get(country);
      return country !== undefined && number === undefined ? [] : suggestPlaces(indexes, query, number, limit);
    },
    resolve(city, country) {
      const number = country === undefined ? undefined : countryNumbers.get(country);
      if (country !== undefined && number === undefined) return undefined;
      let best = -1;
      let bestScore = Number.NEGATIVE_INFINITY;
      bearing(fold(city), number, (index, kind) => {
        const score = rankPoints(exactConfidence[kind], kind, table.prominence(index), 0);
        if (score > bestScore) [best, bestScore] = [index, score];
        return true;
      });
      if (best >= 0) return placeAt(columns, best);
      const [hit] = searchPlaces(indexes, city, { ...everything, country: number });
      return hit && hit.confidence >= resolvedFrom ? placeAt(columns, hit.index) : undefined;
    },
    countriesNamed(name) {
      const found = new Set<string>();
      const range = indexes.areas.named(fold(name));
      if (!range) return [];
      indexes.areas.visit(range, (area, isShortened) => {
        if (isCountryArea(area) && !isShortened) found.add(columns.countries[area]);
        return !isShortened;
      });
      return [...found];
    },
    named(name, country) {
      const number = countryNumbers.get(country);
      if (number === undefined) return [];
      const found: number[] = [];
      bearing(fold(name), number, (index) => {
        found.push(index);
        return true;
      });
      return found.sort((left, right) => left - right);
    },
  };
}

/** Opens an index; without its groups where nothing is looked for inside one. */
function openIndex(pack: Pack, prefix: string, hasGroups: boolean): NameIndex {
  const none = new Uint32Array(0);
  const text = pack.column(`${prefix}.text`, 'u16');
  const postings = pack.column(`${prefix}.postings`, 'u32');
  const groupKeys = hasGroups ? pack.column(`${prefix}.groupKeys`, 'u32') : none;
  return new NameIndex({
    text,
    textEnds: pack.ends(`${prefix}.textEnds`, text.length),
    postingEnds: pack.ends(`${prefix}.postingEnds`, postings.length),
    postings,
    groupKeys,
    groupPostings: hasGroups ? pack.column(`${prefix}.groupPostings`, 'u32') : none,
    groupEnds: hasGroups ? pack.ends(`${prefix}.groupEnds`, groupKeys.length) : none,
  });
}
