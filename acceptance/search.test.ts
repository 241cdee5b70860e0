/** Search over the default dataset: the relevance table, and rules that hold for every query. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { distanceKm } from '../src/core/geo.ts';
import { endpoints } from '../src/endpoints/index.ts';
import type { Profile } from '../test/support/ask.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const { search } = endpoints;

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const store = skip ? undefined : openDataset(directory!);

type Result = { id: number; name: string; country: string; admin1: string | null; lat: number; lng: number } & {
  confidence: number;
  postal_code: string | null;
  type: string | null;
  layer: string;
};

const results = (parameters: Record<string, unknown>, profile: Profile = 'default') =>
  ask(search, store!, parameters, { profile }).results as Result[];
const first = (q: string, more: Record<string, unknown> = {}, profile: Profile = 'default') =>
  results({ q, ...more }, profile)[0];

/** Queries of the relevance table. */
const table = readFileSync(join(import.meta.dirname, 'relevance.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [query, lat, lng, withinM, why] = line.split(';');
    return { query, lat: Number(lat), lng: Number(lng), withinM: Number(withinM), why };
  });

test('at least 95 % of the relevance table come first', { skip }, (t) => {
  assert.ok(table.length >= 150);
  const wrong = table.flatMap(({ query, lat, lng, withinM, why }) => {
    const found = first(query, {}, 'a');
    if (found && distanceKm({ lat, lng }, found) * 1000 <= withinM) return [];
    return `${query} (${why}): ${found ? `${found.name}, ${found.admin1}, ${found.country}` : 'nothing'}`;
  });
  t.diagnostic(`${table.length - wrong.length} of ${table.length} first`);
  assert.ok(wrong.length <= table.length * 0.05, `not first:\n${wrong.join('\n')}`);
});

test('a city that holds much of its region comes before it by its short name, other cities after it', { skip }, () => {
  const rows = [
    ['New York', 'place', 'New York City'],
    ['New York USA', 'place', 'New York City'],
    ['Geneva', 'place', 'Geneva'],
    ['Lucerne', 'region', 'Lucerne'],
    ['Семнан', 'place', 'Semnan'],
    ['Oklahoma', 'region', 'Oklahoma'],
    ['Kansas', 'region', 'Kansas'],
    ['Washington', 'place', 'Washington'],
    ['Georgia', 'country', 'Georgia'],
    ['Guatemala', 'country', 'Guatemala'],
    ['Kuwait', 'country', 'Kuwait'],
  ];
  for (const [q, ...wanted] of rows) assert.deepEqual([first(q).layer, first(q).name], wanted, q);
});

test('a word for a settlement means no country and no region', { skip }, () => {
  for (const [q, name] of [
    ['Luxembourg City', 'Luxembourg'],
    ['Quebec City', 'Québec'],
    ['Djibouti City', 'Djibouti'],
    ['город Киндия', 'Kindia'],
  ]) {
    assert.deepEqual([first(q).layer, first(q).name], ['place', name], q);
  }
});

test('a street without the house does not come before the place that the words name exactly', { skip }, () => {
  for (const q of ['10115 Hamburg', '10115 Paris']) assert.equal(first(q).layer, 'place', q);
  assert.equal(first('Avenida Italia 99999').layer, 'street');
});

test('what has all words of a text comes before what is surer but leaves a word', { skip }, () => {
  for (const [q, name] of [
    ['Rambla República del Perú, Montevideo', 'Rambla República del Perú'],
    ['west ealing london', 'West Ealing'],
    ['palma mallorca', 'Palma'],
    ['Enna, Sicily', 'Enna'],
  ])
    assert.equal(first(q).name, name, q);
});

test('each threshold and special case decides an answer', { skip }, () => {
  const rows: readonly (readonly [why: string, q: string, wanted: string, more?: Record<string, unknown>])[] = [
    ['named: a place by its whole name before streets of that name', 'Cuareim', 'Cuareim place'],
    ['sure: a mistyped city before a street that is spelled so', 'Cincinatti', 'Cincinnati place'],
    ['likely: points are not edited beside a place', 'testing', 'nothing'],
    ['foundStreet: a whole name is enough', 'Luis de la Torre Montevideo', 'Luis de la Torre street'],
    ['foundStreet: and a part of one is not', 'Del ire 882 Montevideo', 'Del Aire 882 address'],
    ['similarWord: letters in common are not yet a name', 'xyzzy', 'nothing'],
    ['a feature is in countries of whose largest cities it has some', 'Rhine', 'Rhine water', { country: 'FR' }],
    ['and in one that it borders on', 'Matterhorn', 'Matterhorn peak', { country: 'IT' }],
    ['a continent is in none', 'North America', 'North place', { country: 'US' }],
    ['a continent that is a country is that', 'Antarctica', 'Antarctica country'],
    ['a country is context of a feature with some of its largest cities', 'Alps Italy', 'Alps natural'],
    ['a feature is not near a town in it', 'Eguisheim alsace', 'Eguisheim place'],
    ['an island is not near a town on it', 'Oia Santorini', 'Oía place'],
    ['a town may be on a less prominent island', 'Papeete Tahiti', 'Papeete place'],
    ['an airport lies farther out', 'stansted london', 'London Stansted Airport airport'],
    ['a letter alone is no region', 'v', 'nothing'],
    ['a digit is no name beside one', 'Praha 1', 'Prague place'],
    ['a word for a kind of region is no region', 'Cusco region', 'Cusco Department region'],
    ['a place beside those of a region', 'Pai Mae Hong Son', 'Pai place'],
    ['the third code of a country is not another one', 'NGA', 'Nigeria country'],
    ['a code as it is written elsewhere, beside a state', '2000 NSW', 'Sydney postal'],
    ['a part of a code is none', '93 fr', 'Seine-Saint-Denis subregion'],
    ['a date is no code', '2023-04-17', 'nothing'],
    ['a mistyped name that has an article', 'Los Angelas', 'Los Angeles place'],
    ['a town that is called like an article', 'die france', 'Die place'],
    ['a code that is called like an article', 'LA california', 'Los Angeles place'],
    ['a person is not in the town of that name', 'Maria Garcia', 'nothing'],
    ['a number behind a city that is a street, too', 'Montevideo 92', 'Montevideo place'],
    ['points are not before a place by its whole name', 'barcelona', 'Barcelona place'],
    ['nor is a part of their names', 'Aeropuerto Barajas', 'Adolfo Suárez Madrid–Barajas Airport airport'],
    ['the town of an address before its code', '12 Collyer Quay Singapore 049319', 'Singapore place'],
    ['an airport by its word in another script', 'สนามบินภูเก็ต', 'Phuket International Airport airport'],
    ['and in the other Chinese characters', '桃園機場', 'Taiwan Taoyuan International Airport airport'],
    ['a street in another town is not the answer', 'Main St 10 Boston', 'Boston place'],
    ['a common word is no feature but for its kind', 'white', 'White place', { lat: 48.1, lng: 11.5 }],
    ['a town some way off does not take the name of a sight', 'harvard', 'Harvard University landmark'],
    ['a town is seldom called with an article', 'les landes', 'Landes subregion'],
    ['the nearest beginnings', 'saint', 'Saint-Orens-de-Gameville place', { lat: 43.6, lng: 1.4 }],
    [
      'a long text with a number',
      'La casa de mi tía, Avenida 18 de Julio 1200, Montevideo',
      'Avenida 18 de Julio 1200 address',
    ],
  ];
  for (const [why, q, wanted, more] of rows) {
    const found = first(q, more);
    assert.equal(found ? `${found.name} ${found.layer}` : 'nothing', wanted, why);
  }
});

test('a smaller limit returns a prefix of the larger one', { skip }, () => {
  for (const { query } of table) {
    const ids = (limit: number) => results({ q: query, limit }).map(({ id }) => id);
    assert.deepEqual(ids(3), ids(100).slice(0, 3), query);
  }
});

test('confidence is 100 with exact context, at least 90 for a famous name alone, and lower for prefixes, edits and half-explained ones', {
  skip,
}, () => {
  for (const q of ['Paris, Texas', 'Springfield IL', 'München Bayern', '90210 Beverly Hills']) {
    assert.equal(first(q).confidence, 100, q);
  }
  // These names have other towns and regions, too.
  for (const q of ['Berlin', 'München', 'Москва']) assert.ok(first(q).confidence >= 90, q);
  const prefix = first('San Franci').confidence;
  const edited = first('Amsterdm').confidence;
  const partly = first('Berlin qqqqqqqq').confidence;
  assert.ok(prefix < 100 && edited < 100 && partly < edited, `${prefix} ${edited} ${partly}`);
});

test('mistakes are tolerated only on request', { skip }, () => {
  assert.equal(first('Amsterdm').name, 'Amsterdam');
  assert.ok(!results({ q: 'Amsterdm', fuzzy: 'false' }).some(({ name }) => name === 'Amsterdam'));
});

test('a nearby point moves a namesake up, without hiding the famous one', { skip }, () => {
  const inParisTexas = results({ q: 'Paris', lat: 33.66, lng: -95.55 });
  assert.deepEqual(
    inParisTexas.slice(0, 2).map(({ country }) => country),
    ['US', 'FR'],
  );
  assert.equal(first('Paris', { lat: 32.78, lng: -96.8 }).country, 'FR', 'from Dallas');
  assert.equal(first('Cambridge', { lat: 42.36, lng: -71.06 }).country, 'US', 'from Boston');
});

test('country and type exclude everything else', { skip }, () => {
  assert.ok(results({ q: 'Paris', country: 'us', limit: 50 }).every(({ country }) => country === 'US'));
  const suburbs = results({ q: 'Berlin', type: 'suburb', limit: 50 });
  assert.ok(suburbs.length > 0 && suburbs.every(({ type }) => type === 'suburb'));
});

test('a country or region returns itself and then its best-known places; in a and b only those places', {
  skip,
}, () => {
  for (const [q, layer, name, city] of [
    ['Bavaria', 'region', 'Bavaria', 'Munich'],
    ['Deutschland', 'country', 'Germany', 'Berlin'],
    ['日本', 'country', 'Japan', 'Tokyo'],
    ['India', 'country', 'India', 'Mumbai'],
    ['texas usa', 'region', 'Texas', 'Houston'],
  ]) {
    const [itself, ...others] = results({ q });
    assert.deepEqual([itself.layer, itself.name], [layer, name]);
    assert.ok(
      others.some((each) => each.layer === 'place' && each.name === city && each.confidence < itself.confidence),
      q,
    );
    for (const profile of ['a', 'b'] as const) {
      const [place] = results({ q }, profile);
      assert.equal(place.country, itself.country, `${q}: ${place.name}`);
    }
  }
});

test('matched context still counts when there are typing mistakes or unknown words', { skip }, () => {
  for (const [q, name, country] of [
    ['nurnbreg Germany', 'Nuremberg', 'DE'],
    ['Chicgo IL', 'Chicago', 'US'],
    ['Melborne Australia', 'Melbourne', 'AU'],
    ['Springfield, Ilinois', 'Springfield', 'US'],
    ['Paris Texs', 'Paris', 'US'],
    ['Dublin 8', 'Dublin', 'IE'],
    ['Paris in Texas', 'Paris', 'US'],
    ['US springfield ohio', 'Springfield', 'US'],
    ['Kelso, Scottish Borders, United Kingdom', 'Kelso', 'GB'],
    ['Kelso, Old Quarterside, United Kingdom', 'Kelso', 'GB'],
  ]) {
    const found = first(q);
    assert.deepEqual([found?.name, found?.country], [name, country], q);
  }
});

test('a text that is a position answers as /reverse does', { skip }, () => {
  for (const q of ['48.8566, 2.3522', '48°51\'24"N 2°21\'8"E', 'geo:48.8566,2.3522', '8FW4V942+JV']) {
    const [place] = results({ q });
    assert.equal(place.country, 'FR', q);
    assert.ok(distanceKm(place, { lat: 48.8566, lng: 2.3522 }) < 10, `${q}: ${place.name}`);
  }
  assert.deepEqual(results({ q: '91.5, 200.5' }), []);
});

test('layers, a box and an offset choose what is answered', { skip }, () => {
  assert.ok(results({ q: 'Georgia', layers: 'region,country' }).every(({ layer }) => layer !== 'place'));
  assert.ok(results({ q: 'Paris', bbox: '-107,25,-93,37' }).every(({ country }) => country === 'US'));
  const all = results({ q: 'Springfield', limit: 20 });
  assert.deepEqual(results({ q: 'Springfield', limit: 5, offset: 10 }), all.slice(10, 15));
});

test('a house number makes an address of it, in the default profile', { skip }, () => {
  const q = '1745 T St SE Washington DC';
  const found = first(q);
  assert.deepEqual([found.layer, found.name], ['address', 'T Street Southeast 1745']);
  assert.ok(results({ q }, 'a').every(({ country }) => country === 'US'));
});

test('a postal code alone returns the nearby one first', { skip }, () => {
  assert.equal(first('93277', { lat: 36.33, lng: -119.29 }).name, 'Visalia');
  assert.equal(first('93277').layer, 'postal');
});

test('a city is called as CLDR calls it, and as it is called today', { skip }, () => {
  for (const [name, lang, expected] of [
    ['Berlin', 'kk', 'Берлин'],
    ['Istanbul', 'th', 'อิสตันบูล'],
    ['Istanbul', 'uz', 'Istanbul'],
    ['Singapore', 'sr', 'Сингапур'],
    ['Dar es Salaam', 'el', 'Νταρ ες Σαλάμ'],
    ['Oran', 'fa', 'وهران'],
    ['Astana', 'ru', 'Астана'],
    ['Astana', 'fr', 'Astana'],
  ])
    assert.equal(first(name, { lang }).name, expected, `${name} in ${lang}`);
});

test('names of regions and countries are in the requested language', { skip }, () => {
  const { admin1 } = first('München', { lang: 'de' });
  assert.equal(admin1, 'Bayern');
});

test('a postal code finds its place with or without a name', { skip }, () => {
  for (const [q, name, country] of [
    ['10115', 'Berlin', 'DE'],
    ['90210', 'Beverly Hills', 'US'],
    ['8001', 'Zürich', 'CH'],
  ]) {
    assert.equal(first(q, { country }).name, name, q);
    assert.equal(first(q, { country }).postal_code, q);
  }
  assert.equal(first('75001 Paris').postal_code, '75001');
});

const hostile = [
  '\u0000',
  'Berlin\u0000',
  "'; DROP TABLE places; --",
  '" OR 1=1 --',
  'name:berlin AND *',
  'NEAR(a b)',
  '"unterminated',
  '^berl* NOT paris',
  '\ud800',
  'Ber\udc00lin',
  '\u202eBerlin\u202c',
  '\u200f\u200e',
  '%',
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\\',
  '...',
  '-----',
  '😀'.repeat(200),
  'a'.repeat(200),
  'a '.repeat(100),
  '٠١٢٣٤٥',
  'ı̇'.repeat(60),
  '\u0301'.repeat(100),
  'toString',
  '__proto__',
  'constructor',
];

test('nothing hostile breaks a search or finds what it does not name', { skip }, () => {
  for (const q of hostile) {
    for (const { name, confidence } of results({ q })) {
      assert.ok(name.length > 0 && confidence >= 0 && confidence <= 100, JSON.stringify(q));
    }
  }
  assert.equal(first('Berlin\u0000').name, 'Berlin');
  assert.equal(first('\u202eBerlin\u202c').name, 'Berlin');
  for (const q of ['\u0000', '%', '...', '\u200f\u200e', '😀'.repeat(200), '\u0301'.repeat(100)]) {
    assert.deepEqual(results({ q }), [], JSON.stringify(q));
  }
});

test('municipalities of Japan and China are found by names that only a list with their readings has', { skip }, () => {
  const rows = [
    ['東京都渋谷区', 'Shibuya', 'Tokyo'],
    ['渋谷区', 'Shibuya', 'Tokyo'],
    ['東京都港区', 'Minato City', 'Tokyo'],
    ['東京都府中市', 'Fuchū', 'Tokyo'],
    ['軽井沢町', 'Karuizawa', 'Nagano'],
    ['横浜市中区', 'Yokohama', 'Kanagawa'],
    ['札幌市', 'Sapporo', 'Hokkaido'],
    ['宿迁', 'Suqian', 'Jiangsu'],
    ['许昌市', 'Xuchang', 'Henan'],
    ['河北省涿州市', 'Zhuozhou', 'Hebei'],
  ];
  for (const [q, name, admin1] of rows) {
    const found = first(q);
    assert.deepEqual([found?.name, found?.admin1, found?.layer], [name, admin1, 'place'], q);
  }
});

test('a postal code beside its city is where the code is', { skip }, () => {
  for (const [q, lat, lng] of [
    ['90045 Los Angeles', 33.963, -118.394],
    ['91367 Los Angeles', 34.177, -118.616],
    ['10314 New York', 40.604, -74.147],
    ['M1B 5K7 Toronto', 43.798, -79.227],
    ['400001 Mumbai', 18.947, 72.814],
    ['75016 Paris', 48.864, 2.277],
  ] as const) {
    const { layer, confidence, ...position } = first(q);
    assert.equal(layer, 'postal', q);
    assert.ok(distanceKm(position, { lat, lng }) < 1, q);
    assert.ok(confidence >= 90, `${q} ${confidence}`);
  }
});

test('a postal code that the data know by its large city only is less sure, and its box that of /postal', {
  skip,
}, () => {
  for (const q of ['12559 Berlin', '12559 Germany']) {
    const { name, confidence, bbox } = first(q) as Result & { bbox: [number, number, number, number] };
    assert.equal(name, 'Berlin', q);
    assert.ok(confidence >= 70 && confidence < 90, `${q} ${confidence}`);
    assert.ok(bbox[3] - bbox[1] > 0.3, q);
  }
});

test('a word that is not understood counts as much beside a region or country as alone', { skip }, () => {
  for (const q of [
    'bayern münchen fc',
    'Bayern München xyz',
    'Denver Colorado zzzzzzzz',
    'Paris France xyz',
    'Munich xyz',
  ]) {
    const { name, confidence } = first(q);
    assert.ok(/Munich|Denver|Paris/.test(name) && confidence >= 30 && confidence < 70, `${q}: ${name} ${confidence}`);
  }
});

test('a place has no postal code that the data do not have for it', { skip }, () => {
  for (const [q, name, code] of [
    ['Bernau bei Berlin, 12559', 'Bernau bei Berlin', '16321'],
    ['10961 Kreuzberg', 'Kreuzberg', null],
    ['Hollywood 90028', 'Hollywood', null],
  ] as const) {
    const { confidence, ...found } = first(q);
    assert.deepEqual([found.name, found.postal_code, found.layer], [name, code, 'place'], q);
    assert.ok(confidence < 100, q);
  }
  const codes = (q: string) => results({ q, layers: 'postal' }).map(({ name }) => name);
  assert.deepEqual(codes('12559 Berlin'), ['Berlin']);
  assert.ok(
    results({ q: '10001 West New York' }).every((each) => each.name !== 'West New York' || each.confidence < 80),
  );
});
