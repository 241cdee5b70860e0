/** Where codes lie whose place the gazetteer lacks: among the places of codes with the same prefix, or nowhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinCountry } from '../../src/build/layers/postal/join.ts';
import type { NamedPostalRow } from '../../src/core/postal/code.ts';
import type { Place } from '../../src/store/store.ts';

type Known = [code: string, name: string, lat: number, lng: number, population?: number];

/** The area derived for a code of an unknown place from codes of known ones. */
const areaOf = (...of: Parameters<typeof joinedOf>) => joinedOf(...of).around;

/** A code of the place `Unknown`, joined. */
function joinedOf(country: string, code: string, known: readonly Known[]) {
  const places = known.map(([, name, lat, lng, population = 900], index) => ({
    index,
    name,
    lat,
    lng,
    population,
    admin1: 0,
  }));
  const gazetteer = {
    places: {
      named: (name: string) => places.filter((place) => place.name === name).map(({ index }) => index),
      get: (index: number) => places[index] as unknown as Place,
    },
    regions: { get: () => ({ sourceCode: '' }), matching: () => [] },
  } as unknown as Parameters<typeof joinCountry>[1];
  const row = (code: string, place: string): NamedPostalRow => ({ country, code, place, names: [place], weight: 1 });
  const rows = [...known.map(([code, name]) => row(code, name)), row(code, 'Unknown')];
  return joinCountry(rows, gazetteer, {}).at(-1)!;
}

const around: Known[] = [
  ['8401', 'A', 47.5, 8.7],
  ['8402', 'B', 47.52, 8.72],
  ['8403', 'C', 47.48, 8.74],
  ['8404', 'D', 47.51, 8.68],
  ['8405', 'E', 47.49, 8.71],
];

test('a code of an unknown place lies among the places of codes with the same prefix, and its radius covers them all', () => {
  const area = areaOf('CH', '8406', around);
  assert.ok(area);
  assert.deepEqual([area.lat, area.lng], [47.5, 8.71]);
  assert.ok(area.radiusKm >= 5 && area.radiusKm < 10, String(area.radiusKm));
});

test('where one of these places is an island far off, or all codes are of one town, its position is unknown', () => {
  assert.equal(areaOf('CH', '8406', [...around, ['8407', 'Island', 48.5, 8.7]]), undefined);
  const oneTown = around.map(([code]): Known => [code, 'A', 47.5, 8.7]);
  assert.equal(
    areaOf(
      'CH',
      '8406',
      [oneTown[0], ...oneTown.slice(1)].map(([code]) => [code, 'A', 47.5, 8.7]),
    ),
    undefined,
  );
});

test('a place of the name that is far off in the same region is within the radius: the code may be its', () => {
  const others = Array.from({ length: 25 }, (_, at): Known => [`84${20 + at}`, `T${at}`, 47.5, 8.7 + at / 1000]);
  const area = areaOf('CH', '8406', [...around, ...others, ['9999', 'Unknown', 46.5, 8.7]]);
  assert.ok(area);
  assert.ok(area.radiusKm > 110, String(area.radiusKm));
});

test('a city stays the place of its name where neighbours are too far apart to say otherwise', () => {
  const scattered = Array.from({ length: 6 }, (_, at): Known => [`8${at}00`, `T${at}`, 47, 8 + at]);
  const { place } = joinedOf('CH', '8906', [
    ...scattered,
    ['8907', 'Unknown', 47, 6, 900_000],
    ['7000', 'Unknown', 47, 10],
  ]);
  assert.equal(place?.lng, 6);
});
