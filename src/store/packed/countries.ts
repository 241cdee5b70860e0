import { join } from 'node:path';
import { firstPast } from '../../core/columns.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { fold } from '../../text/fold.ts';
import type { Countries, Country, Region, Regions } from '../store.ts';
import { openStrings, readPack } from './pack-file.ts';
import { nameOrLocal } from './place-languages.ts';

/** Name of the countries' file inside a dataset. */
export const countriesFile = 'countries.pack';

/** Half of the languages whose names are cached. */
const languagesInMemory = 32;

/** Languages in which a country's names are listed. */
const listedLanguages = [
  'ar bg bn ca cs da de el es et eu fa fi fr he hi hr hu hy id is it ja ka kk ko lt lv ms nl no pl pt ro ru sk sl sq sr sv',
  'sw ta te th tr uk ur uz vi zh zh-hant',
].flatMap((line) => line.split(' '));

/** Opens the countries of a dataset. Throws when the file is absent or not a pack. */
export function openCountries(directory: string): Countries {
  const { countries } = readPack(join(directory, countriesFile)).meta as { countries: Country[] };
  const sorted = countries
    .map((country) => ({ country: Object.freeze(country), folded: fold(country.name) }))
    .sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.country.iso2 < b.country.iso2 ? -1 : 1))
    .map(({ country }) => country);
  const byCode = new Map(sorted.map((country) => [country.iso2, country]));
  const namesByLanguage = new RecentCache<string, Map<string, string>>(languagesInMemory);

  return {
    assigned: Object.freeze(sorted.filter(({ isAssigned }) => isAssigned)),
    get: (iso2) => byCode.get(iso2),
    nameIn(iso2, language) {
      const main = byCode.get(iso2)?.name ?? iso2;
      if (language === undefined || /^en\b/i.test(language)) return main;
      const key = language.toLowerCase();
      return namesByLanguage.getOrInsertComputed(key, () => namesIn(language, sorted)).get(iso2) ?? main;
    },
    namesOf(iso2) {
      return Object.fromEntries(
        listedLanguages.flatMap((language) => {
          const name = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(iso2);
          return name ? [[language, name]] : [];
        }),
      );
    },
  };
}

/** Country names of the runtime's CLDR data in a language; empty for an unknown language. */
function namesIn(language: string, countries: readonly Country[]): Map<string, string> {
  const names = new Map<string, string>();
  let display: Intl.DisplayNames;
  try {
    if (Intl.DisplayNames.supportedLocalesOf(language).length === 0) return names;
    display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  } catch (error) {
    if (error instanceof RangeError) return names; // not a language tag
    throw error;
  }
  for (const { iso2 } of countries) {
    const name = display.of(iso2);
    if (name) names.set(iso2, name);
  }
  return names;
}

/** Name of the regions' file inside a dataset. */
export const regionsFile = 'regions.pack';

/** Marks a missing string in a column of string positions. */
export const noString = 0xffffffff;

/** An alpha-2 code as a number that keeps its order. */
export const packCountry = (iso2: string): number => (iso2.charCodeAt(0) << 8) | iso2.charCodeAt(1);

/** Half of the countries whose names and codes are cached for `matching`. */
const countriesInMemory = 16;

const unpackCountry = (packed: number): string => String.fromCharCode(packed >> 8, packed & 0xff);

/**
 * Opens the regions of a dataset: 24 bytes and the texts of each in memory; records are created on first use and
 * cached. Throws when the file is absent or not a pack.
 */
export function openRegions(directory: string): Regions {
  const pack = readPack(join(directory, regionsFile));
  const { languages } = pack.meta as { languages: string[] };
  const strings = openStrings(pack, 'string');
  const { country, name, parent } = pack.columns({ country: 'u16', name: 'u32', parent: 'i32' });
  const { sourceCode, isoCode } = pack.columns({ sourceCode: 'u32', isoCode: 'u32' });
  const { nameLanguages, nameTexts } = pack.columns({ nameLanguages: 'u8', nameTexts: 'u32' });
  const nameEnds = pack.ends('nameEnds', nameTexts.length);
  const size = country.length;
  const level1Size = isoCode.length;

  const records: (Region | undefined)[] = new Array(size);
  function get(index: number): Region {
    if (!(index >= 0 && index < size)) throw new RangeError(`region ${index} of ${size}`);
    return (records[index] ??= Object.freeze({
      index,
      level: index < level1Size ? 1 : 2,
      country: unpackCountry(country[index]),
      name: strings.at(name[index]),
      isoCode: index < level1Size && isoCode[index] !== noString ? strings.at(isoCode[index]) : null,
      sourceCode: strings.at(sourceCode[index]),
      parent: parent[index],
    }));
  }

  const byIso = new Map<string, number>();
  const byCode = new Map<string, number>();
  for (let index = 0; index < level1Size; index++) {
    const region = get(index);
    if (region.isoCode !== null) byIso.set(region.isoCode, index);
    byCode.set(`${region.country}.${region.sourceCode}`, index);
  }
  // Only a build looks up second-level codes, so their index is created on first use.
  let subregions: Map<string, number> | undefined;
  function subregionsByCode(): Map<string, number> {
    if (subregions) return subregions;
    subregions = new Map();
    for (let index = level1Size; index < size; index++) {
      subregions.set(`${parent[index]}.${strings.at(sourceCode[index])}`, index);
    }
    return subregions;
  }

  /** First and end position of a country's regions of a level. */
  function range(iso2: string, level: 1 | 2): [number, number] {
    const code = packCountry(iso2);
    const [from, to] = level === 1 ? [0, level1Size] : [level1Size, size];
    const firstOf = (wanted: number) => firstPast(from, to, (at) => country[at] >= wanted);
    return [firstOf(code), firstOf(code + 1)];
  }

  /** Positions in the names' columns of a region's names. */
  const rangeOfNames = (index: number) => [index === 0 ? 0 : nameEnds[index - 1], nameEnds[index]];

  const folded: (readonly string[] | undefined)[] = new Array(level1Size);
  function foldedNames(index: number): readonly string[] {
    if (folded[index]) return folded[index];
    const names = new Set([fold(strings.at(name[index]))]);
    const [from, to] = rangeOfNames(index);
    for (let position = from; position < to; position++) names.add(fold(strings.at(nameTexts[position])));
    names.delete('');
    return (folded[index] = Object.freeze([...names]));
  }

  const texts = new RecentCache<string, Map<string, number[]>>(countriesInMemory);
  function textsOf(iso2: string): Map<string, number[]> {
    const made = new Map<string, number[]>();
    const [from, to] = range(iso2, 1);
    const positions = Array.from({ length: to - from }, (_, offset) => from + offset);
    const addCodes = (codeOf: (region: Region) => string | undefined) => {
      const codes = new Set<string>();
      for (const index of positions) {
        const code = codeOf(get(index));
        if (code !== undefined && !made.has(fold(code))) codes.add(code);
      }
      for (const index of positions) {
        const code = codeOf(get(index));
        if (code !== undefined && codes.has(code)) addText(made, fold(code), index);
      }
    };
    for (const index of positions) for (const text of foldedNames(index)) addText(made, text, index);
    // ISO's codes take precedence over the source's: "13" in Japan is Tokyo (JP-13), not GeoNames' 13.
    addCodes(({ isoCode }) => isoCode ?? undefined);
    addCodes(({ isoCode }) => isoCode?.slice(3));
    addCodes(({ sourceCode }) => sourceCode);
    return made;
  }

  return {
    size,
    get,
    countryOf: (index) => unpackCountry(country[index]),
    parentOf: (index) => parent[index],
    find(iso2, admin1Code, admin2Code) {
      const level1 = byCode.get(`${iso2}.${admin1Code}`) ?? -1;
      if (admin2Code === undefined || level1 < 0) return level1;
      return subregionsByCode().get(`${level1}.${admin2Code}`) ?? -1;
    },
    byIsoCode: (code) => byIso.get(code) ?? -1,
    list(iso2, level, within) {
      const [from, to] = range(iso2, level);
      const found: Region[] = [];
      for (let index = from; index < to; index++) {
        if (within === undefined || parent[index] === within) found.push(get(index));
      }
      return found;
    },
    matching: (iso2, text) => {
      if (!hasRegions(range(iso2, 1))) return [];
      return texts.getOrInsertComputed(iso2, () => textsOf(iso2)).get(fold(text)) ?? [];
    },
    foldedNames,
    namesOf(index) {
      const names: Record<string, string> = {};
      const [from, to] = rangeOfNames(index);
      for (let position = from; position < to; position++) {
        const language = languages[nameLanguages[position]];
        if (language !== 'und') names[language] ??= strings.at(nameTexts[position]);
      }
      return names;
    },
    nameIn(index, language) {
      // The main names are the English ones of GeoNames and /admin; a second English name would only confuse.
      if (language === undefined || /^en\b/i.test(language)) return get(index).name;
      const [from, to] = rangeOfNames(index);
      const find = (tag: string) => {
        for (let position = from; position < to; position++)
          if (languages[nameLanguages[position]] === tag) return strings.at(nameTexts[position]);
        return undefined;
      };
      return nameOrLocal(language, unpackCountry(country[index]), find) ?? strings.at(name[index]);
    },
  };
}

const hasRegions = ([from, to]: [number, number]) => to > from;

function addText(texts: Map<string, number[]>, text: string, index: number): void {
  const indices = texts.getOrInsertComputed(text, () => []);
  if (!indices.includes(index)) indices.push(index);
}
