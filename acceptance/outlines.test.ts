/** Outlines of the default dataset: valid at every step by shapely's judgement, and of the same owners as positions. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { holds, ringOf } from '../src/core/region-index/ring.ts';
import type { Store } from '../src/store/store.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { serve } from './contract/served.ts';

const directory = defaultDataset();
const python = join(tmpdir(), 'whereabouts-python/bin/python');
const isJudged = spawnSync(python, ['-c', 'import shapely']).status === 0;
const skip = directory === undefined && datasetMissing;
/** Tolerances there are outlines for, in metres. */
const stepsM = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];

/** Countries and regions with an outline, by key, and how the dataset names them. */
function outlinesIn({ countries, regions, boundaries }: Store): Map<string, string | number> {
  const level1 = Array.from({ length: regions.size }, (_, at) => regions.get(at)).filter(({ level }) => level === 1);
  const areas: [string, string | number][] = [
    ...[...countries.assigned.map(({ iso2 }) => iso2), 'XK'].map((code): [string, string] => [code, code]),
    ...level1.map(({ country, sourceCode, index }): [string, number] => [`${country}.${sourceCode}`, index]),
  ];
  return new Map(areas.filter(([, area]) => boundaries!.hasShape(area)));
}
const world = skip ? undefined : openDataset(directory!, { layers: ['world', 'boundaries', 'zones'] });
const keys = world ? outlinesIn(world) : new Map<string, string | number>();

test('no outline crosses itself, and rings run as RFC 7946 has them, at every step', {
  skip: skip || (!isJudged && 'needs shapely: packages/python/requirements.txt'),
}, async () => {
  const judge = spawn(python, [join(import.meta.dirname, 'outlines.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  let found = '';
  judge.stdout.on('data', (text) => (found += text));
  const { shapeOf } = world!.boundaries!;
  for (const tolerance of stepsM) {
    for (const [key, area] of keys) {
      const shape = { type: 'MultiPolygon', coordinates: shapeOf(area, tolerance)!.coordinates() };
      if (!judge.stdin.write(`${key} ${tolerance} ${JSON.stringify(shape)}\n`)) await once(judge.stdin, 'drain');
    }
  }
  judge.stdin.end();
  assert.deepEqual(await once(judge, 'close'), [0, null]);
  assert.equal(found, '');
  assert.ok(keys.size > 3_550);
  // Each has a polygon with a place or two of its neighbours in it.
  for (const key of ['DE.07', 'DE.09', 'CH.GE', 'CH.TI', 'UY.14', 'RU.48', 'CZ.52', 'KR.13'])
    assert.ok(keys.has(key), key);
});

/** Land that neither source has a polygon of: `/reverse` gives it to the nearest shore or place. */
const hasOutline = (what: string) => !['Akrotiri', 'Dhekelia', 'Bir Tawil', 'Thitu'].includes(what);

/** The table of docs/boundaries.md and other places at borders that are disputed, with their clocks. */
const disputed = (): [what: string, lat: number, lng: number, owner: string, zone: string][] => [
  ['Maseru', -29.31, 27.48, 'LS', 'Africa/Maseru'],
  ['Campione', 45.97, 8.97, 'IT', 'Europe/'],
  ['Vatican', 41.903, 12.453, 'VA', 'Europe/'],
  ['Simferopol', 44.95, 34.1, 'UA', 'Europe/Simferopol'],
  ['Sevastopol', 44.6, 33.52, 'UA', 'Europe/Simferopol'],
  ['Kerch', 45.35, 36.47, 'UA', 'Europe/Simferopol'],
  ['Donetsk', 48, 37.8, 'UA', 'Europe/Kyiv'],
  ['Laayoune', 27.15, -13.2, 'EH', 'Africa/El_Aaiun'],
  ['Dakhla', 23.71, -15.93, 'EH', 'Africa/El_Aaiun'],
  ['Tifariti', 26.16, -10.57, 'EH', 'Africa/El_Aaiun'],
  ['Pristina', 42.66, 21.16, 'XK', 'Europe/Belgrade'],
  ['North Mitrovica', 42.896, 20.866, 'XK', 'Europe/Belgrade'],
  ['Taipei', 25.04, 121.52, 'TW', 'Asia/Taipei'],
  ['Kinmen', 24.43, 118.35, 'TW', 'Asia/Taipei'],
  ['Kowloon', 22.33, 114.18, 'HK', 'Asia/Hong_Kong'],
  ['Macao', 22.2, 113.545, 'MO', 'Asia/Macau'],
  ['Ramallah', 31.9, 35.2, 'PS', 'Asia/Hebron'],
  ['Gaza', 31.5, 34.46, 'PS', 'Asia/Gaza'],
  ['Ariel', 32.105, 35.185, 'PS', 'Asia/Jerusalem'],
  ['East Jerusalem', 31.79, 35.235, 'PS', 'Asia/Jerusalem'],
  ['Katzrin', 32.99, 35.69, 'IL', 'Asia/Jerusalem'],
  ['Srinagar', 34.09, 74.8, 'IN', 'Asia/Kolkata'],
  ['Siachen', 35.4, 77.1, 'IN', 'Asia/Kolkata'],
  ['Tawang', 27.59, 91.87, 'IN', 'Asia/Kolkata'],
  ['Muzaffarabad', 34.37, 73.47, 'PK', 'Asia/Karachi'],
  ['Gilgit', 35.92, 74.31, 'PK', 'Asia/Karachi'],
  ['Aksai Chin', 35.2, 79.2, 'CN', 'Asia/Urumqi'],
  ['Shaksgam', 36.1, 76.6, 'CN', 'Asia/Urumqi'],
  ['Doklam', 27.3, 88.95, 'BT', 'Asia/Thimphu'],
  ['Kyrenia', 35.32, 33.32, 'CY', 'Asia/Famagusta'],
  ['Sukhumi', 43, 41.02, 'GE', 'Asia/Tbilisi'],
  ['Tskhinvali', 42.23, 43.97, 'GE', 'Asia/Tbilisi'],
  ['Stepanakert', 39.82, 46.75, 'AZ', 'Asia/Baku'],
  ['Hargeisa', 9.56, 44.06, 'SO', 'Africa/Mogadishu'],
  ['Tiraspol', 46.84, 29.63, 'MD', 'Europe/Chisinau'],
  ['Akrotiri', 34.59, 32.97, 'CY', 'Asia/Nicosia'],
  ['Dhekelia', 34.985, 33.74, 'CY', 'Asia/Nicosia'],
  ['Halaib', 22.22, 36.65, 'EG', 'Africa/Cairo'],
  ['Bir Tawil', 21.87, 33.74, 'SD', 'Africa/'],
  ['Abyei', 9.6, 28.44, 'SS', 'Africa/'],
  ['Ilemi', 4.95, 35.4, 'SS', 'Africa/'],
  ['Kafia Kingi', 9.3, 24.3, 'SS', 'Africa/'],
  ['Kunashir', 44.03, 145.86, 'RU', 'Asia/'],
  ['Woody Island', 16.834, 112.34, 'CN', 'Asia/Shanghai'],
  ['Thitu', 11.052, 114.284, 'VN', 'Asia/Manila'],
  ['Stanley', -51.7, -57.85, 'FK', 'Atlantic/Stanley'],
  ['Essequibo', 6, -59.3, 'GY', 'America/Guyana'],
  ['Gibraltar', 36.14, -5.35, 'GI', 'Europe/Gibraltar'],
  ['Ceuta', 35.89, -5.31, 'ES', 'Africa/Ceuta'],
  ['Chagos', -7.31, 72.41, 'IO', 'Indian/Chagos'],
  ['Navassa', 18.4, -75.01, 'UM', 'America/Port-au-Prince'],
  ['McMurdo', -77.85, 166.67, 'AQ', 'Antarctica/McMurdo'],
];

test('over HTTP, /reverse, the outlines, /country and /timezone keep one policy where land is disputed', {
  skip,
}, async (t) => {
  const served = await serve();
  t.after(() => served.close());
  const owners = [...new Set(disputed().map(([, , , owner]) => owner))];
  const rings = new Map<string, Ring[][]>();
  for (const code of owners) {
    const { geometry } = await served.get(`/country/${code}/area`, { tolerance: 500 });
    rings.set(
      code,
      geometry.coordinates.map((part: number[][][]) => part.map(ringOfPoints)),
    );
    // Kosovo's code is user-assigned, so that it is no entry of the list.
    if (code !== 'XK') assert.equal((await served.get(`/country/${code}`)).iso2, code);
  }
  for (const [what, lat, lng, owner, zone] of disputed()) {
    const [country] = (await served.get('/reverse', { lat, lng, layers: 'country' })).results;
    assert.equal(country.country, owner, what);
    const [here] = (await served.get('/reverse', { lat, lng })).results;
    // The nearest place of an island without any is in another country.
    if (owner !== 'UM') assert.deepEqual([here.country, here.hierarchy[0].code], [owner, owner], what);
    const { timezone } = await served.get('/timezone', { lat, lng });
    assert.ok(timezone.startsWith(zone), `${what}: ${timezone}`);
    const holders = owners.filter((code) => rings.get(code)!.some((part) => isInPart(part, lat, lng)));
    assert.deepEqual(holders, hasOutline(what) ? [owner] : [], what);
  }
});

type Ring = ReturnType<typeof ringOf>;
const ringOfPoints = (points: number[][]): Ring => ringOf(Float64Array.from(points.flat()));
const isInPart = ([outer, ...holes]: Ring[], lat: number, lng: number) =>
  holds(outer, lng, lat) && !holes.some((hole) => holds(hole, lng, lat));

test('a position on land is in the outline of its country and in no other', { skip }, () => {
  const { boundaries, places, zones } = world!;
  const outlines = [...keys.keys()]
    .filter((key) => !key.includes('.'))
    .flatMap((country) =>
      boundaries!
        .shapeOf(country, stepsM[0])!
        .coordinates()
        .map((rings) => ({
          country,
          rings: rings.map(ringOfPoints),
        })),
    );
  // By degrees of latitude, as there are hundreds of thousands.
  const byLatitude = Map.groupBy(
    outlines.flatMap((outline) => {
      const [{ south, north }] = outline.rings;
      const first = Math.floor(south);
      return Array.from({ length: Math.floor(north) - first + 1 }, (_, at) => ({ degree: first + at, ...outline }));
    }),
    ({ degree }) => degree,
  );
  const countriesAt = (lat: number, lng: number) =>
    (byLatitude.get(Math.floor(lat)) ?? [])
      .filter(
        ({ rings: [outer] }) => outer.west <= lng && outer.east >= lng && outer.south <= lat && outer.north >= lat,
      )
      .filter(({ rings }) => isInPart(rings, lat, lng))
      .map(({ country }) => country);
  for (const [what, lat, lng, owner, zone] of disputed()) {
    assert.equal(boundaries!.countryAt({ lat, lng }), owner, what);
    assert.deepEqual(countriesAt(lat, lng), hasOutline(what) ? [owner] : [], what);
    assert.ok(zones!.at({ lat, lng }).startsWith(zone), `${what}: ${zones!.at({ lat, lng })}`);
  }
  let [sampled, several, other] = [0, 0, 0];
  for (let place = 0; place < places.size; place += 23) {
    const { lat, lng } = places.get(place);
    const found = countriesAt(lat, lng);
    sampled++;
    if (found.length > 1) several++;
    if (found.length === 1 && found[0] !== boundaries!.countryAt({ lat, lng })) other++;
  }
  console.log(`${sampled} places: ${several} in two outlines, ${other} in another's`);
  assert.ok(several <= sampled / 5_000, `${several} of ${sampled}`);
  assert.ok(other <= sampled / 1_000, `${other} of ${sampled}`);
});
