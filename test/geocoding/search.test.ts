/** How a text is interpreted, on a small dataset: context with edits and unknown words, layers, explanations. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { search } = endpoints;

type Row = { id: number; name: string; layer: string; country: string; admin1: string | null; confidence: number };

let store: Store;
let remove: () => void;
before(async () => {
  ({ store, remove } = await openSmallStore());
});
after(() => remove());

const rows = (q: string, more: object = {}, profile: 'default' | 'a' | 'b' = 'default') =>
  ask(search, store, { q, ...more }, { profile }).results as Row[];
const first = (q: string) => {
  const [found] = rows(q);
  return found && `${found.name}, ${found.admin1}`;
};

test('context counts with edits in the name, before or after it, and with edits of its own', () => {
  for (const q of [
    'Sprngfield Missouri',
    'Springfield, Misouri',
    'US springfield missouri',
    'Springfield in Missouri',
    'missouri springfeild',
  ]) {
    assert.equal(first(q), 'Springfield, Missouri', q);
  }
  assert.equal(first('Pariss Texas'), 'Paris, Texas');
});

test('an unknown word next to a region does not cancel the region, and costs confidence', () => {
  assert.equal(first('Springfield Quarterside Missouri'), 'Springfield, Missouri');
  assert.equal(first('Paris, Quarterside, Texas'), 'Paris, Texas');
  const [known] = rows('Paris, Texas');
  const [unknown] = rows('Paris, Quarterside, Texas');
  assert.equal(known.confidence, 100);
  assert.ok(unknown.confidence < 80, `${unknown.confidence}`);
});

test('an answer in another region than the typed one has less confidence than a word left out, however it was found', () => {
  // Of Illinois, MO only begins one of the names of the United States in some language.
  for (const [q, region] of [
    ['Springfield MO', 'Missouri'],
    ['Paris TX', 'Texas'],
  ]) {
    const [first, ...others] = rows(q);
    assert.ok(first.admin1 === region && first.confidence >= 90, q);
    assert.ok(
      others.every(({ confidence }) => confidence < 70),
      q,
    );
  }
  // Where the word is the same for both, both keep their confidence.
  const [one, other] = rows('Springfield Ma');
  assert.ok(other.confidence >= one.confidence - 5 && one.confidence >= 40, JSON.stringify([one, other]));
});

test('the capital of a country is meant by the word for it in several languages, where the dataset has it', () => {
  for (const q of [
    'capital of Germany',
    'What is the capital of Germany',
    'Hauptstadt von Deutschland',
    'capital Germany',
  ])
    assert.equal(first(q), 'Berlin, Berlin', q);
  assert.notEqual(rows('capital of Germany')[0].confidence, 100);
  assert.equal(rows('capital of Germany', { layers: 'country' })[0].name, 'Germany');
  assert.deepEqual(
    rows('capital of Germany', { country: 'FR' }).filter(({ name }) => name === 'Berlin'),
    [],
  );
  assert.notEqual(first('capital of Springfield'), 'Berlin, Berlin');
});

test('a word for a settlement matches a place and lowers the confidence of a region or country', () => {
  assert.deepEqual([rows('Paris City')[0].layer, rows('Paris City')[0].name], ['place', 'Paris']);
  for (const q of ['Texas City', 'Deutschland Stadt']) {
    assert.ok(
      rows(q).every(({ layer, confidence }) => layer === 'place' || confidence < 80),
      q,
    );
  }
});

test('a larger place nearby is context, one far away is not', () => {
  const [near] = rows('Shibuya とうきょう');
  assert.equal(near.name, 'Shibuya');
  assert.ok(near.confidence >= 90, `${near.confidence}`);
  assert.ok(rows('Shibuya Londra').every(({ confidence }) => confidence < 80));
});

test('countries and regions are answers of the default profile only, before their places', () => {
  const [country, ...others] = rows('Deutschland');
  assert.deepEqual([country.layer, country.name], ['country', 'Germany']);
  assert.ok(others.some(({ name, layer }) => name === 'Berlin' && layer === 'place'));
  assert.deepEqual([rows('Texas')[0].layer, rows('Texas')[0].name], ['region', 'Texas']);
  for (const profile of ['a', 'b'] as const) {
    assert.ok(rows('Texas', {}, profile).every(({ id }) => store.places.byId(id) >= 0));
  }
  assert.ok(rows('Texas', { layers: 'place' }).every(({ layer }) => layer === 'place'));
  assert.deepEqual(rows('Berlin', { layers: 'postal' }), [], 'a place is not a postal code');
  assert.deepEqual(
    rows('10115 Berlin', { layers: 'postal' }).map(({ layer }) => layer),
    ['postal'],
  );
});

test('a box excludes, an offset skips, and neither changes what is found', () => {
  assert.deepEqual(
    rows('Paris', { bbox: '-100,30,-90,40' }).map(({ country }) => country),
    ['US'],
  );
  assert.deepEqual(rows('Springfield', { offset: 1, limit: 1 }), rows('Springfield', { limit: 2 }).slice(1));
  assert.deepEqual(refusal(search, store, { q: 'Paris', bbox: '1,2,3' }).parameters, ['bbox']);
  assert.deepEqual(refusal(search, store, { q: 'Paris', layers: 'place,moon' }).parameters, ['layers']);
  const alone = refusal(search, store, { q: 'Paris', lat: '48' });
  assert.deepEqual([alone.code, alone.parameters], ['missing_parameter', ['lng']]);
});

test('an explanation lists the points of each feature, whose sum orders the answers', () => {
  const { explain } = ask(search, store, { q: 'Sprngfield Missouri', explain: 'true' }) as {
    explain: { answers: { name: string; score: number; contributions: Record<string, number> }[] };
  };
  const [best] = explain.answers;
  assert.equal(best.name, 'springfield');
  assert.ok(best.contributions.textMatch < 0 && best.contributions.contextMatch === 0);
  const sum = 100 + Object.values(best.contributions).reduce((all, points) => all + points, 0);
  assert.ok(Math.abs(sum - best.score) < 0.5, `${sum} ${best.score}`);
  const scores = explain.answers.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((left, right) => right - left),
  );
});

test('a town that was looked for and not found explains nothing of the answer', () => {
  const { explain } = ask(search, store, { q: 'Cantonjo, Missouri', explain: 'true' }) as {
    explain: { tokens: string[] };
  };
  assert.deepEqual(explain.tokens, ['cantonjo', 'missouri']);
});

test('the country of the language is preferred a little, not against a city that everybody means', () => {
  const first = (q: string, lang: string) => rows(q, { lang })[0]?.country;
  assert.equal(first('Springfield', 'en-US'), 'US');
  assert.equal(first('Paris', 'en-US'), 'FR');
  assert.equal(rows('Paris', { lang: 'en-US', explain: true })[0].country, 'FR');
});
