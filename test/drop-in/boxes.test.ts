/** The box of a city is the same in every interface, and in none that of its house. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../support/service.ts';

test('a city has one box in /v1, Nominatim, Photon and Pelias', async (t) => {
  const service = await testService(t);
  const ask = async (url: string) => (await service.ask(url)).body;
  const [own] = (await ask('/v1/search?q=berlin&country=DE')).results;
  assert.equal(own.bbox_source, 'estimate');
  const [west, south, east, north] = own.bbox;
  assert.ok(west < own.lng && own.lng < east && south < own.lat && own.lat < north);
  const key = `key=${service.key}`;
  const [nominatim] = await ask(`/nominatim/search?q=berlin&countrycodes=de&format=jsonv2&${key}`);
  assert.deepEqual(nominatim.boundingbox.map(Number), [south, north, west, east]);
  const [photon] = (await ask(`/photon/api?q=berlin&${key}`)).features;
  assert.deepEqual(photon.properties.extent, [west, north, east, south]);
  const pelias = await ask(`/pelias/v1/search?text=berlin&size=1&${key}`);
  assert.deepEqual(pelias.bbox, own.bbox);
  const [here] = (await ask(`/v1/reverse?lat=${own.lat}&lng=${own.lng}`)).results;
  assert.deepEqual(here.bbox, own.bbox);
});
