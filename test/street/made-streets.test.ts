/** Streets that only addresses mention. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

const row = { city: 'Berlin', country: 'DE' };
const houses = (street: string, lat: number, more: object = {}) =>
  ['1', '2', '3'].map((houseNumber, at) => ({
    ...row,
    street,
    houseNumber,
    lat: lat + at * 0.002,
    lng: 13.4,
    ...more,
  }));

suite('streets derived from addresses', () => {
  let directory: string;
  let level: StreetLevel;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'whereabouts-made-'));
    await buildSmallDataset(directory);
    const register = sourceOf({
      addresses: [
        ...houses('LANGE GASSE', 52.5),
        ...houses('Bullerbü', 52.6, { isPlace: true }),
        ...houses('Hauptstraße', 52.7),
      ],
    });
    const map = sourceOf(
      {
        addresses: houses('Vergessene Gasse', 52.8),
        streets: [
          {
            ...row,
            name: 'Hauptstraße',
            highwayType: 'primary',
            lat: 52.7,
            lng: 13.4,
            lines: [Float64Array.of(13.4, 52.7, 13.4, 52.71)],
          },
        ],
      },
      { group: 'odbl', id: 'map' },
    );
    const { report } = { report: await buildStreetLevel({ directory, progress() {}, part: 'made' }, [register, map]) };
    assert.deepEqual(report.records, { streets: 3 });
    assert.deepEqual(report.sources.map(({ id }) => id).sort(), ['map', 'small']);
    level = openStreets(directory, citiesOf(directory), [{ name: 'made', number: 3 }]);
  });
  after(() => {
    level.close();
    rmSync(directory, { recursive: true });
  });

  const named = (text: string, near?: { lat: number; lng: number }) =>
    level.streets.search({ text, radiusKm: 2, limit: 10, ...(near && { near }) });

  test('a street of a register is found by its name, and by its houses around a position', () => {
    const [found, ...others] = named('Lange Gasse');
    assert.deepEqual(others, []);
    assert.deepEqual([found.name, found.highwayType, found.city, found.lat], ['LANGE GASSE', null, 'Berlin', 52.502]);
    const [near] = named('Lange Gasse', { lat: 52.5041, lng: 13.4 });
    assert.ok(near.distanceKm! < 0.1, `${near.distanceKm} km`);
    assert.deepEqual(named('Lange Gasse', { lat: 52.55, lng: 13.4 }), []);
  });

  test('a mapped street replaces a derived one', () => {
    const found = named('Hauptstraße');
    assert.deepEqual(
      found.map(({ highwayType }) => highwayType),
      ['primary'],
    );
  });

  test('none is derived where a source has the streets of the settlement, nor for a village without streets', () => {
    assert.deepEqual(named('Vergessene Gasse'), []);
    assert.deepEqual(named('Bullerbü'), []);
    assert.equal(level.addresses.search({ text: 'Bullerbü 2 Berlin', limit: 1 })[0].matchType, 'exact');
  });
});
