/** The filter that rules out cells without houses, of the size that files of streets have it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NumberFilter } from '../../src/core/columns.ts';

function filterOf(cells: readonly number[]): NumberFilter {
  const filter = new NumberFilter(2 * cells.length + 1);
  for (const cell of cells) filter.add(cell);
  return filter;
}

/** As many as there are cells of 0.002 degrees on the globe. */
const cell = fc.integer({ min: 0, max: 90_000 * 180_000 });

test('no cell in the filter is denied', () => {
  fc.assert(
    fc.property(fc.array(cell), (cells) => {
      const filter = filterOf(cells);
      for (const each of cells) assert.ok(filter.mayHave(each));
    }),
  );
});

test('nine of ten other cells are denied', () => {
  const row = 180_000;
  const town = Array.from({ length: 10_000 }, (_, at) => (60_000 + Math.floor(at / 100)) * row + 97_000 + (at % 100));
  const filter = filterOf(town);
  let accepted = 0;
  for (let at = 0; at < 10_000; at++) if (filter.mayHave(at * 1_600_033)) accepted++;
  assert.ok(accepted < 1000, `${accepted} of 10,000 may be held`);
  assert.equal(filterOf([]).mayHave(5), false);
});
