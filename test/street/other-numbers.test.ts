/** Houses that are known by several numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pbfFile, type TestMap } from '../support/osm-writer.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { importStreetFiles } from '../support/street-dataset.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

const at = (id: number, lng: number, tags: Record<string, string>) => ({
  id,
  lat: 49.7487,
  lng,
  tags: { 'addr:country': 'CZ', 'addr:city': 'Plzeň', 'addr:street': 'Rybářská', ...tags },
});

test('a Czech house is found by each of its numbers, and stands once on the map', async (t) => {
  const map: TestMap = {
    nodes: [
      at(1, 13.3645, { 'addr:housenumber': '223/18', 'addr:conscriptionnumber': '223', 'addr:streetnumber': '18' }),
      at(2, 13.3655, { 'addr:housenumber': '306/20', 'addr:conscriptionnumber': '306', 'addr:streetnumber': '20' }),
      at(3, 13.3665, { 'addr:housenumber': 'ev.21', 'addr:provisionalnumber': '21' }),
    ],
  };
  const dataset = temporaryDirectory(t);
  await buildSmallDataset(dataset);
  const level = await importStreetFiles(dataset, [temporaryFile(t, 'x.osm.pbf', pbfFile(map))]);
  t.after(() => level.remove());
  const search = (text: string) =>
    level.addresses!.search({ text, limit: 5 }).map(({ houseNumber, matchType }) => [houseNumber, matchType]);

  for (const number of ['223/18', '18', '223']) {
    assert.deepEqual(search(`Rybářská ${number}, Plzeň`), [['223/18', 'exact']], number);
  }
  // The provisional numbers are a series apart: 21 is not a house of this street.
  assert.notDeepEqual(search('Rybářská 21, Plzeň')[0], ['ev.21', 'exact']);
  const near = level.addresses!.nearest({ lat: 49.7487, lng: 13.3645 }, { maxKm: 1, limit: 10 });
  assert.deepEqual(
    near.map(({ houseNumber }) => houseNumber),
    ['223/18', '306/20', 'ev.21'],
  );
  assert.equal(level.report.also?.addresses?.records.addresses, 3);
});
