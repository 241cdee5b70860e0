/** The cache of recent queries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GeocodeOptions, Hit } from '../../src/geocoding/geocode.ts';
import { rememberedHits } from '../../src/geocoding/remembered.ts';
import type { Store } from '../../src/store/store.ts';

const options = { layers: new Set(['place']), fuzzy: true, limit: 10 } as GeocodeOptions;
const near = { lat: 1, lng: 2 };
const others: Partial<GeocodeOptions>[] = [
  { country: 'DE' },
  { country: 'AT' },
  { near },
  { near: { lat: 2, lng: 1 } },
  { type: 'city' },
  { bbox: [1, 2, 3, 4] },
  { bbox: [1, 2, 3, 5] },
  { layers: new Set(['place', 'region']) },
  { otherLayers: new Set(['street']) },
  { fuzzy: false },
  { limit: 9 },
  {},
];

/** Answers each query with a different number. */
function counting(hits = 1) {
  let calls = 0;
  const find = (): Hit[] =>
    Array.from({ length: hits }, () => ({
      layer: 'place',
      place: calls++,
      area: undefined,
      confidence: 1,
      postal: undefined,
    }));
  return { find, store: { manifest: {} } as Store, callCount: () => calls };
}

test('a query is looked up once, and separately from queries that differ in anything', () => {
  const { find, store, callCount } = counting();
  const ask = (text: string, more: Partial<GeocodeOptions>) =>
    rememberedHits(find, store, text, { ...options, ...more }).hits;
  for (const again of [1, 2, 3]) {
    const found = others.flatMap((more) => [...ask('Rome', more), ...ask('Rom', more)]).map(({ place }) => place);
    assert.deepEqual(
      found,
      Array.from({ length: 2 * others.length }, (_, place) => place),
      `time ${again}`,
    );
  }
  assert.equal(callCount(), 2 * others.length);
});

test('another dataset and another search function have answers of their own', () => {
  const [one, other] = [counting(), counting()];
  rememberedHits(one.find, one.store, 'Rome', options);
  rememberedHits(other.find, one.store, 'Rome', options);
  rememberedHits(other.find, other.store, 'Rome', options);
  assert.deepEqual([one.callCount(), other.callCount()], [1, 2]);
});

test('old queries are looked up again, and so are long lists', () => {
  const short = counting();
  for (let text = 0; text < 1200; text++) rememberedHits(short.find, short.store, `${text}`, options);
  rememberedHits(short.find, short.store, '1199', options);
  assert.equal(short.callCount(), 1200);
  rememberedHits(short.find, short.store, '0', options);
  assert.equal(short.callCount(), 1201);
  const long = counting(21);
  for (const _ of [1, 2]) rememberedHits(long.find, long.store, 'Rome', options);
  assert.equal(long.callCount(), 42);
});
