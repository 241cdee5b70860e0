import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCurrent } from '../src/build/versions.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { UsageError } from '../src/errors.ts';
import { open, WhereaboutsError } from '../src/index.ts';
import { buildSmallDataset } from './support/small-store.ts';
import { temporaryDirectory } from './support/temporary.ts';

test('the library has every endpoint as a method, on a data directory or one of its datasets', async (t) => {
  const data = temporaryDirectory(t);
  const version = '20260101T000000Z';
  mkdirSync(join(data, version));
  await buildSmallDataset(join(data, version));
  assert.throws(
    () => open(data),
    (error: Error) => error instanceof UsageError && /no dataset in .*whereabouts build/.test(error.message),
  );
  await makeCurrent(data, version);
  for (const directory of [data, join(data, version)]) {
    const whereabouts = open(directory);
    for (const name of Object.keys(endpoints))
      assert.equal(typeof whereabouts[name as keyof typeof endpoints], 'function', name);
    assert.equal(whereabouts.search({ q: 'berlin' }).results[0].country, 'DE');
    assert.equal(whereabouts.country({ code: 'fr' }).name, 'France');
    assert.equal(whereabouts.timezone({ timezone: 'Europe/Berlin', at: '2026-07-01T12:00:00Z' }).utc_offset, '+02:00');
    assert.ok(whereabouts.manifest.layers.world);
    whereabouts.close();
  }
});

test('the library refuses what the service refuses, with its code', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory, { without: ['postal'] });
  const whereabouts = open(directory);
  t.after(() => whereabouts.close());
  const code = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (error instanceof WhereaboutsError) return error.code;
    }
    return undefined;
  };
  assert.equal(
    code(() => whereabouts.nearby({ lat: 91, lng: 0 })),
    'invalid_parameter',
  );
  assert.equal(
    // @ts-expect-error: what an endpoint requires, its type requires too.
    code(() => whereabouts.nearby({ lat: 1 })),
    'missing_parameter',
  );
  assert.equal(
    code(() => whereabouts.country({ code: 'ZZ' })),
    'country_not_found',
  );
  assert.equal(
    code(() => whereabouts.postal({ code: '10115', country: 'DE' })),
    'dataset_missing',
  );
});

test('the library opens the named layers, and treats others as missing from the dataset', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  // A time zone needs nothing of the world, which takes 60 MB.
  rmSync(join(directory, 'places.pack'));
  const whereabouts = open(directory, { layers: ['zones'] });
  t.after(() => whereabouts.close());
  assert.equal(whereabouts.timezone({ lat: 52.5, lng: 13.4 }).timezone, 'Europe/Berlin');
  assert.deepEqual(Object.keys(whereabouts.manifest.layers), ['zones']);
  assert.throws(() => whereabouts.ip({ ip: '8.8.8.8' }), { name: 'WhereaboutsError', code: 'dataset_missing' });
});
