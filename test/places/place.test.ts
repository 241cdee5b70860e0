/** /place/{id} and the outlines of areas. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import type { Endpoint } from '../support/ask.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { address, adminArea, countryArea, autocomplete, nearby, place, pois, reverse, search, streets } = endpoints;

let store: Store;
let remove: () => void;
before(async () => ({ store, remove } = await openSmallStore()));
after(() => remove());

type Entry = { layer: string; id: number; code: string | null; name: string };
const hierarchy = (answer: Record<string, unknown>) => answer.hierarchy as Entry[];

test('a place by the identifier that another endpoint returned, with what it lies in', () => {
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

type Row = Record<string, unknown>;
const questions: [layer: string, endpoint: Endpoint, parameters: Row][] = [
  ['country', search, { q: 'Germany', layers: 'country' }],
  ['region', search, { q: 'Bavaria', layers: 'region' }],
  ['place', nearby, { lat: 48.1, lng: 11.6 }],
  ['place', autocomplete, { q: 'berl', layers: 'place' }],
  ['postal', search, { q: '10115', layers: 'postal' }],
  ['street', streets, { q: 'Hauptstraße', limit: 50 }],
  ['street', streets, { q: 'Downing Street', lat: 51.5, lng: -0.13 }],
  ['street', search, { q: 'Downing Street', layers: 'street' }],
  ['address', address, { q: '5 bis rue de la Paix Paris' }],
  ['address', search, { q: '12a Hauptstraße Berlin', layers: 'address' }],
  ['address', address, { q: 'Hauptstraße 5', city: 'Berlin' }],
  ['poi', pois, { lat: 52.48, lng: 13.35, radius: 50, category: 'restaurant' }],
];

test('every identifier that an endpoint returns leads to that record, and no two records share one', () => {
  const records = new Map<number, string>();
  for (const [layer, endpoint, parameters] of questions) {
    const results = ask(endpoint, store, parameters).results as Row[];
    assert.ok(results.length > 0, JSON.stringify(parameters));
    for (const result of results) {
      const found = ask(place, store, { id: result.id as number });
      const { id, lat, lng, country = result.country } = found;
      assert.equal(found.layer, layer, JSON.stringify(result));
      assert.deepEqual([String(id), lat, lng], [String(result.id), result.lat, result.lng], JSON.stringify(result));
      assert.equal(country, found.country);
      if ('house_number' in result) assert.equal(found.house_number, result.house_number);
      else if (layer !== 'postal') assert.equal(found.name, result.name);
      assert.equal(hierarchy(found)[0].code, found.country);
      const record = `${found.layer} ${found.name} ${lat} ${lng}`;
      assert.equal(records.get(id as number) ?? record, record);
      records.set(id as number, record);
    }
  }
  assert.ok(records.size > 12, String(records.size));
});

test('a house has its street, city and regions above it, a street all that is known of it', () => {
  const [house] = ask(address, store, { q: 'Hauptstraße 12a', city: 'Berlin' }).results as Row[];
  const found = ask(place, store, { id: house.id });
  assert.deepEqual(
    hierarchy(found).map(({ layer, name }) => `${layer} ${name}`),
    ['country Germany', 'region Berlin', 'place Berlin', 'street Hauptstraße'],
  );
  assert.deepEqual([found.match_type, found.postal_codes, found.timezone], ['exact', ['10827'], 'Europe/Berlin']);
  const street = ask(place, store, { id: hierarchy(found).at(-1)!.id });
  assert.deepEqual([street.layer, street.highway_type, street.postal_codes], ['street', 'primary', ['10827']]);
  const [other] = ask(streets, store, { q: 'Hauptstraße', city: 'Berlin' }).results as Row[];
  assert.equal(String(street.id), other.id);
});

test('a region has the time zone of its position', () => {
  const [found] = ask(search, store, { q: 'Bavaria', layers: 'region' }).results as Row[];
  assert.equal(found.timezone, 'Europe/Berlin');
  assert.equal(ask(place, store, { id: found.id }).timezone, 'Europe/Berlin');
});

test('a point of interest has its category and what it lies in; a country its names', () => {
  const [charite] = ask(pois, store, { lat: 52.526, lng: 13.377 }).results as Row[];
  const found = ask(place, store, { id: charite.id });
  assert.deepEqual([found.category, found.country, found.admin1], ['hospital', 'DE', 'Berlin']);
  const [germany] = ask(search, store, { q: 'Germany', layers: 'country' }).results as Row[];
  assert.equal((ask(place, store, { id: germany.id }).names as Record<string, string>).fr, 'Allemagne');
});

test('an interpolated position between numbers with letters was never a record: 404', () => {
  const [interpolated] = ask(address, store, { q: 'Hauptstraße 5b', city: 'Berlin' }).results as Row[];
  assert.equal(interpolated.match_type, 'interpolated');
  assert.equal(refusal(place, store, { id: interpolated.id }).code, 'place_not_found');
});

test('an unknown identifier is refused with 404', () => {
  const unknown = [1, 999_999_999, 1_000_000_999, 1_000_999_999, 1_100_999_999, 4_294_967_295, 2 ** 32, 2 ** 52];
  for (const id of [...unknown, Number.MAX_SAFE_INTEGER]) {
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
