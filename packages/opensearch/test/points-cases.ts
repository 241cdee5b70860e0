/** Points of interest by name alone and around a position, in a real cluster: the same as in files, and with as few look-ups. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { searchable } from '../../../src/api/open.ts';
import { buildStreetLevel } from '../../../src/build/layers/streets.ts';
import type { PoiRecord } from '../../../src/core/source-records.ts';
import type { Pois } from '../../../src/store/address-contract.ts';
import { datasetSchemaVersion } from '../../../src/store/manifest.ts';
import { openStreetFiles } from '../../../src/store/sqlite/street-level.ts';
import { Deferred, whenFound } from '../../../src/store/store.ts';
import type { StreetEngine } from '../../../src/store/street-engine.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { buildSmallDataset } from '../../../test/support/small-store.ts';
import { sourceOf } from '../../../test/support/small-streets.ts';
import { openSearchEngine } from '../src/engine.ts';
import { noOpenSearch, type SearchCluster } from './support/opensearch.ts';
import { publish } from './support/search-service.ts';

type PoiPart = Parameters<typeof searchable>[0]['pois'][number];
type Clause = Parameters<PoiPart['named']>[0][number];

const noPlaces = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
const poisOf = (pois: readonly PoiPart[]) => searchable({ streets: [], pois }, noPlaces).pois;

const parts = [
  { name: 'north', number: 2 },
  { name: 'south', number: 5 },
];
/** More points of one name than a search compares with its filters. */
const bakeries = 2_050;
const options = { fuzzy: true, isPrefix: false };

const point = (name: string, lat: number, otherNames?: string[], lng = 13.4): PoiRecord => ({
  ...{ name, category: 'restaurant', country: 'DE', lat, lng },
  ...(otherNames && { otherNames }),
});
const random = randomNumbers(7);
const crowd = { lat: 40, lng: -3 };
/** Points within 10 km, with all digits of a position. */
const crowded = (count: number) =>
  Array.from({ length: count }, () => point('Kiosk', crowd.lat + random() / 10, undefined, crowd.lng + random() / 10));
const corners = [-90, 90].flatMap((lat) => [-180, 180].map((lng) => point('Corner', lat, undefined, lng)));
/** Names that together are too long for a column of the index, so that documents are read where they are found. */
const longNamed = point(
  'Inn',
  -20,
  Array.from({ length: 20 }, (_, at) => `Inn ${at} ${'o'.repeat(490)}`),
);
/** One name is longer than a build keeps: it is left out. */
const tooLong = point(`Inn ${'o'.repeat(497)}`, -20);
const records: Record<string, PoiRecord[]> = {
  north: [
    point('Chapel', 60),
    ...Array.from({ length: bakeries }, (_, at) => point('Bakery', 52 + at / 1000)),
    point('Golden Lantern', 52.5),
    point('Lantern House', 52.51),
    point('Köşk', 52.52, ['Pavilion']),
    ...crowded(500),
    ...corners,
    longNamed,
    tooLong,
  ],
  south: [
    point('Golden Lantern', 48.1),
    point('Silver Lantern', 48.2),
    ...crowded(400),
    point('Inn', -20.001),
    ...Array.from({ length: 300 }, (_, at) => point('Chapel', 30 + at / 1000)),
  ],
};

export const pointCases = (oneNode: () => Promise<SearchCluster>) =>
  describe('points of interest in a search cluster', { skip: noOpenSearch }, () => {
    let directory: string;
    let cluster: SearchCluster;
    let engine: StreetEngine;
    /** The same points in files and in the index. */
    let files: ReturnType<typeof openStreetFiles>;
    let indexed: readonly PoiPart[];

    before(async () => {
      directory = mkdtempSync(join(tmpdir(), 'whereabouts-points-'));
      await buildSmallDataset(directory);
      for (const { name: part } of parts)
        await buildStreetLevel({ directory, progress() {}, part }, [sourceOf({ pois: records[part] })]);
      const facts = {
        schemaVersion: datasetSchemaVersion,
        version: 'points',
        builtAt: '',
        layers: {},
        sources: [],
        parts,
      };
      writeFileSync(join(directory, 'manifest.json'), JSON.stringify(facts));
      files = openStreetFiles(directory, parts);
      cluster = await oneNode();
      await publish(`${cluster.url}/points`, directory, { shards: 3 });
      engine = await openSearchEngine(`${cluster.url}/points`);
      indexed = engine.parts().pois;
    });
    after(async () => {
      await engine?.close();
      files?.close();
      rmSync(directory, { recursive: true });
    });

    test('a part returns the points that have all words, at most as many as wanted, the same as files', async () => {
      const clauses = [[['bakery']], [['lantern']], [['golden'], ['lantern']], [['golden', 'silver'], ['lantern']]];
      const counts = new Set<number>();
      for (const [at, part] of indexed.entries()) {
        for (const words of [...clauses, [['pavilion']], [['golden'], ['bakery']], [['berlin']]]) {
          for (const limit of [1, 3, 2_000, 20_000]) {
            const [found] = await whenFound(() => named([part], words, limit));
            assert.deepEqual(found, files.pois[at].named(words, limit), `${words.join(' ')}, limit ${limit}`);
            counts.add(found.length);
          }
        }
      }
      for (const count of [0, 1, 2, 3, 2_000, bakeries]) assert.ok(counts.has(count), `${count} points are found once`);
    });

    test('a search for a name corrects and completes words, and filters what it found, as over files', async () => {
      const north = ({ lat }: { lat: number }) => lat > 50;
      const asked: [name: string, options: Parameters<Pois['named']>[1], expected: string[]][] = [
        ['golden lantern', options, ['Golden Lantern', 'Golden Lantern']],
        ['Golden Lantern', { ...options, admits: north }, ['Golden Lantern']],
        ['golden lantrn', options, ['Golden Lantern', 'Golden Lantern']],
        ['golden lantrn', { ...options, fuzzy: false }, []],
        ['silver lant', { fuzzy: false, isPrefix: true }, ['Silver Lantern']],
        ['silver lant', { fuzzy: false, isPrefix: false }, []],
        ['pavilion', options, ['Köşk']],
        ['kosk', options, ['Köşk']],
        ['qqqzzz', options, []],
      ];
      for (const [name, how, expected] of asked) {
        const found = await whenFound(() => poisOf(indexed).named(name, how));
        assert.deepEqual(found.map((poi) => poi.name).sort(), expected, name);
        assert.deepEqual(found, poisOf(files.pois).named(name, how), name);
      }
      const shown = await whenFound(() => poisOf(indexed).named('bakery', options));
      assert.equal(shown.length, 200);
      assert.deepEqual(shown, poisOf(files.pois).named('bakery', options));
      // The filter is applied before the first 200 are taken.
      const last = { ...options, admits: ({ lat }: { lat: number }) => lat > 53.99 };
      const far = await whenFound(() => poisOf(indexed).named('bakery', last));
      assert.deepEqual(far, poisOf(files.pois).named('bakery', last));
      assert.equal(far.length, 9);
    });

    test('all parts are asked at once, and details need no further look-up', async () => {
      assert.equal(indexed.length, 2);
      assert.equal(await roundsOf(indexed, 'golden lantern'), 1);
      // The words as typed, those an edit away or that begin like the last one, and the words as corrected.
      assert.equal(await roundsOf(indexed, 'golden lantrn'), 3);
    });

    test('the many that one search finds take no places from another that is sent with it', async () => {
      const chapels = (some: readonly PoiPart[]) => () => named(some, [['chapel']], 200);
      const found = await whenFound(chapels(indexed));
      assert.deepEqual(
        found.map(({ length }) => length),
        [1, 200],
      );
      assert.deepEqual(found, chapels(files.pois)());
    });

    test('points around a position are those of files to the last digit', async () => {
      const middle = { lat: crowd.lat + 0.05, lng: crowd.lng + 0.05 };
      const around = [middle, crowd, longNamed, ...corners].flatMap(({ lat, lng }) =>
        [1, 12, 100].map((limit) => ({ from: { lat, lng }, limit })),
      );
      for (const { from, limit } of around) {
        const query = { radiusKm: 10, limit };
        const found = await whenFound(() => poisOf(indexed).nearest(from, query));
        assert.deepEqual(found, poisOf(files.pois).nearest(from, query), JSON.stringify({ from, limit }));
        assert.ok(found.length > 0);
        for (const { id } of found.slice(0, 3))
          assert.deepEqual(await whenFound(() => poisOf(indexed).byId(id)), poisOf(files.pois).byId(id));
      }
      assert.equal(poisOf(files.pois).nearest(longNamed, { radiusKm: 1, limit: 9 }).length, 2);
    });

    test('points around a position are one search for all parts', async () => {
      const query = { radiusKm: 10, limit: 20 };
      const search = () => poisOf(indexed).nearest({ lat: crowd.lat + 0.05, lng: crowd.lng + 0.05 }, query);
      assert.equal(await roundsFor(search), 1);
      const before = await lookedUp(cluster);
      assert.equal((await whenFound(search)).length, 20);
      const after = await lookedUp(cluster);
      assert.deepEqual(
        { queries: after.queries - before.queries, documents: after.documents - before.documents },
        {
          queries: 3,
          documents: 0,
        },
      );
    });
  });

/** How often a search for a name waits for look-ups. */
function named(parts: readonly PoiPart[], words: readonly Clause[], limit: number) {
  const found = parts.map((part) => part.named(words, limit));
  for (const part of parts) part.settle?.();
  return found;
}

const roundsOf = (indexed: readonly PoiPart[], name: string) => roundsFor(() => poisOf(indexed).named(name, options));

async function roundsFor(search: () => unknown): Promise<number> {
  let waiting = deferredBy(search);
  let rounds = 0;
  while (waiting) {
    const { lookUps } = waiting;
    rounds++;
    await lookUps.fetch();
    waiting = deferredBy(() => lookUps.within(search));
  }
  return rounds;
}

/** Searches of shards so far, and documents by their names. */
async function lookedUp(cluster: SearchCluster) {
  const { _all } = (await cluster.ask('GET', '/points/_stats/search,get')) as unknown as {
    _all: { primaries: { search: { query_total: number }; get: { total: number } } };
  };
  const { search, get } = _all.primaries;
  return { queries: search.query_total, documents: get.total };
}

function deferredBy(search: () => unknown): Deferred | undefined {
  try {
    search();
    return undefined;
  } catch (error) {
    if (error instanceof Deferred) return error;
    throw error;
  }
}
