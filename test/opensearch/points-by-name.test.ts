/** Points of interest by name alone, as `/search` finds them, in a real cluster: the same as in files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import type { PoiRecord } from '../../src/core/street-records.ts';
import { searchablePois } from '../../src/geocoding/address/poi-search.ts';
import type { Pois } from '../../src/store/address-contract.ts';
import { Deferred, whenFound } from '../../src/store/deferred.ts';
import { datasetSchemaVersion } from '../../src/store/manifest.ts';
import { openSearchEngine } from '../../src/store/opensearch/engine.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import type { StreetEngine } from '../../src/store/street-engine.ts';
import type { PoiPart } from '../../src/store/street-parts.ts';
import { noOpenSearch, type SearchCluster, searchCluster } from '../support/opensearch.ts';
import { publish } from '../support/search-service.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';

const parts = [
  { name: 'north', number: 2 },
  { name: 'south', number: 5 },
];
/** More points of one name than a search compares with its filters. */
const bakeries = 2_050;
const options = { fuzzy: true, isPrefix: false };

const point = (name: string, lat: number, otherNames?: string[]): PoiRecord => ({
  ...{ name, category: 'restaurant', country: 'DE', lat, lng: 13.4 },
  ...(otherNames && { otherNames }),
});
const records: Record<string, PoiRecord[]> = {
  north: [
    ...Array.from({ length: bakeries }, (_, at) => point('Bakery', 52 + at / 1000)),
    point('Golden Lantern', 52.5),
    point('Lantern House', 52.51),
    point('Köşk', 52.52, ['Pavilion']),
  ],
  south: [point('Golden Lantern', 48.1), point('Silver Lantern', 48.2)],
};

describe('points of interest by name in a search cluster', { skip: noOpenSearch }, () => {
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
    cluster = await searchCluster(1);
    await publish(`${cluster.url}/points`, directory, { shards: 3 });
    engine = await openSearchEngine(`${cluster.url}/points`);
    indexed = engine.parts().pois;
  });
  after(async () => {
    await engine?.close();
    await cluster?.close();
    files?.close();
    rmSync(directory, { recursive: true });
  });

  test('a part returns the points that have all words, at most as many as wanted, the same as files', async () => {
    const clauses = [[['bakery']], [['lantern']], [['golden'], ['lantern']], [['golden', 'silver'], ['lantern']]];
    const counts = new Set<number>();
    for (const [at, part] of indexed.entries()) {
      for (const words of [...clauses, [['pavilion']], [['golden'], ['bakery']], [['berlin']]]) {
        for (const limit of [1, 3, 2_000, 20_000]) {
          const found = await whenFound(() => part.named(words, limit));
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
      const found = await whenFound(() => searchablePois(indexed).named(name, how));
      assert.deepEqual(found.map((poi) => poi.name).sort(), expected, name);
      assert.deepEqual(found, searchablePois(files.pois).named(name, how), name);
    }
    const shown = await whenFound(() => searchablePois(indexed).named('bakery', options));
    assert.equal(shown.length, 200);
    assert.deepEqual(shown, searchablePois(files.pois).named('bakery', options));
    // The filter is applied before the first 200 are taken.
    const last = { ...options, admits: ({ lat }: { lat: number }) => lat > 53.99 };
    const far = await whenFound(() => searchablePois(indexed).named('bakery', last));
    assert.deepEqual(far, searchablePois(files.pois).named('bakery', last));
    assert.equal(far.length, 9);
  });

  test('all parts are asked at once, and details need no further look-up', async () => {
    assert.equal(indexed.length, 2);
    assert.equal(await roundsOf(indexed, 'golden lantern'), 1);
    // The words as typed, those an edit away, those that begin like the last one, and the words as corrected.
    assert.equal(await roundsOf(indexed, 'golden lantrn'), 4);
  });
});

/** How often a search for a name waits for look-ups. */
async function roundsOf(indexed: readonly PoiPart[], name: string): Promise<number> {
  const search = () => searchablePois(indexed).named(name, options);
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

function deferredBy(search: () => unknown): Deferred | undefined {
  try {
    search();
    return undefined;
  } catch (error) {
    if (error instanceof Deferred) return error;
    throw error;
  }
}
