import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StreetSpool } from '../../src/store/sqlite/street-spool.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('parts hold whole streets and are cut until they are small enough; no record is lost, no file left', (t) => {
  for (const maxPartBytes of [1e9, 1500]) {
    const directory = temporaryDirectory(t);
    const spool = new StreetSpool(join(directory, 'part'), maxPartBytes);
    const streets = 1200;
    const houses = 7;
    for (let house = 0; house < houses; house++) {
      for (let street = 0; street < streets; street++) {
        // The lines of some streets are longer than what is kept before it is written.
        const geometry = street % 1000 === 7 ? '9'.repeat(70_000) : 'ß';
        spool.add(`street ${street}`, ['a', street, `Straße\t${street}`, house, undefined, geometry]);
      }
    }
    const seen = new Set<string>();
    let records = 0;
    let parts = 0;
    let lastShare = 0;
    for (const part of spool.parts()) {
      const here = new Map<string, number>();
      for (const [kind, street, name, house, nothing, geometry] of part.records) {
        assert.deepEqual([kind, name, nothing], ['a', `Straße ${street}`, '']);
        assert.equal(geometry.length, Number(street) % 1000 === 7 ? 70_000 : 1);
        assert.equal(Number(house), here.get(street) ?? 0, 'the order of a street is kept');
        here.set(street, Number(house) + 1);
        records++;
      }
      for (const [street, count] of here) {
        assert.equal(count, houses, `all houses of street ${street} are in one part`);
        assert.ok(!seen.has(street));
        seen.add(street);
      }
      assert.ok(part.share >= lastShare && part.share < 1);
      lastShare = part.share;
      parts++;
    }
    assert.equal(records, streets * houses);
    assert.equal(parts === 256, maxPartBytes === 1e9);
    assert.deepEqual(readdirSync(directory), []);
    spool.close();
  }
});
