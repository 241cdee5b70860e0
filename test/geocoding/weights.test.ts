/** A case for each weight of a place search that changes when the weight is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geocode } from '../../src/geocoding/geocode.ts';
import { editMatch, prefixMatch } from '../../src/geocoding/score.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { assertOrders, found, judgingWorld, type Order } from './judging-world.ts';

const orders: readonly Order[] = [
  ['prominence', 'springfield', 'Springfield US.OH', 'Springfield US.TX'],
  ['innerName', 'angulos', 'Angulos DE.02', 'Los Angulos US.WX'],
  ['romanisedName', 'mosukuwa', 'Mosukuwa DE.02', 'Moskowa FR'],
  ['knownName', 'kenning', 'Kenning FR', 'Kenningen DE.02'],
  ['otherName', 'odderby', 'Odderby FR', 'Andersheim DE.02'],
  ['despiteNamesake', 'cantonia', 'Cantonia US.OH', 'Guangsho FR'],
  ['similarAlias: one that is nearly the main name is meant more often', 'cantonja', 'Cantonjo FR', 'Cantonja US.OH'],
  ['namesakeProminence: of a small namesake few people think', 'teenie', 'Teeniess FR', 'Teenie US.OH'],
  ['namesakeFarBehind', 'quexland', 'Quexland US.WX', 'Germany country'],
  ['dominantCity: a city of a fifth of its region', 'oklahoma', 'Oklahoma region', 'Oklahoma City US.OK'],
  ['shortName', 'lamar', 'Lamar FR', 'Lamar County subregion'],
  ['contextPrefix', 'kawa ohi', 'Kawa FR', 'Kawa US.OH'],
  ['contextPrefixDespiteExact', 'salem nor', 'Salem DE.03', 'Salem DE.04'],
  ['contextNear', 'shibu nor', 'Shibu DE.03', 'Shibu FR'],
  ['an island is where its towns are', 'thirdvale isola', 'Thirdvale CU', 'Isola CU island'],
  ['partOfCity', 'velsor fifthly', 'Velsor FR', 'Velsor US.FI'],
  ['connector', 'texas de leona', 'De Leona US.TX', 'Leona US.TX'],
  ['kindWord', 'texas dodge city', 'Dodge City US.TX', 'Dodge US.TX'],
  ['a lake without the word for its kind', 'sulm', 'Lake Sulm US.TX water', 'Sulm CU'],
  ['featureWord', 'texas lake worth', 'Lake Worth US.TX water', 'Worth US.TX water'],
  ['unexplainedLetters', 'abcdefgh xyzzy', 'Abcdefgh FR', 'Xyzzy FR'],
  ['unexplainedToken', 'ab cd efgh', 'Ab Cd FR', 'Efgh FR'],
  ['contradiction', 'barville quartersid ohio', 'Barville US.OH', 'Barville Quartersid US.TX'],
  ['namedTwice', 'luxembourg luxembourg', 'Luxembourg LU', 'Luxembourg country'],
  ['a town beside its other name', 'kenning kenningen', 'Kenningen DE.02', 'Kenning FR'],
  ['countryPrior', 'luxembourg', 'Luxembourg country', 'Luxembourg LU'],
  ['regionPrior', 'salzing', 'Salzing region', 'Salzing DE.05'],
  ['subregionPrior', 'hallau', 'Hallau DE.05.1', 'Hallau subregion'],
  ['ownSubregionPrior', 'oberkreis', 'Oberkreis subregion', 'Oberkreis FR'],
  ['areaCode', 'au', 'Au FR', 'Australia country'],
  ['shortAreaName', 'zx', 'Zx FR', 'Zexony region'],
  ['placeOfArea', 'bavaria', 'Bavaria FR', 'Munich DE.02'],
  ['placeOfCountry', 'germany', 'Munich DE.02', 'Germany FR'],
  ['otherAreaName', 'aotea', 'Aotea FR', 'New Zealand country'],
  ['editedAlias', 'teenip', 'Teenie US.OH', 'Teeniess FR'],
  ['editedAlias: hardly for what is nearly the main name', 'cantomja', 'Cantonjo FR', 'Cantonja US.OH'],
  ['editedArea', 'nordlanp', 'Nordlang FR', 'Nordland region'],
  ['transliterated', 'карса', 'Каарса FR', 'Karsa FR'],
  ['unusualSpelling', 'вонар', 'Vonar FR', 'Bonar FR'],
  ['a park without the words for its kind', 'zirion', 'Zirion National Park US.TX park', 'Zirion DE.02'],
  ['but one word is part of a name', 'zirion', 'Zirion DE.02', 'Zirion Garden US.TX park'],
  ['a listed name without the kind', 'harward', 'Harward University US.TX landmark', 'Harward DE.02'],
  ['also mistyped', 'harwarrd', 'Harward University US.TX landmark', 'Harward DE.02'],
  ['a town at the park', 'bampf', 'Bampf CU', 'Bampf National Park US.TX park'],
  ['a better-known town', 'lesser', 'Lesser DE.02', 'Lesser National Park US.TX park'],
  ['a region of that name', 'nordland', 'Nordland region', 'Lake Nordland US.TX water'],
  ['regionBehindCity', 'yukonia', 'Yukonia region', 'Yukonia FR'],
  ['maxRegionByCity', 'canterby', 'Canterby FR', 'Canterby region'],
  ['wordsBetween', 'wexelfels quoll', 'Wexelfels Quoll Tal FR', 'Wexelfels unter Quoll FR'],
  ['smallWordsBetween', 'rothenburg tauber', 'Rothenburg ob der Tauber DE.02', 'Rothenburg Tauber Tal DE.02'],
];

test('each weight decides an order', async (t) => {
  const world = await judgingWorld(t);
  assertOrders(orders, (text) => found(world, text).map(({ name }) => name));
});

test('a nearby place comes before a larger namesake', async (t) => {
  const world = await judgingWorld(t);
  const [texan] = found(world, 'springfield').filter(({ name }) => name === 'Springfield US.TX');
  const near = { lat: world.gazetteer.facts.lat(texan.ref) / 1e6, lng: world.gazetteer.facts.lng(texan.ref) / 1e6 };
  assert.equal(found(world, 'springfield', { near })[0].name, 'Springfield US.TX');
});

test('homeCountry: a namesake in the country of the language comes first', async (t) => {
  const world = await judgingWorld(t);
  const first = (home?: number) => found(world, 'kawa', home === undefined ? {} : { home })[0].name;
  assert.deepEqual([first(), first(world.gazetteer.countryNumber('FR'))], ['Kawa US.OH', 'Kawa FR']);
});

test('icaoCode and iataCode: what has a text as its code in capitals comes before a better-known namesake', async (t) => {
  const world = await judgingWorld(t);
  const firstOf = (text: string) => {
    const coded = found(world, text.toLowerCase()).find(({ name }) => name.endsWith(' FR'))!.ref;
    return found(world, text, { isCode: (place) => place === coded })[0].name;
  };
  assert.deepEqual([firstOf('KAWA'), firstOf('KWA')], ['Kawa FR', 'Kwa FR']);
  assert.ok(weights.icaoCode < weights.iataCode, 'few type the four letters');
});

test('countryCode: the third code of a country in capitals', async (t) => {
  const world = await judgingWorld(t);
  const prior = (text: string) => found(world, text).find(({ name }) => name === 'Australia country')?.parts.layerPrior;
  assert.deepEqual([prior('AUS'), prior('aus')], [weights.countryCode, 0]);
});

test('a city with the word for one behind its name in Korean is found', async (t) => {
  const world = await judgingWorld(t);
  assert.equal(found(world, '우시시')[0]?.name, 'Wuxi CN');
});

test('missingBlank and editedPrefix: a name without its blank, and an edited beginning of one, cost points', async (t) => {
  const world = await judgingWorld(t);
  const cost = (text: string, wanted: string) => -found(world, text).find(({ name }) => name === wanted)!.sum;
  assert.ok(cost('dodgecity', 'Dodge City US.TX') > 0);
  assert.ok(cost('quadroqo', 'Quadropolis CU') > weights.otherEdit);
});

test('otherKeyboard, compassWord and articles: what is typed otherwise is less sure', async (t) => {
  const world = await judgingWorld(t);
  const options = { layers: new Set(['place'] as const), fuzzy: true, limit: 1 };
  const textCost = (text: string) => {
    const trace: NonNullable<Parameters<typeof geocode>[3]> = {};
    geocode(world, text, options, trace);
    return trace.answers![0].situation!.textCost;
  };
  assert.equal(textCost('ызкштпашудв'), weights.otherKeyboard);
  assert.equal(textCost('s harbour'), weights.compassWord);
  assert.equal(textCost('die Springfield'), weights.articleOfTown);
  assert.ok(Math.min(weights.otherKeyboard, weights.compassWord, weights.article) > 0);
  assert.ok(weights.article < weights.articleOfTown && weights.nameWithArticle > 0);
});

test('a name with missing words or letters differs from the whole one', () => {
  assert.ok(prefixMatch(4, 8, true) < 0);
  assert.ok(prefixMatch(4, 8, false) < prefixMatch(4, 8, true));
  assert.ok(prefixMatch(4, 8, false) < prefixMatch(5, 8, false) && prefixMatch(6, 8, false) < 0);
  assert.ok(editMatch('nerlin', 'berlin', 1) < editMatch('benlin', 'berlin', 1));
});

test('the likelier a typing mistake, the less it costs: each kind of edit has its weight', () => {
  // doubledEdit, swappedEdit, missingEdit, vowelEdit, nearKeyEdit, extraEdit and at the first letter firstLetterEdit.
  const typed = ['berllin', 'belrin', 'berln', 'berlan', 'berlim', 'berlxin', 'xberlin'];
  const points = [0, ...typed.map((text) => editMatch(text, 'berlin', 1))];
  for (const [at, text] of typed.entries()) assert.ok(points[at + 1] < points[at], text);
});
