import { join } from 'node:path';
import { RecentCache } from '../../core/recent-cache.ts';
import { fold } from '../../text/fold.ts';
import type { Countries, Country } from '../store.ts';
import { readPack } from './pack-file.ts';

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
      const key = language.toLowerCase();
      if (key === 'en' || key.startsWith('en-')) return main;
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
