import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallWorld } from './small-world.ts';

test('a country record takes each field from the table', async (t) => {
  const { store } = await smallWorld(t);
  assert.deepEqual(store.countries.get('DE'), {
    iso2: 'DE',
    iso3: 'DEU',
    name: 'Germany',
    capital: 'Berlin',
    currency: 'EUR',
    currencySymbol: '€',
    phoneCode: '+49',
    languages: ['German'],
    continent: 'Europe',
    flag: '🇩🇪',
    timezone: 'Europe/Berlin',
    region: 'Western Europe',
    isEu: true,
    population: 84_000_000,
    isAssigned: true,
  });
});

test('missing values are null, never an empty string', async (t) => {
  const { store } = await smallWorld(t);
  const iceland = store.countries.get('IS');
  assert.deepEqual(
    [iceland?.capital, iceland?.currency, iceland?.currencySymbol, iceland?.timezone],
    [null, null, null, null],
  );
});

test('Kosovo can be looked up but is not an assigned country', async (t) => {
  const { store, report } = await smallWorld(t);
  assert.equal(store.countries.get('XK')?.isAssigned, false);
  assert.equal(store.countries.get('XK')?.phoneCode, '+383');
  assert.deepEqual(
    store.countries.assigned.map(({ iso2 }) => iso2),
    ['AG', 'DE', 'IS'],
  );
  const { countries, unassignedCountries } = report.records;
  assert.deepEqual({ countries, unassignedCountries }, { countries: 3, unassignedCountries: 1 });
});

test("a user's countryInfo.txt replaces the populations and nothing else", async (t) => {
  const row = [
    'DE',
    'DEU',
    '276',
    'GM',
    'Germany',
    'Bonn',
    '357021',
    '82927922',
    'EU',
    '.de',
    'DEM',
    'Mark',
    '49',
    '',
    '',
    'de',
    '1',
    '',
    '',
  ];
  const { store } = await smallWorld(t, { 'geonames-countries': `# comment\n${row.join('\t')}\n` });
  const germany = store.countries.get('DE');
  assert.deepEqual([germany?.population, germany?.capital, germany?.currency], [82927922, 'Berlin', 'EUR']);
  assert.equal(store.countries.get('AG')?.population, 100_000);
});

test('a file that is not countryInfo.txt is refused with line and remedy', async (t) => {
  await assert.rejects(
    smallWorld(t, { 'geonames-countries': 'iso2,name\nDE,Germany\n' }),
    /line 1: 1 columns .* use the unchanged dump file/,
  );
});

test('names are in the requested language, in English where that is unknown', async (t) => {
  const { countries } = (await smallWorld(t)).store;
  assert.equal(countries.nameIn('DE', 'fr'), 'Allemagne');
  assert.equal(countries.nameIn('DE', 'ja-JP'), 'ドイツ');
  assert.equal(countries.nameIn('DE', 'en-GB'), 'Germany');
  for (const unknown of ['', 'xx-invalid-!!', 'tlh', '日本語'])
    assert.equal(countries.nameIn('DE', unknown), 'Germany');
});

test('names stay right when more languages are requested than are kept', async (t) => {
  const { countries } = (await smallWorld(t)).store;
  const regions = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((one) => [...'ABCDEFG'].map((two) => one + two));
  for (const code of regions) countries.nameIn('DE', `de-${code}`);
  assert.equal(countries.nameIn('DE', 'fr'), 'Allemagne');
  assert.equal(countries.nameIn('AG', 'de-AA'), 'Antigua und Barbuda');
});
