/** Outlines of the default dataset: valid at every step by shapely's judgement, and of the same owners as positions. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { holds, ringOf } from '../src/core/region-index/ring.ts';
import { areaShapesFile, openAreaShapes, stepsM } from '../src/store/packed/area-shapes.ts';
import { openBoundaries } from '../src/store/packed/boundaries.ts';
import { readPack } from '../src/store/packed/pack-file.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const directory = defaultDataset();
const python = join(tmpdir(), 'whereabouts-python/bin/python');
const isJudged = spawnSync(python, ['-c', 'import shapely']).status === 0;
const skip = directory === undefined && datasetMissing;
const keys = skip ? [] : (readPack(join(directory!, areaShapesFile)).meta as { keys: string[] }).keys;

test('no outline crosses itself, and rings run as RFC 7946 has them, at every step', {
  skip: skip || (!isJudged && 'needs shapely: clients/python/requirements.txt'),
}, async () => {
  const judge = spawn(python, [join(import.meta.dirname, 'outlines.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  let found = '';
  judge.stdout.on('data', (text) => (found += text));
  const shapeOf = openAreaShapes(directory!);
  for (const tolerance of stepsM) {
    for (const key of keys) {
      const { coordinates } = shapeOf(key, tolerance)!;
      if (!judge.stdin.write(`${JSON.stringify([key, tolerance, coordinates])}\n`)) await once(judge.stdin, 'drain');
    }
  }
  judge.stdin.end();
  assert.deepEqual(await once(judge, 'close'), [0, null]);
  assert.equal(found, '');
  assert.ok(keys.length > 3_000);
});

test('a position on land is in the outline of its country and in no other', { skip }, () => {
  const world = openWorld(directory!);
  const boundaries = openBoundaries(directory!, world);
  const shapeOf = openAreaShapes(directory!);
  const outlines = keys
    .filter((key) => !key.includes('.'))
    .flatMap((country) =>
      shapeOf(country, stepsM[0])!.coordinates.map((rings) => ({
        country,
        rings: rings.map((points) => ringOf(Float64Array.from(points.flat()))),
      })),
    );
  const countriesAt = (lat: number, lng: number) =>
    outlines
      .filter(
        ({ rings: [outer] }) => outer.west <= lng && outer.east >= lng && outer.south <= lat && outer.north >= lat,
      )
      .filter(({ rings: [outer, ...holes] }) => holds(outer, lng, lat) && !holes.some((hole) => holds(hole, lng, lat)))
      .map(({ country }) => country);
  for (const [what, lat, lng, owner] of [
    ['Maseru', -29.31, 27.48, 'LS'],
    ['Kowloon', 22.33, 114.18, 'HK'],
    ['Simferopol', 44.95, 34.1, 'UA'],
    ['Laayoune', 27.15, -13.2, 'EH'],
    ['Campione', 45.97, 8.97, 'IT'],
    ['Vatican', 41.903, 12.453, 'VA'],
    ['Taipei', 25.04, 121.52, 'TW'],
    ['Ramallah', 31.9, 35.2, 'PS'],
    ['Pristina', 42.66, 21.16, 'XK'],
  ] as const) {
    assert.equal(boundaries.countryAt({ lat, lng }), owner, what);
    assert.deepEqual(countriesAt(lat, lng), [owner], what);
  }
  let [sampled, several, other] = [0, 0, 0];
  for (let place = 0; place < world.places.size; place += 23) {
    const { lat, lng } = world.places.get(place);
    const found = countriesAt(lat, lng);
    sampled++;
    if (found.length > 1) several++;
    if (found.length === 1 && found[0] !== boundaries.countryAt({ lat, lng })) other++;
  }
  console.log(`${sampled} places: ${several} in two outlines, ${other} in another's`);
  assert.ok(several <= sampled / 5_000, `${several} of ${sampled}`);
  assert.ok(other <= sampled / 1_000, `${other} of ${sampled}`);
});
