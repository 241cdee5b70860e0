import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { postalOf } from './small-postal.ts';

const code = fc.string({ unit: fc.constantFrom('0', '1', '9', 'A', 'Z'), minLength: 1, maxLength: 10 });
/** A country without codes: none has a shape that leads to another code. */
const country = 'AE';

test('every code is found, and no other', async (t) => {
  const texts = new Set(fc.sample(fc.oneof(code, fc.stringMatching(/^[0-9]{4,6}$/)), { numRuns: 20_000, seed: 7 }));
  const place = { id: 1, name: 'Bern', lat: 46.9, lng: 7.4, country: 'CH', population: 1, timezone: 'Europe/Zurich' };
  const rows = [...texts].map((text) => [country, text, text, '', '', '', '', '', '', 46.9, 7.4, 4].join('\t'));
  const { postal } = await postalOf(t, [place], { rows });
  const others = fc.sample(code, { numRuns: 2_000, seed: 8 });
  assert.ok(others.some((text) => !texts.has(text)));
  for (const text of [...texts, ...others]) {
    const found = postal.find(country, text).map(({ postalCode, place }) => [postalCode, place]);
    assert.deepEqual(found, texts.has(text) ? [[text, text]] : []);
  }
});
