/** The time zones of the default dataset: reported points, names the runtime knows, and agreement with geo-tz. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { datasetMissing, defaultDataset, sharedData } from '../test/support/dataset.ts';
import { borderPoints, globePoints } from './sample-points.ts';

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const zones = skip ? undefined : openDataset(directory!, { layers: ['zones'] }).zones;

/** Zones of points where the polygons' publisher has decided otherwise since the report, as geo-tz answers too. */
const decidedSince: Readonly<Record<string, string>> = {
  // The salient of Wadi Halfa in Lake Nasser, which Egypt holds; reported in 2019 as Sudan's.
  '22.138993,31.416836': 'Africa/Cairo',
};

test('every point of the reported mistakes has its zone', (t) => {
  const path = sharedData('known-answers/timezone-issues.json');
  if (!zones || !path) return t.skip(zones ? 'needs ../shared/data/known-answers' : datasetMissing);
  type Issue = { lat: number; lon: number; zid?: string | string[]; zids?: string[]; description: string };
  const issues = JSON.parse(readFileSync(path, 'utf8')) as Issue[];
  assert.equal(issues.length, 58);
  for (const { lat, lon, zid, zids, description } of issues) {
    const found = zones.at({ lat, lng: lon });
    const expected = [decidedSince[`${lat},${lon}`] ?? zid ?? zids ?? []].flat();
    // Where several zones are named the point lies in all of them, or on the corner that they share.
    assert.ok(expected.includes(found), `${description}: ${found} is none of ${expected}`);
  }
});

test('the runtime has a clock for every zone that answers', { skip }, () => {
  const names = new Set([...globePoints(20_000, 7)].map((point) => zones!.at(point)));
  assert.ok(names.size > 200, String(names.size));
  const now = Temporal.Now.instant();
  for (const name of names) {
    assert.doesNotThrow(() => now.toZonedDateTimeISO(name), name);
    assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }), name);
  }
});

test('the poles and the date line have a zone', { skip }, () => {
  const corners = [-180, -179.99995, 0, 179.99995, 180].flatMap((lng) => [-90, 0, 90].map((lat) => ({ lat, lng })));
  for (const point of corners) assert.ok(zones!.clock(zones!.at(point)), `${point.lat}, ${point.lng}`);
});

test('geo-tz/all agrees on at least 99.99 % of 100,000 points, half of them within 1 km of a border', (t) => {
  if (!zones) return t.skip(datasetMissing);
  let find: (lat: number, lng: number) => string[];
  try {
    ({ find } = createRequire(import.meta.url)('geo-tz/all'));
  } catch {
    return t.skip('needs the package geo-tz: npm install --no-save geo-tz@8.1.9');
  }
  const near = borderPoints((point) => zones.at(point), { count: 50_000, withinKm: 1, seed: 5 });
  const misses = [...globePoints(50_000, 4), ...near].filter(({ lat, lng }) => {
    return find(lat, lng)[0] !== zones.at({ lat, lng });
  });
  t.diagnostic(`${misses.length} of 100,000 differ`);
  assert.ok(misses.length <= 10, JSON.stringify(misses));
});
