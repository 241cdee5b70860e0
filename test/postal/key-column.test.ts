import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openPostal, PostalTableWriter, postalFile } from '../../src/store/packed/postal.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const code = fc.string({ unit: fc.constantFrom('0', '1', '9', 'A', 'Z'), minLength: 1, maxLength: 10 });
/** A code of no country: none has a shape that leads to another code. */
const country = 'ZZ';

test('every code is found, and no other', (t) => {
  const codes = fc.array(fc.oneof(code, fc.stringMatching(/^[0-9]{4,6}$/)), {
    minLength: 1,
    maxLength: 900,
    size: 'max',
  });
  fc.assert(
    fc.property(codes, code, (texts, other) => {
      const directory = temporaryDirectory(t);
      const table = new PostalTableWriter();
      for (const text of texts) {
        const place = { name: text, admin1: null, admin2: null, lat: null, lng: null, accuracy: null, source: 'test' };
        table.add(country, text, table.locality(place));
      }
      table.write(join(directory, postalFile), []);
      const postal = openPostal(directory, { idOf: () => -1, countryOf: () => country });
      for (const text of [...texts, other]) {
        const found = postal.find(country, text).map(({ postalCode, place }) => [postalCode, place]);
        assert.deepEqual(found, texts.includes(text) ? [[text, text]] : []);
      }
    }),
    { numRuns: 60 },
  );
});
