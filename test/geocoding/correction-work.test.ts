/** How much of a vocabulary the words of one query may visit: nonsense must not cost more than an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Corrections } from '../../src/geocoding/address/corrections.ts';
import { poiHits } from '../../src/geocoding/street-hits.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { queryWords } from '../../src/text/words.ts';
import { buildSmallDataset, openSmallStore } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('nonsense words cost a bounded number of look-ups', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const files = openStreetFiles(directory);
  t.after(() => files.close());
  let looked = 0;
  type Vocabulary = (typeof files.streets)[number]['vocabulary'];
  const counting = (vocabulary: Vocabulary): Vocabulary => ({
    records: vocabulary.records,
    mayBePrefix: (text) => vocabulary.mayBePrefix(text),
    mayHave: (word) => vocabulary.mayHave(word),
    mayHaveSimilar: (word, isPrefix) => vocabulary.mayHaveSimilar(word, isPrefix),
    count(word) {
      looked++;
      return vocabulary.count(word);
    },
    withPrefix(text) {
      looked++;
      return vocabulary.withPrefix(text);
    },
    oneEdit(word) {
      looked += word.length;
      return vocabulary.oneEdit(word);
    },
  });
  const parts = files.streets
    .slice(0, 1)
    .map(({ number, vocabulary }) => ({ number, vocabulary: counting(vocabulary) }));
  const lookUps = (text: string) => {
    looked = 0;
    new Corrections(parts).of(queryWords(text), text);
    return looked;
  };
  const address = lookUps('улица Карпинскаго 6 корпус 3 квартира 5 Воронеж Россия');
  assert.ok(address > 80, `${address} look-ups for an address`);
  for (const text of [
    'щ'.repeat(200),
    Array.from({ length: 40 }, (_, at) => `щяжю${String.fromCharCode(0x430 + at)}`).join(' '),
  ])
    assert.ok(lookUps(text) < 2_000, `${looked} look-ups for ${text}`);
});

test('points of a text are not each compared with all others', async (t) => {
  const { store, remove } = await openSmallStore();
  t.after(remove);
  let read = 0;
  const points = Array.from({ length: 400 }, (_, id) => ({
    id,
    get name() {
      read++;
      return `Markt ${id}`;
    },
    otherNames: [],
    lat: id / 10,
    lng: 0,
  }));
  const pois = { named: () => points } as unknown as NonNullable<typeof store.pois>;
  const options = { fuzzy: true, isPrefix: true, limit: 5, country: undefined, near: undefined, bbox: undefined };
  assert.equal(poiHits(Object.create(store, { pois: { value: pois } }), 'mar', options).length, 5);
  // By name, by its namesakes, and for its confidence; in pairs it would be 80,000 times.
  assert.ok(read <= 10 * points.length, `names were read ${read} times`);
});
