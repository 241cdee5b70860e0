/** /streets and /pois against a scan of everything the source has: same set, same order, distances within a metre. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import { readStreets } from '../../src/sources/source-kinds.ts';
import { nameWords, plainWords, queryWords, sharesVariant, streetKey, type Word } from '../../src/text/words.ts';
import { poiCategories } from '../support/poi-categories.ts';
import { sharedData } from '../support/shared-data.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import type { AddressRecord, PoiRecord, StreetRecord } from '../support/street-batches.ts';
import { collect } from '../support/street-batches.ts';
import { openStreets } from '../support/street-engines.ts';

const queryCount = 1000;

const read = new Map<string, Word[]>();
/** The words of a name, which a scan comes to again and again. */
const wordsOf = (name: string) => read.getOrInsertComputed(name, nameWords);

/** A fixed sequence of numbers in [0, 1) (Park and Miller 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

async function storeOf(
  t: TestContext,
  streets: StreetRecord[],
  pois: PoiRecord[],
  addresses: AddressRecord[] = [],
): Promise<StreetLevel> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-brute-'));
  await buildSmallDataset(directory);
  for (const name of readdirSync(directory)) if (name.endsWith('.sqlite')) rmSync(join(directory, name));
  await buildStreetLevel({ directory, progress() {} }, [sourceOf({ streets, pois, addresses })]);
  const level = openStreets(directory, undefined);
  t.after(() => {
    level.close();
    rmSync(directory, { recursive: true });
  });
  return level;
}

/** Records in a few towns, one of them on the antimeridian and one near the pole. */
function madeUp(): { streets: StreetRecord[]; pois: PoiRecord[] } {
  const random = randomNumbers(11);
  const words = ['Mill', 'Church', 'High', 'Lake', 'St. Paul', 'Königs', 'Mühl', 'Rosa', 'North', '42nd'];
  const kinds = ['Street', 'Road', 'Lane', 'straße', 'Avenue', 'Rd'];
  const towns = [
    { lat: 52.5, lng: 13.4 },
    { lat: -16.8, lng: 179.99 },
    { lat: 78.2, lng: 15.6 },
  ];
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const near = ({ lat, lng }: LatLng, spread: number): LatLng => {
    const east = lng + (random() - 0.5) * spread;
    return { lat: lat + (random() - 0.5) * spread, lng: east > 180 ? east - 360 : east };
  };
  const round = ({ lat, lng }: LatLng) => ({ lat: Math.round(lat * 1e7) / 1e7, lng: Math.round(lng * 1e7) / 1e7 });
  const streets = Array.from({ length: 400 }, (_, at): StreetRecord => {
    const start = near(pick(towns), 0.4);
    const vertices = Array.from({ length: 6 }, () => round(near(start, 0.02)));
    const name = `${pick(words)} ${pick(kinds)} ${at}`;
    return {
      name,
      country: 'DE',
      city: `Town ${at % 7}`,
      ...vertices[0],
      lines: [Float64Array.from(vertices.flatMap(({ lat, lng }) => [lng, lat]))],
    };
  });
  const pois = Array.from({ length: 3000 }, (): PoiRecord => {
    const cuisine = random() < 0.3 ? pick(['pizza;italian', 'sushi', 'Fish & Chips, burger']) : undefined;
    return {
      name: `${pick(words)} ${pick(['Café', 'Hotel', 'Markt'])}`,
      category: pick(poiCategories),
      country: 'DE',
      cuisine,
      ...round(near(pick(towns), 0.5)),
    };
  });
  return { streets, pois };
}

function vertices({ lines }: StreetRecord): LatLng[] {
  return lines.flatMap((line) =>
    Array.from({ length: line.length / 2 }, (_, at) => ({ lng: line[2 * at], lat: line[2 * at + 1] })),
  );
}

/** What the store takes for one street: names that differ in spelling only, in one city. */
function merged(streets: StreetRecord[]): StreetRecord[] {
  return [...Map.groupBy(streets, ({ name, city, country }) => `${streetKey(name)}, ${city}, ${country}`).values()].map(
    (pieces) => ({
      ...pieces[0],
      lines: pieces.flatMap(({ lines }) => lines),
      otherNames: pieces.flatMap(({ name, otherNames = [] }) => [name, ...otherNames]),
    }),
  );
}

/** Whether a name has a word for each of a query's words; a word given twice has to be there twice. */
function hasAll(name: readonly Word[], query: readonly Word[]): boolean {
  const left = [...name];
  return query.every((word) => {
    const at = left.findIndex((other) => sharesVariant(word, other));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}

function checkStreets(level: StreetLevel, streets: StreetRecord[]): void {
  const random = randomNumbers(3);
  const words = streets.map(({ name, otherNames = [] }) => [name, ...otherNames].map(wordsOf));
  let answers = 0;
  for (let round = 0; round < queryCount; round++) {
    const street = streets[Math.floor(random() * streets.length)];
    const all = queryWords(street.name);
    const query = random() < 0.5 ? all : [all[Math.floor(random() * all.length)]];
    const text = query.flat().join(' ');
    const from = { lat: street.lat + (random() - 0.5) * 0.1, lng: street.lng + (random() - 0.5) * 0.1 };
    if (Math.abs(from.lng) > 180) from.lng -= 360 * Math.sign(from.lng);
    const radiusKm = [0.5, 2, 5, 20, 100][Math.floor(random() * 5)];
    const asQuery = queryWords(text);
    // A letter or two near a position begin a word.
    const isBeginning = asQuery.length === 1 && /^\p{L}{1,2}$/u.test(text);
    const begins = ({ name, otherNames = [] }: StreetRecord) =>
      [name, ...otherNames].some((one) => plainWords(one).some((word) => word.startsWith(asQuery[0][0])));
    const expected = streets
      .flatMap((candidate, at) => {
        const isNamed = words[at].some((name) => hasAll(name, asQuery));
        if (!isNamed && !(isBeginning && begins(candidate))) return [];
        const km = Math.min(...vertices(candidate).map((vertex) => distanceKm(from, vertex)));
        return km <= radiusKm ? [{ name: candidate.name, km }] : [];
      })
      .sort((a, b) => a.km - b.km);
    const got = level.streets.search({ text, near: from, radiusKm, limit: Math.max(50, expected.length) });
    // Edits are searched for when nothing is found as written.
    if (expected.length === 0) continue;
    answers += expected.length;
    assertSame(
      got.map(({ name, distanceKm: km }) => ({ name, km: km! })),
      expected,
      `${text} ${JSON.stringify(from)} ${radiusKm}`,
    );
  }
  assert.ok(answers > queryCount, `${answers} streets were compared`);
}

function checkPois(level: StreetLevel, pois: PoiRecord[]): void {
  const random = randomNumbers(5);
  let answers = 0;
  for (let round = 0; round < queryCount; round++) {
    const poi = pois[Math.floor(random() * pois.length)];
    const from = { lat: poi.lat + (random() - 0.5) * 0.05, lng: poi.lng + (random() - 0.5) * 0.05 };
    if (Math.abs(from.lng) > 180) from.lng -= 360 * Math.sign(from.lng);
    const radiusKm = [0.2, 1, 5, 50][Math.floor(random() * 4)];
    const category = random() < 0.4 ? poi.category : undefined;
    const name = random() < 0.2 ? poi.name : undefined;
    const limit = [1, 10, 100][round % 3];
    const wanted = name === undefined ? [] : queryWords(name);
    if (name !== undefined && wanted.length === 0) continue;
    const expected = pois
      .map((candidate) => ({ candidate, km: distanceKm(from, candidate) }))
      .filter(({ candidate, km }) => {
        if (km > radiusKm || (category && candidate.category !== category)) return false;
        const names = [candidate.name ?? '', ...(candidate.otherNames ?? [])].flatMap(wordsOf);
        return wanted.every((word) => names.some((other) => sharesVariant(word, other)));
      })
      .sort((a, b) => a.km - b.km)
      .map(({ candidate, km }) => ({ name: candidate.name ?? null, km }));
    const got = level.pois.nearest(from, { radiusKm, category, name, limit });
    answers += got.length;
    assertSame(
      got.map((found) => ({ name: found.name, km: found.distanceKm })),
      expected.slice(0, limit),
      JSON.stringify({ from, radiusKm, category, name, limit }),
      expected,
    );
  }
  assert.ok(answers > queryCount, `${answers} points were compared`);
}

type Near = { name: string | null; km: number };

/** Same distances in the same order within 1 m; names may change places only where distances are equal to 1 m. */
function assertSame(got: Near[], expected: Near[], what: string, candidates = expected): void {
  assert.equal(got.length, expected.length, what);
  for (const [at, { km }] of expected.entries()) assert.ok(Math.abs(got[at].km - km) <= 0.001, `${what}: ${at}`);
  for (const [at, { name, km }] of got.entries()) {
    assert.ok(
      candidates.some((other) => other.name === name && Math.abs(other.km - km) <= 0.001),
      `${what}: ${at} ${name}`,
    );
  }
}

test('made-up streets and points are found as by a scan, also across the antimeridian and near the pole', async (t) => {
  const { streets, pois } = madeUp();
  const level = await storeOf(t, streets, pois);
  checkStreets(level, streets);
  checkPois(level, pois);
});

test('the nearest houses are those of a scan, next to a position or far from it', async (t) => {
  const random = randomNumbers(17);
  const position = () => ({
    lat: Math.round((52.5 + (random() - 0.5) * 0.04) * 1e6) / 1e6,
    lng: Math.round((13.4 + (random() - 0.5) * 0.04) * 1e6) / 1e6,
  });
  const houses = Array.from(
    { length: 400 },
    (_, at): AddressRecord => ({
      street: `Lindenweg ${'abcdefghijklmnop'[at % 16]}`,
      houseNumber: String(at + 1),
      city: 'Berlin',
      country: 'DE',
      ...position(),
    }),
  );
  const level = await storeOf(t, [], [], houses);
  for (let round = 0; round < 200; round++) {
    const from = position();
    const limit = [1, 3, 20][round % 3];
    const maxKm = [0.05, 0.3, 1][(round % 7) % 3];
    const expected = houses
      .map((house) => ({ name: house.houseNumber, km: distanceKm(from, house) }))
      .filter(({ km }) => km <= maxKm)
      .sort((a, b) => a.km - b.km)
      .slice(0, limit);
    const got = level.addresses.nearest(from, { maxKm, limit });
    assertSame(
      got.map(({ houseNumber: name, distanceKm: km }) => ({ name, km })),
      expected,
      JSON.stringify({ from, limit, maxKm }),
    );
  }
});

test('a common name in a large circle: the nearest streets, as by a scan, however small the limit', async (t) => {
  const random = randomNumbers(23);
  const streets = Array.from({ length: 1500 }, (_, at): StreetRecord => {
    const [lat, lng] = [47 + random(), 9 + random() * 1.5].map((degrees) => Math.round(degrees * 1e7) / 1e7);
    const name = ['Main Street', 'Station Road', 'Rue Haute'][at % 3];
    const lines = [Float64Array.of(lng, lat, lng + 0.004, lat + 0.003)];
    return { name, country: 'DE', city: `Town ${at}`, lat, lng, lines };
  });
  const level = await storeOf(t, streets, []);
  for (let round = 0; round < 200; round++) {
    const text = ['Main', 'main st', 'Street', 'Station Road', 'rue'][round % 5];
    const from = { lat: 46.9 + random() * 1.2, lng: 8.9 + random() * 1.7 };
    const radiusKm = [3, 30, 100][round % 3];
    const asQuery = queryWords(text);
    const expected = streets
      .filter(({ name }) => hasAll(wordsOf(name), asQuery))
      .map((street) => ({ name: street.city!, km: Math.min(...vertices(street).map((at) => distanceKm(from, at))) }))
      .filter(({ km }) => km <= radiusKm)
      .sort((a, b) => a.km - b.km)
      .slice(0, 10);
    const got = level.streets.search({ text, near: from, radiusKm, limit: 10 });
    const what = `${text} ${JSON.stringify(from)} ${radiusKm}`;
    assertSame(
      got.map(({ city, distanceKm: km }) => ({ name: city!, km: km! })),
      expected,
      what,
    );
  }
});

test('streets in a city are those of a scan, also of a city whose name others share', async (t) => {
  const random = randomNumbers(29);
  const words = ['Mill', 'Church', 'Rosen', 'Lake', 'Linden', 'Königs'];
  const kinds = ['Street', 'straße', 'Road', 'Lane', 'weg'];
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const streets = Array.from({ length: 1200 }, (): StreetRecord => {
    const town = Math.floor(random() * 40);
    const name = `${pick(words)}${random() < 0.5 ? ' ' : ''}${pick(kinds)}`;
    const [lat, lng] = [47 + (town % 8) + random() * 0.1, 6 + town / 8 + random() * 0.1];
    const city = ['Springfield', 'Lakeside', `Town ${town}`][town % 3];
    return { name, country: town % 2 === 0 ? 'DE' : 'AT', city, lat, lng, lines: [Float64Array.of(lng, lat)] };
  });
  const level = await storeOf(t, streets, []);
  const known = merged(streets);
  for (const text of ['mill', 'Lindenstr', 'lane', 'Königsweg', 'church rd', 'Rosen Straße', 'lake']) {
    for (const city of ['springfield', 'Lakeside', 'Town 2', 'Town 38', 'Nowhere']) {
      for (const country of [undefined, 'DE', 'AT']) {
        const expected = known
          .filter((street) => hasAll(wordsOf(street.name), queryWords(text)))
          .filter((street) => street.city!.toLowerCase() === city.toLowerCase())
          .filter((street) => country === undefined || street.country === country)
          .map((street) => `${streetKey(street.name)}, ${street.city}, ${street.country}`);
        const got = level.streets
          .search({ text, city, country, radiusKm: 5, limit: 500 })
          .map((street) => `${streetKey(street.name)}, ${street.city}, ${street.country}`);
        // Names with a word that begins so follow, where there is room.
        const first = expected.length > 0 ? got.slice(0, expected.length) : got;
        assert.deepEqual(first.toSorted(), expected.toSorted(), `${text}, ${city}, ${country}`);
      }
    }
  }
});

test('streets and points of Liechtenstein are found as by a scan', async (t) => {
  const path = sharedData(t, 'osm/liechtenstein-2024.osm.pbf');
  if (!path) return;
  const { streets, pois } = await collect((options) => readStreets('osm-pbf', path, options));
  const placed = streets.map((street) => ({ ...street, city: street.city ?? 'Liechtenstein', country: 'LI' }));
  const level = await storeOf(t, placed, pois);
  checkStreets(level, merged(placed));
  checkPois(level, pois);
});
