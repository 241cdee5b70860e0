/** What announces a postal code in a text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcedCode } from '../../src/text/query-text.ts';

test('a word for the code or the sign of its country is left out and names the countries', () => {
  for (const [typed, text, ...countries] of [
    ['D-80331 München', '80331 München', 'DE'],
    ['d-80331', '80331', 'DE'],
    ['CH 8001 Zürich', '8001 Zürich', 'CH'],
    ['FIN-33100', '33100', 'FI'],
    ['Wien, A-1010', 'Wien, 1010', 'AT'],
    ['PLZ 60311', '60311', 'DE', 'AT', 'CH', 'LI'],
    ['PLZ: D-60311', '60311', 'DE'],
    ['Zip Code 98101', '98101', 'US'],
    ['zip 98101', '98101', 'US'],
    ['c.p. 06700', '06700', 'ES', 'MX', 'AR'],
    ['〒100-0001', '100-0001', 'JP'],
    ['postcode SW1A 1AA', 'SW1A 1AA'],
    ['индекс 101000', '101000', 'RU'],
  ]) {
    const found = announcedCode(typed);
    assert.deepEqual([found.text, found.countries], [text, countries], typed);
  }
});

test('other texts announce none', () => {
  for (const typed of [
    '80331 München',
    'Cap Ferrat 5',
    'A 12',
    'D 80331',
    'M1-2000',
    'Zipser 12',
    'XYZ-12345',
    'I-95',
  ]) {
    assert.deepEqual(announcedCode(typed), { text: typed, countries: [], otherwise: typed }, typed);
  }
});
