import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poiCategory } from '../../../src/sources/osm/poi-categories.ts';

test('the first key of an object that gives a category decides', () => {
  const expected: [Record<string, string>, string | undefined][] = [
    [{ amenity: 'hospital' }, 'hospital'],
    [{ amenity: 'doctors', healthcare: 'doctor' }, 'hospital'],
    // Who asks for a hospital is not helped by a chemist's.
    [{ amenity: 'pharmacy', healthcare: 'pharmacy' }, 'shop'],
    [{ healthcare: 'pharmacy' }, 'shop'],
    [{ healthcare: 'physiotherapist' }, 'hospital'],
    [{ amenity: 'cafe', tourism: 'attraction' }, 'restaurant'],
    [{ amenity: 'bench', leisure: 'park' }, 'tourism'],
    [{ shop: 'bakery;cafe' }, 'shop'],
    [{ shop: 'vacant' }, undefined],
    [{ highway: 'residential', name: 'Hotel Street' }, undefined],
  ];
  for (const [tags, category] of expected) assert.equal(poiCategory(tags), category, JSON.stringify(tags));
});
