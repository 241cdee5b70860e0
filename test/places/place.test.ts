/** /place/{id} and the outlines of areas. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminArea, countryArea } from '../../src/endpoints/area.ts';
import { place } from '../../src/endpoints/place.ts';
import { reverse } from '../../src/endpoints/reverse.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

let store: Store;
let remove: () => void;
before(async () => ({ store, remove } = await openSmallStore()));
after(() => remove());

type Entry = { layer: string; id: number; code: string | null; name: string };
const hierarchy = (answer: Record<string, unknown>) => answer.hierarchy as Entry[];

test('a place by the identifier that another endpoint gave, with what it lies in', () => {
  const [munich] = ask(reverse, store, { lat: 48.1, lng: 11.6 }).results as { id: number }[];
  const found = ask(place, store, { id: munich.id });
  assert.deepEqual([found.name, found.layer, found.country, found.admin1], ['Munich', 'place', 'DE', 'Bavaria']);
  assert.deepEqual(found.postal_codes, ['80331']);
  assert.deepEqual(
    hierarchy(found).map(({ layer, code }) => code ?? layer),
    ['DE', 'DE-BY', 'DE.02.091', 'place'],
  );
});

test('the identifiers of a hierarchy lead to its countries and regions', () => {
  const [munich] = ask(reverse, store, { lat: 48.1, lng: 11.6 }).results as Record<string, unknown>[];
  const layers = hierarchy(munich).map(({ id }) => {
    const { layer, name } = ask(place, store, { id });
    return `${layer} ${name}`;
  });
  assert.deepEqual(
    layers,
    hierarchy(munich).map(({ layer, name }) => `${layer} ${name}`),
  );
});

test('an identifier that nothing has is refused with 404', () => {
  for (const id of [1, 999_999_999, 1_000_000_999, 1_000_999_999, 4_294_967_295]) {
    assert.equal(refusal(place, store, { id }).code, 'place_not_found', String(id));
  }
});

test('the outline of a country or region is a GeoJSON feature', () => {
  const { type, properties, geometry } = ask(countryArea, store, { code: 'de' }) as {
    type: string;
    properties: object;
    geometry: { type: string; coordinates: number[][][][] };
  };
  assert.deepEqual([type, geometry.type], ['Feature', 'MultiPolygon']);
  assert.deepEqual(properties, { code: 'DE', name: 'Germany', country: 'DE', tolerance: 1000 });
  const [outer] = geometry.coordinates[0];
  assert.deepEqual(outer[0], outer.at(-1));
  assert.equal((ask(adminArea, store, { iso_code: 'de-be' }).properties as { name: string }).name, 'Berlin');
});

test('unknown codes, and areas without an outline, are 404', () => {
  assert.equal(refusal(countryArea, store, { code: 'ZZ' }).code, 'country_not_found');
  assert.equal(refusal(adminArea, store, { iso_code: 'ZZ-1' }).code, 'place_not_found');
  assert.equal(refusal(adminArea, store, { iso_code: 'DE-BY' }).code, 'place_not_found');
});
