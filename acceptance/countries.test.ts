/** The countries and regions of the default dataset against lists written down from ISO, the EU and national sources. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import type { Country } from '../src/store/store.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { regionCounts, regionFacts, shortCodes } from './region-facts.ts';

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const { countries, regions } = skip ? {} : openDataset(directory!, { layers: ['world'] });

test('249 countries, no code twice, in the order of names', { skip }, () => {
  const { assigned } = countries!;
  assert.equal(assigned.length, 249);
  for (const field of ['iso2', 'iso3', 'name', 'flag'] as const) {
    assert.equal(new Set(assigned.map((country) => country[field])).size, 249, field);
  }
  assert.deepEqual(
    [assigned[0].name, assigned[1].name, assigned[248].name],
    ['Afghanistan', 'Åland Islands', 'Zimbabwe'],
  );
});

test('every field of every country is filled, but for these', { skip }, () => {
  const empty = countries!.assigned.flatMap((country) =>
    (Object.keys(country) as (keyof Country)[])
      .filter(
        (field) => country[field] === null || country[field] === '' || (country[field] as unknown[])?.length === 0,
      )
      .map((field) => `${country.iso2} ${field}`),
  );
  assert.deepEqual(empty.sort(), [
    // Antarctica has no government, hence no currency and no official language.
    'AQ capital',
    'AQ currency',
    'AQ currencySymbol',
    'AQ languages',
    // Bouvet, Heard and the US outlying islands have no settlement that is a capital.
    'BV capital',
    'HM capital',
    'UM capital',
  ]);
});

test('fields have their forms', { skip }, () => {
  const zones = new Set(Intl.supportedValuesOf('timeZone'));
  for (const country of countries!.assigned) {
    const { iso2, iso3, flag, phoneCode, currency, timezone, population, languages } = country;
    assert.match(iso2, /^[A-Z]{2}$/);
    assert.match(iso3, /^[A-Z]{3}$/, iso2);
    assert.equal([...flag].map((symbol) => String.fromCharCode(symbol.codePointAt(0)! - 0x1f1e6 + 65)).join(''), iso2);
    assert.match(phoneCode ?? '', /^\+(1-\d{3}|[1-9]\d{0,2})$/, iso2);
    assert.match(currency ?? 'NIL', /^[A-Z]{3}$/, iso2);
    const canonical = new Intl.DateTimeFormat('en', { timeZone: timezone! }).resolvedOptions().timeZone;
    assert.ok(zones.has(canonical) || /^(Etc|Antarctica)\//.test(timezone!), `${iso2} ${timezone}`);
    assert.ok(Number.isInteger(population) && population! >= 0, iso2);
    assert.equal(new Set(languages).size, languages.length, iso2);
  }
});

test('the 27 members of the European Union', { skip }, () => {
  const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
  const found = countries!.assigned.filter(({ isEu }) => isEu).map(({ iso2 }) => iso2);
  assert.equal(found.sort().join(' '), members);
});

test('well-known countries', { skip }, () => {
  const rows = `
    AE|United Arab Emirates|Abu Dhabi|AED|د.إ.|+971|Arabic|Asia|Asia/Dubai|Western Asia
    AU|Australia|Canberra|AUD|$|+61|English|Oceania|Australia/Sydney|Australasia
    BR|Brazil|Brasília|BRL|R$|+55|Portuguese|South America|America/Sao_Paulo|South America
    CH|Switzerland|Bern|CHF|CHF|+41|German,French,Italian,Romansh|Europe|Europe/Zurich|Western Europe
    CI|Côte d'Ivoire|Yamoussoukro|XOF|F CFA|+225|French|Africa|Africa/Abidjan|Western Africa
    CZ|Czechia|Prague|CZK|Kč|+420|Czech|Europe|Europe/Prague|Eastern Europe
    DO|Dominican Republic|Santo Domingo|DOP|$|+1-809|Spanish|North America|America/Santo_Domingo|Caribbean
    GB|United Kingdom|London|GBP|£|+44|English|Europe|Europe/London|Northern Europe
    HK|Hong Kong|Hong Kong|HKD|$|+852|Chinese,English|Asia|Asia/Hong_Kong|Eastern Asia
    HR|Croatia|Zagreb|EUR|€|+385|Croatian|Europe|Europe/Zagreb|Southern Europe
    IN|India|New Delhi|INR|₹|+91|Hindi,English|Asia|Asia/Kolkata|Southern Asia
    JM|Jamaica|Kingston|JMD|$|+1-876|English|North America|America/Jamaica|Caribbean
    JP|Japan|Tokyo|JPY|¥|+81|Japanese|Asia|Asia/Tokyo|Eastern Asia
    KR|South Korea|Seoul|KRW|₩|+82|Korean|Asia|Asia/Seoul|Eastern Asia
    KZ|Kazakhstan|Astana|KZT|₸|+7|Kazakh,Russian|Asia|Asia/Almaty|Central Asia
    PL|Poland|Warsaw|PLN|zł|+48|Polish|Europe|Europe/Warsaw|Eastern Europe
    RU|Russia|Moscow|RUB|₽|+7|Russian|Europe|Europe/Moscow|Eastern Europe
    SJ|Svalbard and Jan Mayen|Longyearbyen|NOK|kr|+47|Norwegian Bokmål,Norwegian Nynorsk|Europe|Arctic/Longyearbyen|Northern Europe
    TR|Türkiye|Ankara|TRY|₺|+90|Turkish|Asia|Europe/Istanbul|Western Asia
    US|United States|Washington, D.C.|USD|$|+1|English|North America|America/New_York|Northern America
    ZA|South Africa|Pretoria|ZAR|R|+27|Zulu,Xhosa,Afrikaans,English,Northern Sotho,Tswana,Southern Sotho,Tsonga,Swati,Venda,South Ndebele|Africa|Africa/Johannesburg|Southern Africa`;
  for (const row of rows.trim().split('\n')) {
    const expected = row.trim();
    const country = countries!.get(expected.slice(0, 2))!;
    const { iso2, name, capital, currency, currencySymbol, phoneCode, languages, continent, timezone, region } =
      country;
    const got = [iso2, name, capital, currency, currencySymbol, phoneCode, languages, continent, timezone, region];
    assert.equal(got.join('|'), expected);
  }
});

test('populations are of this decade', { skip }, () => {
  // United Nations, World Population Prospects 2024, thousands in 2024; CLDR goes by another source.
  const known = {
    CN: 1_419_321,
    DE: 84_552,
    FR: 66_549,
    IN: 1_450_936,
    JP: 123_753,
    US: 345_427,
    NG: 232_679,
    PL: 38_539,
  };
  for (const [iso2, thousands] of Object.entries(known)) {
    const population = countries!.get(iso2)!.population!;
    assert.ok(Math.abs(population / (thousands * 1000) - 1) < 0.06, `${iso2}: ${population}`);
  }
});

test('Kosovo is there for the places that carry it, and only it', { skip }, () => {
  assert.equal(countries!.get('XK')?.isAssigned, false);
  for (const withdrawn of ['AN', 'CS', 'YU', 'DD', 'ZZ', 'EU', 'UK'])
    assert.equal(countries!.get(withdrawn), undefined);
});

test('level-1 regions: their number and all their ISO codes', { skip }, () => {
  for (const [country, codes] of Object.entries(shortCodes)) {
    const found = regions!.list(country, 1).map(({ isoCode }) => isoCode?.slice(3) ?? null);
    assert.deepEqual(found.sort(), codes.split(' ').sort(), country);
  }
  for (const [country, count] of Object.entries(regionCounts)) {
    const list = regions!.list(country, 1);
    assert.equal(list.length, count, country);
    assert.deepEqual(
      list.filter(({ isoCode }) => isoCode === null),
      [],
      country,
    );
  }
});

test('each of these codes is the region of that name', { skip }, () => {
  for (const [isoCode, name] of regionFacts) {
    const index = regions!.byIsoCode(isoCode);
    assert.ok(index >= 0, isoCode);
    assert.equal(regions!.get(index).name, name, isoCode);
  }
});

test('no ISO code is given twice, and a short code means one region of its country', { skip }, () => {
  const seen = new Map<string, string>();
  for (let index = 0; index < regions!.size && regions!.get(index).level === 1; index++) {
    const { country, name, isoCode, sourceCode } = regions!.get(index);
    const code = isoCode ?? `${country}-${sourceCode}`;
    assert.equal(seen.get(code), undefined, `${code}: ${name}`);
    seen.set(code, name);
    assert.equal(code.slice(0, 3), `${country}-`);
  }
  const withIso = [...seen.keys()].filter((code) => regions!.byIsoCode(code) >= 0).length;
  assert.ok(withIso >= 3500, `${withIso} of ${seen.size} regions have an ISO code`);
});

test('second-level regions hang below first-level ones of their country, their codes unique there', { skip }, () => {
  const seen = new Set<string>();
  let count = 0;
  for (let index = 0; index < regions!.size; index++) {
    const region = regions!.get(index);
    assert.equal(region.index, index);
    if (region.level === 1) continue;
    count++;
    const parent = regions!.get(region.parent);
    assert.deepEqual([parent.level, parent.country], [1, region.country]);
    assert.equal(regions!.find(region.country, parent.sourceCode, region.sourceCode), index);
    assert.ok(!seen.has(`${region.parent}.${region.sourceCode}`));
    seen.add(`${region.parent}.${region.sourceCode}`);
  }
  assert.ok(count > 45_000, `${count}`);
  assert.equal(regions!.list('US', 2, regions!.byIsoCode('US-CA')).length, 58, 'counties of California');
  assert.equal(regions!.list('US', 2, regions!.byIsoCode('US-TX')).length, 254, 'counties of Texas');
});

test('people find a region by any usual name or code', { skip }, () => {
  const rows: [country: string, isoCode: string, ...texts: string[]][] = [
    ['DE', 'DE-BY', 'Bavaria', 'Bayern', 'bayern', 'Baviera', 'Бавария', 'BY', 'de-by', '02'],
    ['IT', 'IT-52', 'Tuscany', 'Toscana', 'Toskana', '52'],
    ['US', 'US-CA', 'California', 'Kalifornien', 'カリフォルニア州', '캘리포니아', 'CA', 'us-ca'],
    ['JP', 'JP-13', 'Tokyo', '東京都', 'Tokio', '13'],
    ['FR', 'FR-IDF', 'Île-de-France', 'ile de france', 'IDF', '11'],
    ['ES', 'ES-CT', 'Catalonia', 'Cataluña', 'Catalunya', 'ct'],
    ['CZ', 'CZ-10', 'Prague', 'Praha', 'Prag'],
    ['RU', 'RU-MOW', 'Moscow', 'Москва', 'Moskau'],
    ['RU', 'RU-SPE', 'Saint Petersburg', 'Санкт-Петербург', 'Sankt Petersburg'],
    ['GR', 'GR-I', 'Attica', 'Αττική'],
    ['CN', 'CN-BJ', 'Beijing', '北京市', 'Peking'],
  ];
  for (const [country, isoCode, ...texts] of rows) {
    for (const text of texts) assert.deepEqual(regions!.matching(country, text), [regions!.byIsoCode(isoCode)], text);
  }
});

test('a region does not have the name of its neighbour', { skip }, () => {
  const rows: [country: string, isoCode: string, notItsName: string][] = [
    ['RU', 'RU-MOS', 'Moskva'],
    ['RU', 'RU-MOW', 'Московская область'],
    ['RU', 'RU-ALT', 'アルタイ共和国'],
    ['MA', 'MA-04', 'Oriental'],
    ['IR', 'IR-07', 'Tehran'],
    ['GY', 'GY-EB', 'Mahaica-Berbice'],
    ['VN', 'VN-56', 'Long An'],
  ];
  for (const [country, isoCode, notItsName] of rows) {
    const index = regions!.byIsoCode(isoCode);
    assert.ok(index >= 0, isoCode);
    assert.ok(!regions!.matching(country, notItsName).includes(index), `${isoCode} ${notItsName}`);
  }
});
