/** The table of well-known islands, waters and mountains, and how it goes together with a user's tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedFeatures, wellKnownFeatures } from '../../src/build/layers/world/features.ts';
import { featureLayers } from '../../src/store/store.ts';
import type { NamedFeature } from '../support/build-layer.ts';

const all = wellKnownFeatures(() => true);
const skye = all.find(({ name }) => name === 'Isle of Skye')!;
const fromTable = (more: Partial<NamedFeature>): NamedFeature => ({
  ...skye,
  source: 'geonames',
  sourceId: '2637937',
  name: 'Skye',
  knownNames: [],
  otherNames: ['Eilean a’ Cheò'],
  lat: 57.27,
  lng: -6.22,
  prominence: 30,
  ...more,
});

test('every row has a layer, a country, a position, a fame and a name of its own', () => {
  assert.ok(all.length > 850);
  for (const feature of all) {
    const { layer, country, lat, lng, prominence, sourceId } = feature;
    assert.ok(featureLayers.includes(layer), sourceId);
    assert.match(country!, /^[A-Z]{2}$/, sourceId);
    assert.ok(Math.abs(lat) <= 90 && Math.abs(lng) <= 180, sourceId);
    assert.ok(prominence > 0, sourceId);
    assert.ok(!feature.knownNames.includes(feature.name), sourceId);
  }
  assert.equal(new Set(all.map(({ sourceId }) => sourceId)).size, all.length);
});

test('features of countries that the dataset lacks are left out', () => {
  const british = wellKnownFeatures((code) => code === 'GB');
  assert.ok(british.includes(british.find(({ name }) => name === 'Isle of Skye')!));
  assert.deepEqual([...new Set(british.map(({ country }) => country))], ['GB']);
});

test("a user's feature that is well known is one record with the names and the prominence of both", () => {
  const [merged, ...others] = joinedFeatures([fromTable({})], [skye]);
  assert.deepEqual(others, []);
  assert.equal(merged.sourceId, '2637937');
  assert.equal(merged.name, 'Skye');
  assert.deepEqual(merged.knownNames, ['Isle of Skye', 'An t-Eilean Sgitheanach']);
  assert.equal(merged.prominence, skye.prominence);
  const [larger] = joinedFeatures([fromTable({ prominence: 90 })], [skye]);
  assert.equal(larger.prominence, 90);
});

test('of two with one name the first is the well-known one; namesakes elsewhere and in other layers stay apart', () => {
  const twice = joinedFeatures([fromTable({}), fromTable({ sourceId: '2' })], [skye]);
  assert.deepEqual(
    twice.map(({ prominence }) => prominence),
    [skye.prominence, 30],
  );
  assert.equal(joinedFeatures([fromTable({ lat: 45 })], [skye]).length, 2);
  assert.equal(joinedFeatures([fromTable({ layer: 'peak' })], [skye]).length, 2);
});

test('names by language are apart from other spellings', () => {
  const bali = all.find(({ name }) => name === 'Bali')!;
  assert.equal(bali.namesIn.zh, '巴厘岛');
  assert.ok(bali.knownNames.includes('Pulau Bali'));
});
