/** Changes of an extract: the part that follows them is that of an import of the newer extract. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { applyChanges } from '../../src/build/layers/streets/changes/apply-changes.ts';
import { userStreetSources } from '../../src/build/layers/streets/user-sources.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { SourceError } from '../../src/core/street-records.ts';
import { ChangeSet } from '../../src/sources/osm/change-file.ts';
import { extractStateOf } from '../../src/sources/osm/replication.ts';
import { oldestOf } from '../../src/store/manifest-format.ts';
import { dataDirectory, firstVersion } from '../support/data-directory.ts';
import { changeFile, edited, madeUpMap } from '../support/osm-edits.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { sharedData } from '../support/shared-data.ts';
import { dumpPart } from '../support/street-level-dump.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

const replication = { baseUrl: 'http://changes.example/', sequence: 1, timestamp: 1_700_000_000 };

/** A directory with world and borders, and a function that imports an extract to a part of it. */
async function datasetFor(t: TestContext) {
  const directory = temporaryDirectory(t);
  cpSync(join(await dataDirectory(t), firstVersion), directory, { recursive: true });
  const build = async (part: string, path: string) =>
    buildStreetLevel(
      { directory, part, keepsExtract: true, progress() {} },
      await userStreetSources((kind) => (kind === 'osm-pbf' ? [path] : [])),
    );
  const apply = (part: string, files: string[]) =>
    applyChanges({ directory, part, progress() {} }, { files, sequence: 1 + files.length, timestamp: undefined });
  return { directory, build, apply };
}

const countsOf = ({ records, countries, also }: Awaited<ReturnType<typeof buildStreetLevel>>) => [
  [records, countries],
  ...[also!.addresses!, also!.pois!].map((layer) => [layer.records, layer.countries]),
];

test('random edits of every kind, over several days, produce the same as an import of the newer map', async (t) => {
  const { directory, build, apply } = await datasetFor(t);
  for (let seed = 1; seed <= 8; seed++) {
    const random = randomNumbers(seed);
    const days = [madeUpMap()];
    for (let day = 0; day < 3; day++) days.push(edited(days[day], random, seed * 4));
    const older = temporaryFile(t, `older-${seed}.osm.pbf`, pbfFile(days[0], { replication }));
    const newer = temporaryFile(t, `newer-${seed}.osm.pbf`, pbfFile(days[3]));
    const files = days.slice(1).map((day, at) => {
      return temporaryFile(t, `${seed}-${at}.osc.gz`, changeFile(days[at], day));
    });
    const parts = [`changed-${seed}`, `fresh-${seed}`];
    await build(parts[0], older);
    const changed = await apply(parts[0], files);
    const fresh = await build(parts[1], newer);
    assert.deepEqual(countsOf(changed), countsOf(fresh), `seed ${seed}`);
    const [got, expected] = parts.map((part) => dumpPart(directory, part, ['DE', 'GB']));
    assert.ok(expected.streets.length > 8 && expected.pois.length > 10);
    assert.deepEqual(got, expected, `seed ${seed}`);
  }
});

test('three years of changes of Liechtenstein lead from the older extract to the newer one', async (t) => {
  const older = sharedData(t, 'osm/liechtenstein-2021.osm.pbf');
  const newer = older && sharedData(t, 'osm/liechtenstein-2024.osm.pbf');
  if (!newer) return;
  const change = join(temporaryDirectory(t), 'change.osc.gz');
  try {
    execFileSync('osmium', ['derive-changes', older, newer, '-o', change], { stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return t.skip('needs osmium-tool');
  }
  const { directory, build, apply } = await datasetFor(t);
  await build('changed', older);
  const changed = await apply('changed', [change]);
  const fresh = await build('fresh', newer);
  assert.deepEqual(countsOf(changed), countsOf(fresh));
  const [got, expected] = ['changed', 'fresh'].map((part) => dumpPart(directory, part, ['LI', 'AT', 'CH']));
  assert.ok(expected.streets.length > 1000);
  assert.deepEqual(got, expected);
});

test('a file that is not a change file, or a broken one, is refused', async (t) => {
  const refused: [string, RegExp][] = [
    ['<osm version="0.6"></osm>', /expected <osmChange>/],
    ['<osmChange><create><node id="1"', /truncated/],
    ['<osmChange><delete><node id="x"/></delete></osmChange>', /an id is 'x'/],
  ];
  for (const [text, message] of refused) {
    const change = temporaryFile(t, 'x.osc', Buffer.from(text));
    const read = ChangeSet.read([change]);
    await assert.rejects(read, (error: Error) => error instanceof SourceError && message.test(error.message), text);
  }
});

test('an extract states the date of its data, where its changes are and which was the last applied', async (t) => {
  const map = madeUpMap();
  assert.deepEqual(await extractStateOf(temporaryFile(t, 'x.osm.pbf', pbfFile(map))), {
    timestamp: undefined,
    replication: undefined,
  });
  const published = pbfFile(map, { replication: { ...replication, sequence: 4123 } });
  const timestamp = '2023-11-14T22:13:20.000Z';
  assert.deepEqual(await extractStateOf(temporaryFile(t, 'y.osm.pbf', published)), {
    timestamp,
    replication: { baseUrl: replication.baseUrl, sequence: 4123, timestamp },
  });
});

test('the date of the data of a source is that of its extract, and that of the last change applied', async (t) => {
  const { build, directory } = await datasetFor(t);
  const vintages = ({ sources }: Awaited<ReturnType<typeof build>>) => sources.map(({ vintage }) => vintage);
  const own = temporaryFile(t, 'own.osm.pbf', pbfFile(madeUpMap()));
  assert.deepEqual(vintages(await build('own', own)), [null]);
  const extract = temporaryFile(t, 'dated.osm.pbf', pbfFile(madeUpMap(), { replication }));
  for (const part of ['dated', 'undated']) assert.deepEqual(vintages(await build(part, extract)), ['2023-11-14']);
  const change = temporaryFile(t, 'a.osc', Buffer.from('<osmChange version="0.6"></osmChange>'));
  const applied = (part: string, timestamp: string | undefined) =>
    applyChanges({ directory, part, progress() {} }, { files: [change], sequence: 2, timestamp });
  assert.deepEqual(vintages(await applied('dated', '2023-11-16T20:21:00.000Z')), ['2023-11-16']);
  assert.deepEqual(vintages(await applied('undated', undefined)), ['2023-11-14']);
  assert.deepEqual(
    [oldestOf(['2023-11', '2023-10-02']), oldestOf(['2023-11', null]), oldestOf([null])],
    ['2023-10-02', null, null],
  );
});
