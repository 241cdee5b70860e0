import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poiCategory } from '../../../src/sources/osm/feature.ts';

test('the first key of an object with a category decides', () => {
  const expected: [Record<string, string>, string | undefined][] = [
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
  ];
  for (const [tags, category] of expected) assert.equal(poiCategory(tags), category, JSON.stringify(tags));
});

test('a tag counts only as its conditions allow', () => {
  const stolperstein = { historic: 'memorial', memorial: 'stolperstein', name: 'Anne Frank' };
  const expected: [Record<string, string>, string | undefined][] = [
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
  ];
  for (const [tags, category] of expected) assert.equal(poiCategory(tags), category, JSON.stringify(tags));
});
