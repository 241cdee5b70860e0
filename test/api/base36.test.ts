import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base36, lastDigits } from '../../src/api/etag.ts';

test('whole numbers in base 36 are as toString writes them', () => {
  const powers = Array.from({ length: 7 }, (_, power) => 36 ** power);
  const edges = powers.flatMap((power) => [power - 1, power, power + 1, 7 * power + 5]).filter((at) => at < 2 ** 32);
  for (const value of [...edges, 0xffff_ffff, 0x811c_9dc5]) {
    assert.equal(base36(value), value.toString(36));
    assert.equal(lastDigits(value), value.toString(36).padStart(2, '0').slice(-2));
  }
});
