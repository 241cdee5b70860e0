/** The box of a city is the same in every interface, and in none that of its house. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxAroundAll } from '../../src/core/geo.ts';
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
  assert.deepEqual([pelias.bbox, pelias.features[0].bbox], [own.bbox, own.bbox]);
  const [here] = (await ask(`/v1/reverse?lat=${own.lat}&lng=${own.lng}`)).results;
  assert.deepEqual(here.bbox, own.bbox);
});

test('a country and a region have the box of their outline in every interface', async (t) => {
  const service = await testService(t);
  const ask = async (url: string) => (await service.ask(url)).body;
  for (const [q, layer, path] of [
    ['germany', 'country', '/v1/country/DE/area?tolerance=500'],
    ['berlin', 'region', '/v1/admin/DE-BE/area?tolerance=500'],
  ]) {
    const [own] = (await ask(`/v1/search?q=${q}&layers=${layer}`)).results;
    assert.equal(own.bbox_source, 'area');
    const positions: number[][] = (await ask(path)).geometry.coordinates.flat(2);
    const [lngs, lats] = [0, 1].map((at) => positions.map((position) => position[at]));
    assert.deepEqual(own.bbox, [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]);
    const [west, south, east, north] = own.bbox;
    const [nominatim] = await ask(
      `/nominatim/search?q=${q}&format=jsonv2&featureType=${layer.replace('region', 'state')}`,
    );
    assert.deepEqual(nominatim.boundingbox.map(Number), [south, north, west, east]);
    const [photon] = (await ask(`/photon/api?q=${q}&layer=${layer.replace('region', 'state')}`)).features;
    assert.deepEqual(photon.properties.extent, [west, north, east, south]);
    assert.deepEqual((await ask(`/pelias/v1/search?text=${q}&layers=${layer}&size=1`)).bbox, own.bbox);
  }
});

test('the box around boxes crosses the antimeridian where the widest gap is elsewhere', () => {
  const box = (west: number, east: number) => ({ west, east, south: west / 10, north: 20 });
  assert.deepEqual(boxAroundAll([box(27, 180), box(-180, -169)]), [27, -18, -169, 20]);
  assert.deepEqual(boxAroundAll([box(5, 10), box(-60, -50)]), [-60, -6, 10, 20]);
  assert.deepEqual(boxAroundAll([box(-180, 180), box(-60, -50)]), [-180, -18, 180, 20]);
  assert.deepEqual(boxAroundAll([box(0, 9), box(2, 3), box(172, 180)]), [0, 0, 180, 20]);
  assert.equal(boxAroundAll([]), undefined);
});
