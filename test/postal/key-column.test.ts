import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PostalKeyColumn, postalKey } from '../../src/core/postal/code.ts';

const code = fc.string({ unit: fc.constantFrom('0', '1', '9', 'A', 'Z'), minLength: 1, maxLength: 10 });

test('every number comes back, and is found as in a plain array', () => {
  const codes = fc.array(fc.oneof(code, fc.stringMatching(/^[0-9]{4,6}$/)), {
    minLength: 1,
    maxLength: 900,
    size: 'max',
  });
  fc.assert(
    fc.property(codes, code, (texts, wanted) => {
      const keys = Float64Array.from(texts, postalKey).sort();
      const column = PostalKeyColumn.from(keys);
      for (const [row, key] of keys.entries()) assert.equal(column.at(row), key);
      for (const text of [wanted, texts[0]]) {
        const key = postalKey(text);
        const expected = keys.findIndex((other) => other >= key);
        assert.equal(column.firstRow(0, keys.length, key), expected < 0 ? keys.length : expected);
      }
    }),
    { numRuns: 60 },
  );
});
