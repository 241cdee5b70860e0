/** A part is not searched for words that it has, but no street or point together. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openDataset, searchable } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const address = (street: string, city: string, postalCode: string) => ({
  ...{ street, houseNumber: '7', city, postalCode, country: 'DE', lat: 48, lng: 10 },
});

test('a part whose streets have two words, but none both, is not searched for them', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const addresses = [
    address('Lindenstraße', 'Aldheim', '10115'),
    address('Große Ulmenstraße', 'Corvingen', '20095'),
    address('Platz 7', 'Corvingen', '20095'),
  ];
  await buildStreetLevel({ directory, progress() {}, part: 'one' }, [sourceOf({ addresses })]);
  const mayMatch = (...words: string[][]) => {
    const { streets, close } = openStreetFiles(directory, [{ name: 'one', number: 1 }]);
    const [may, found] = [streets[0].mayMatch(words), streets[0].matching(words, 10).length > 0];
    close();
    return { may, found };
  };
  const [yes, no] = [
    { may: true, found: true },
    { may: false, found: false },
  ];
  assert.deepEqual(mayMatch(['linden'], ['aldheim']), yes);
  assert.deepEqual(mayMatch(['linden'], ['corvingen']), no);
  assert.deepEqual(mayMatch(['linden', 'ulmen'], ['strasse'], ['nowhere', 'corvingen']), yes);
  assert.deepEqual(mayMatch(['linden'], ['ulmen']), no);
  assert.deepEqual(mayMatch(['grosse'], ['ulmen'], ['corvingen']), yes);
  assert.deepEqual(mayMatch(['aldheim'], ['aldheim']), yes);
  assert.deepEqual(mayMatch(['corvingen'], ['germany']), yes);
  // No pairs of numbers are kept.
  assert.deepEqual(mayMatch(['linden'], ['10115']), yes);
  assert.deepEqual(mayMatch(['linden'], ['20095']), { may: true, found: false });
  // A file of an older program has no pairs.
  const file = new DatabaseSync(join(directory, 'streets-open-one.sqlite'));
  file.exec("DELETE FROM filters WHERE name = 'pairs'");
  file.close();
  assert.deepEqual(mayMatch(['linden'], ['corvingen']), { may: true, found: false });
});

test('points are not searched for two words that none has both, one of them unfinished or not', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const point = (name: string) => ({ name, category: 'hotel' as const, lat: 48, lng: 10 });
  const { cities, close } = openDataset(directory);
  t.after(close);
  const pois = ['Hotel Linden', 'Baden-Baden Therme', 'Am Park Ulmen', 'Rue 12 Hotel'].map(point);
  await buildStreetLevel({ directory, progress() {}, part: 'one' }, [sourceOf({ pois })]);
  const mayMatch = (...words: string[][]) => {
    const files = openStreetFiles(directory, [{ name: 'one', number: 1 }]);
    const [part] = files.pois;
    const [may, found] = [part.mayMatch(words), part.named(words, 10).length > 0];
    const begins = searchable(files, cities).pois.mayBegin(words);
    files.close();
    return { may, found, begins };
  };
  const both = { may: true, found: true, begins: true };
  assert.deepEqual(mayMatch(['hotel'], ['linden']), both);
  assert.deepEqual(mayMatch(['hotel'], ['ulmen']), { may: false, found: false, begins: false });
  assert.deepEqual(mayMatch(['park', 'hotel'], ['ulmen', 'therme']), both);
  // Unfinished words, of which one or two letters say nothing.
  assert.deepEqual(mayMatch(['hotel'], ['lind']), { may: false, found: false, begins: true });
  assert.deepEqual(mayMatch(['linden'], ['th']).begins, true);
  assert.deepEqual(mayMatch(['linden'], ['the']), { may: false, found: false, begins: false });
  // One word of a name may be two of a text; of numbers nothing is kept.
  assert.deepEqual(mayMatch(['baden'], ['baden']), both);
  assert.deepEqual(mayMatch(['baden'], ['bad']).begins, true);
  assert.deepEqual(mayMatch(['hotel'], ['am']), { may: false, found: false, begins: true });
  assert.deepEqual(mayMatch(['linden'], ['12']), { may: true, found: false, begins: true });
  const file = new DatabaseSync(join(directory, 'pois-open-one.sqlite'));
  file.exec("DELETE FROM filters WHERE name = 'beside'");
  file.close();
  assert.deepEqual(mayMatch(['hotel'], ['ulmen']), { may: true, found: false, begins: true });
});
