/** The filter that rules out cells without houses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CellFilter } from '../../src/store/sqlite/street-file.ts';

/** As many as there are cells of 0.002 degrees on the globe. */
const cell = fc.integer({ min: 0, max: 90_000 * 180_000 });

test('no cell in the filter is denied', () => {
  fc.assert(
    fc.property(fc.array(cell), (cells) => {
      const filter = new CellFilter(cells);
      for (const each of cells) assert.ok(filter.mayHold(each));
    }),
  );
});

test('nine of ten other cells are denied', () => {
  const row = 180_000;
  const town = Array.from({ length: 10_000 }, (_, at) => (60_000 + Math.floor(at / 100)) * row + 97_000 + (at % 100));
  const filter = new CellFilter(town);
  let accepted = 0;
  for (let at = 0; at < 10_000; at++) if (filter.mayHold(at * 1_600_033)) accepted++;
  assert.ok(accepted < 1000, `${accepted} of 10,000 may be held`);
  assert.equal(new CellFilter([]).mayHold(5), false);
});
