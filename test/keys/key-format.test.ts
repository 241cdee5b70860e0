import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { generateKey, hashText, isWellFormedKey } from '../../src/keys/key-record.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key is wab_, 30 random base62 characters and 6 of the CRC32 of what precedes', () => {
  for (let i = 0; i < 100; i++) {
    const key = generateKey();
    assert.match(key, /^wab_[0-9A-Za-z]{36}$/);
    const sum = [...key.slice(34)].reduce((number, digit) => number * 62 + base62.indexOf(digit), 0);
    assert.equal(sum, crc32(key.slice(0, 34)));
    assert.ok(isWellFormedKey(key));
  }
});

test('keys are all different and use the whole alphabet', () => {
  const keys = Array.from({ length: 500 }, generateKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(keys.map((key) => key.slice(4, 34)).join('')).size, 62);
});

test('every single-character typo in a key is detected', () => {
  const key = generateKey();
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...base62, '_', ' ', 'é'), (at, character) => {
      const typo = key.slice(0, at) + character + key.slice(at + 1);
      assert.equal(isWellFormedKey(typo), typo === key);
    }),
  );
});

test('no arbitrary text passes as a key', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(isWellFormedKey(text), false)));
});

test('the stored form is the SHA-256 of the key', () => {
  assert.equal(
    hashText('wab_'),
    // printf 'wab_' | sha256sum
    '6cdb3515e286a8ee4468d53537a382f8a5a00c8757c481c58adc94a431d15f3d',
  );
});
