/** What people call countries, regions and places besides their names, and names of countries in languages of CLDR. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const { address, search } = endpoints;

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const store = skip ? undefined : openDataset(directory!);

const countries = {
  AE: ['UAE', 'Emirates'],
  CD: ['DRC', 'Congo Kinshasa'],
  CI: ['Ivory Coast', "Côte d'Ivoire", 'Elfenbeinküste'],
  CZ: ['Czech Republic', 'Czechia', 'Tchéquie', 'चेकिया'],
  DE: ['Deutschland', 'Alemania', 'Allemagne', 'Duitsland', 'Yr Almaen', 'ドイツ', 'Германия'],
  GB: ['UK', 'U.K.', 'Great Britain', 'Royaume-Uni', 'المملكة المتحدة', 'Rouantelezh-Unanet'],
  MM: ['Burma', 'Myanmar'],
  NL: ['Holland', 'Pays-Bas', 'Голландия'],
  SZ: ['Swaziland', 'Eswatini'],
  US: ['USA', 'U.S.A.', 'America', 'Estados Unidos', '美国', 'SUA'],
};

test('countries by their names in other languages and by short forms', { skip }, () => {
  for (const [code, names] of Object.entries(countries)) {
    for (const name of names) assert.ok(store!.cities.countriesNamed(name).includes(code), `${name}: ${code}`);
  }
});

test('a country by its letters comes before the airport of that code, and a large airport before a region', {
  skip,
}, () => {
  for (const [q, layer, name] of [
    ['USA', 'country', 'United States'],
    ['UAE', 'country', 'United Arab Emirates'],
    ['KSA', 'country', 'Saudi Arabia'],
    ['NYC', 'place', 'New York City'],
    ['LIMA', 'place', 'Lima'],
    ['ATL', 'airport', 'Hartsfield Jackson Atlanta International Airport'],
    ['LAX', 'airport', 'Los Angeles International Airport'],
    ['LIRA', 'place', 'Lira'],
    ['JFK airport', 'airport', 'John F Kennedy International Airport'],
    ['UAE airport', 'airport', 'Dubai International Airport'],
  ]) {
    const [first] = ask(search, store!, { q }).results as { layer: string; name: string }[];
    assert.deepEqual([first?.layer, first?.name], [layer, name], q);
  }
});

test('countries whose name is longer than any place’s', { skip }, () => {
  for (const [q, code] of [
    ['Géorgie du Sud-et-les Îles Sandwich du Sud', 'GS'],
    ['圣皮埃尔和密克隆群岛', 'PM'],
  ]) {
    const [first] = ask(search, store!, { q }).results as { layer: string; country: string }[];
    assert.deepEqual([first?.layer, first?.country], ['country', code], q);
  }
});

test('countries by their official names, in English and their own languages', { skip }, () => {
  for (const [q, code] of [
    ['Republic of Chile', 'CL'],
    ['Republic of Ghana', 'GH'],
    ['Gabonese Republic', 'GA'],
    ['Federal Republic of Nigeria', 'NG'],
    ['República Federativa do Brasil', 'BR'],
    ['中华人民共和国', 'CN'],
    ['ประเทศไทย', 'TH'],
    ['الإمارات', 'AE'],
    ['Uingereza', 'GB'],
    ['Yhdistynyt kuningaskunta', 'GB'],
  ]) {
    const [first] = ask(search, store!, { q }).results as { layer: string; country: string }[];
    assert.deepEqual([first?.layer, first?.country], ['country', code], q);
  }
});

test('a country by another name comes before its capital', { skip }, () => {
  for (const [q, code] of [
    ['Corée du Sud', 'KR'],
    ['韓国', 'KR'],
    ['Tailandia', 'TH'],
  ]) {
    const [first] = ask(search, store!, { q }).results as { layer: string; country: string }[];
    assert.deepEqual([first?.layer, first?.country], ['country', code], q);
  }
});

test('regions by their short forms', { skip }, () => {
  const regions = {
    'AU-NSW': 'N.S.W.',
    'CA-PE': 'P.E.I.',
    'DE-NW': 'NRW',
    'MX-CMX': 'D.F.',
    'MY-14': 'KL',
    'US-CA': 'Calif.',
    'US-DC': 'D.C.',
    'US-MA': 'Mass.',
    'ZA-KZN': 'KZN',
  };
  for (const [isoCode, name] of Object.entries(regions)) {
    const found = store!.regions.matching(isoCode.slice(0, 2), name).map((index) => store!.regions.get(index).isoCode);
    assert.ok(found.includes(isoCode), `${name} gives ${found}, not ${isoCode}`);
  }
});

test('the code of a region behind its town is not that of a country', { skip }, () => {
  const { coverage } = ask(address, store!, { q: '5 Oak Lane, Springfield, MO 65806' });
  assert.equal((coverage as { country: string }).country, 'US');
});

test('a place and a number that it has not is no street of that name', { skip }, () => {
  for (const [q, name] of [
    ['Barcelona 92', 'Barcelona'],
    ['Treinta y Tres 33', 'Treinta y Tres'],
  ]) {
    const [first] = ask(search, store!, { q }).results as { layer: string; name: string }[];
    assert.deepEqual([first?.layer, first?.name], ['place', name], q);
  }
});

test('places by their short forms', { skip }, () => {
  const places: [string, string, string][] = [
    ['KL', 'MY', 'Kuala Lumpur'],
    ['DF', 'MX', 'Mexico City'],
    ['JHB', 'ZA', 'Johannesburg'],
    ['KCMO', 'US', 'Kansas City'],
  ];
  for (const [name, country, wanted] of places) assert.equal(store!.cities.resolve(name, country)?.name, wanted, name);
});
