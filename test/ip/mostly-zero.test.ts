import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SparseColumn } from '../../src/core/ip/sparse-column.ts';

test('every number comes back by its lower 16 bits', () => {
  const number = fc.oneof(fc.constant(0), fc.constant(0xffff0000), fc.nat(0xffffffff));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200, size: 'max' }), (numbers) => {
      const column = SparseColumn.from(Uint32Array.from(numbers));
      for (const [at, number] of numbers.entries()) assert.equal(column.at(at), number & 0xffff);
    }),
  );
});
