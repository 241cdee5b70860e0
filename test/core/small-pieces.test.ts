/** Small shared functions: the network of a client, counts of what sources leave out, which city matches a code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPast } from '../../src/core/columns.ts';
import { clientNetwork } from '../../src/core/ip/address.ts';
import { compact } from '../../src/core/postal/code.ts';
import { drop } from '../../src/core/source-records.ts';
import { namesakeTest, validityOf } from '../../src/endpoints/validate.ts';

test('a client is limited by its address, in IPv6 by its /64 network', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['nonsense', 'unknown'],
    [undefined, 'unknown'],
  ] as const) {
    assert.equal(clientNetwork(address), network, `${address}`);
  }
});

test('rows that are left out are counted by reason', () => {
  const dropped = {};
  drop(dropped, 'one');
  drop(dropped, 'one');
  drop(dropped, 'many', 5);
  drop(dropped, 'many', 2);
  assert.deepEqual(dropped, { one: 2, many: 7 });
});

test('letters and digits of every script are written in ASCII', () => {
  for (const [text, code] of [
    ['sw1a 1aa', 'SW1A1AA'],
    ['〒100-0001', '1000001'],
    ['１００', '100'],
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['', ''],
    ['–', ''],
  ]) {
    assert.equal(compact(text), code, text);
  }
});

test('a city and a code match up to its reach, but not where a town lies 30 km beyond', () => {
  const city = (distanceKm: number | undefined, population = 15_000) => ({ distanceKm, reachKm: 5, population });
  const validity = (cities: ReturnType<typeof city>[], isNamed = false, isShaped = true) =>
    validityOf({ isShaped, isNamed, cities });
  for (const [cities, found] of [
    [[city(5)], 'valid'],
    [[city(5.1)], 'unknown'],
    [[city(35)], 'unknown'],
    [[city(35.1)], 'mismatch'],
    [[city(35.1, 14_999)], 'unknown'],
    [[city(undefined)], 'unknown'],
    [[city(900), city(5.1)], 'unknown'],
    [[city(900), city(900, 10)], 'mismatch'],
    [[city(900), city(3, 10)], 'valid'],
    [[], 'unknown'],
  ] as const) {
    assert.equal(validity([...cities]), found, JSON.stringify(cities));
  }
  assert.equal(validity([city(900)], true), 'valid');
  assert.equal(validity([], false, false), 'mismatch');
  assert.equal(validity([], true, false), 'valid');
});

test('a place of a code matches a city in any of its spellings, or by its first part', () => {
  for (const [city, place, isSo] of [
    ['Wien', 'Wien', true],
    ['wien', 'Wien, Innere Stadt', true],
    ['Wien', 'Wien (Innere Stadt)', true],
    ['Paris', 'Paris 01', true],
    ['Saint Louis', 'St Louis', true],
    ['APO', 'APO AE', true],
    ['Wien', 'Wiener Neustadt', false],
    ['Wien', 'Graz', false],
    ['', '', false],
    ['', '-', false],
  ] as const) {
    assert.equal(namesakeTest(city)(place), isSo, `${city}: ${place}`);
  }
});

test('the first position past a border is that which a scan finds, in any range', () => {
  for (let border = 0; border <= 9; border++) {
    for (const [from, to] of [
      [0, 9],
      [3, 7],
      [4, 4],
    ]) {
      const expected = Math.min(to, Math.max(from, border));
      assert.equal(
        firstPast(from, to, (at) => at >= border),
        expected,
      );
    }
  }
});
