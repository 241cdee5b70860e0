/** Parts that are imported from an extract, and those that follow its changes. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { extractName } from '../../src/store/sqlite/street-level.ts';
import { buildLayer, type LayerReport } from './build-layer.ts';
import { dataDirectory, firstVersion } from './data-directory.ts';
import { changeFile, edited, madeUpMap } from './osm-edits.ts';
import { pbfFile } from './osm-writer.ts';
import { randomNumbers } from './random-numbers.ts';
import { dumpPart } from './street-level-dump.ts';
import { temporaryDirectory, temporaryFile } from './temporary.ts';

export const replication = { baseUrl: 'http://changes.example/', sequence: 1, timestamp: 1_700_000_000 };

/** A directory with world and borders, and a function that imports an extract to a part of it. */
export async function datasetFor(t: TestContext) {
  const directory = temporaryDirectory(t);
  cpSync(join(await dataDirectory(t), firstVersion), directory, { recursive: true });
  const build = (part: string, path: string) =>
    buildLayer('streets', directory, { packages: {}, userFiles: { 'osm-pbf': [path] } }, { part, keepsExtract: true });
  const apply = async (part: string, files: string[], timestamp?: string) => {
    const extract = join(temporaryDirectory(t), 'extract.osm.pbf');
    renameSync(join(directory, extractName(part)), extract);
    for (const name of readdirSync(directory)) if (name.endsWith(`-${part}.sqlite`)) rmSync(join(directory, name));
    const changes = { extract, version: 'before.osm.pbf', files, sequence: 1 + files.length, timestamp };
    return buildLayer('streets', directory, { packages: {} }, { part, keepsExtract: true, changes });
  };
  return { directory, build, apply };
}

export const countsOf = ({ records, countries, also }: LayerReport) => [
  [records, countries],
  ...[also!.addresses!, also!.pois!].map((layer) => [layer.records, layer.countries]),
];

/** Random edits of every kind over three days, more of them with a greater seed: their changes lead to what an import of the newer map does. */
export async function assertFollows(
  t: TestContext,
  { directory, build, apply }: Awaited<ReturnType<typeof datasetFor>>,
  seed: number,
): Promise<void> {
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
