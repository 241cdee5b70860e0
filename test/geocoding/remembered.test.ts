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

test('hits are the same when they come from the cache', () => {
  const hit = { layer: 'place', place: 12, area: undefined, confidence: 100, postal: undefined } as const;
  const postal = { id: 1 } as unknown as Hit['postal'];
  const lists: Hit[][] = [
    [],
    [hit, { ...hit, place: 0, confidence: 1 }, { ...hit, layer: 'peak', place: 2 ** 21 }],
    [{ ...hit, layer: 'country', place: undefined, area: 0 }],
    [hit, { ...hit, layer: 'subregion', place: undefined, area: 51_508 + 1024, confidence: 57 }],
    [hit, { ...hit, layer: 'postal', postal }],
    [{ ...hit, postal }],
    [{ ...hit, isOnlyTown: true }],
    [hit, { ...hit, layer: 'street', place: undefined, address: { id: 1 } as unknown as NonNullable<Hit['address']> }],
    [{ ...hit, layer: 'poi', place: undefined, poi: { id: 1 } as unknown as NonNullable<Hit['poi']> }],
  ];
  for (const list of lists) {
    const store = { manifest: {} } as Store;
    const find = () => list;
    for (const isRepeated of [false, true, true]) {
      const found = rememberedHits(find, store, 'Rome', options);
      assert.deepEqual([found.hits, found.isRepeated], [list, isRepeated]);
    }
  }
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
  const ask = (text: string) => rememberedHits(short.find, short.store, text, options);
  ask('rom');
  for (let text = 0; text < 1200; text++) ask(`rome ${text}`);
  ask('rome 1199');
  assert.equal(short.callCount(), 1201);
  ask('rome 0');
  assert.equal(short.callCount(), 1202);
  // Nobody's long text replaces a short one.
  ask('rom');
  assert.equal(short.callCount(), 1202);
  const long = counting(21);
  for (const _ of [1, 2]) rememberedHits(long.find, long.store, 'Rome', options);
  assert.equal(long.callCount(), 42);
});
