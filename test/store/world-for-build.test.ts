/** A build opens the world without the index of names; what it looks up is the same. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWorld, openWorldForBuild } from '../../src/store/packed/world.ts';
import { dataDirectory, firstVersion } from '../support/data-directory.ts';

test('the places of a name in a country are those that the index of names finds', async (t) => {
  const directory = join(await dataDirectory(t), firstVersion);
  const { places: served } = openWorld(directory);
  const { places } = openWorldForBuild(directory);
  assert.ok(places.size > 0);
  const countries = Array.from({ length: served.size }, (_, at) => served.countryOf(at));
  for (let at = 0; at < served.size; at++) {
    const { name } = served.get(at);
    for (const iso2 of new Set(countries))
      for (const query of [name, `${name} `, name.slice(0, -1), `${name}x`])
        assert.deepEqual(places.named(query, iso2), served.named(query, iso2), `${query}, ${iso2}`);
  }
  assert.deepEqual(places.named('', 'DE'), served.named('', 'DE'));
  assert.deepEqual(places.named('Berlin', 'XX'), []);
});
