import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { read } from './small-map.ts';

type Expected = readonly [tags: Record<string, string>, category: string | undefined];

/** Reads a map with a node for each row, and compares their categories. */
async function assertCategories(t: TestContext, expected: readonly Expected[]): Promise<void> {
  const nodes = expected.map(([tags], at) => ({ id: at + 1, lat: at, lng: 0, tags }));
  const { pois } = await read(t, { nodes });
  for (const [at, [tags, category]] of expected.entries()) {
    const found = pois.find(({ sourceId }) => sourceId === `n${at + 1}`);
    assert.equal(found?.category, category, JSON.stringify(tags));
  }
}

test('the first key of an object with a category decides', async (t) => {
  await assertCategories(t, [
    [{ amenity: 'hospital' }, 'hospital'],
    [{ amenity: 'doctors', healthcare: 'doctor' }, 'hospital'],
    // A search for a hospital must not return a chemist's.
    [{ amenity: 'pharmacy', healthcare: 'pharmacy' }, 'shop'],
    [{ healthcare: 'pharmacy' }, 'shop'],
    [{ healthcare: 'physiotherapist' }, 'hospital'],
    [{ amenity: 'cafe', tourism: 'attraction' }, 'restaurant'],
    [{ amenity: 'bench', leisure: 'park' }, 'tourism'],
    [{ shop: 'bakery;cafe' }, 'shop'],
    [{ amenity: 'childcare' }, 'school'],
    [{ amenity: 'training' }, 'school'],
    [{ leisure: 'trampoline_park' }, 'sport'],
    [{ shop: 'vacant' }, undefined],
    [{ highway: 'residential', name: 'Hotel Street' }, undefined],
  ]);
});

test('a tag counts only as its conditions allow', async (t) => {
  const stolperstein = { historic: 'memorial', memorial: 'stolperstein', name: 'Anne Frank' };
  await assertCategories(t, [
    [stolperstein, undefined],
    [{ historic: 'memorial', memorial: 'statue' }, 'tourism'],
    [{ historic: 'memorial' }, 'tourism'],
    [{ tourism: 'information', information: 'guidepost', name: 'Gaflei' }, undefined],
    [{ tourism: 'information', information: 'board' }, undefined],
    [{ tourism: 'information' }, undefined],
    [{ tourism: 'information', information: 'office' }, 'tourism'],
    [{ amenity: 'bicycle_parking', name: 'Bahnhof' }, undefined],
    [{ amenity: 'parking' }, 'parking'],
    [{ amenity: 'parking', access: 'private', name: 'Firma' }, undefined],
    [{ amenity: 'parking', access: 'customers' }, 'parking'],
    [{ amenity: 'fuel', access: 'private', name: 'Busdepot' }, undefined],
    [{ amenity: 'fuel', access: 'yes' }, 'fuel'],
    [{ leisure: 'pitch' }, 'sport'],
    [{ leisure: 'garden' }, undefined],
    [{ leisure: 'garden', name: 'Stadtgarten' }, 'tourism'],
    [{ leisure: 'garden', 'garden:type': 'residential', name: 'Our garden' }, undefined],
    [{ public_transport: 'platform' }, undefined],
    [{ public_transport: 'platform', name: 'Post' }, 'transport'],
    [{ shop: 'yes' }, 'shop'],
    // The next key decides where the first does not count.
    [{ ...stolperstein, sport: 'chess' }, 'sport'],
  ]);
});
