/** Ten countries next to the default dataset: adding an eleventh leaves every other answer and file unchanged. */
import assert from 'node:assert/strict';
import { cpSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { makeCurrent } from '../src/build/versions.ts';
import { build } from '../src/commands/run-build.ts';
import { update } from '../src/commands/update.ts';
import { loadConfig } from '../src/config.ts';
import { readStreets } from '../src/sources/source-kinds.ts';
import { currentVersion, readManifest } from '../src/store/manifest.ts';
import { datasetMissing, defaultDataset, sharedData } from '../test/support/dataset.ts';
import { readSources, sampleSource, writeSources } from '../test/support/source-list.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';

const files = [
  ...['at-krems.osm.gz', 'by-minsk.osm.gz', 'ca-hamilton-noversion.osm.gz', 'de-dreieich.osm.gz', 'es-granada.osm.gz'],
  ...[
    'fi-helsinki.osm.pbf',
    'kr-suwon.osm.gz',
    'liechtenstein-2024.osm.pbf',
    'ru-moscow.osm.gz',
    'us-baltimore.osm.pbf',
  ],
].map((name) => sharedData(`osm/${name}`));
const monaco = sharedData('osm/monaco-planetiler.osm.pbf');
const dataset = defaultDataset();
const samplesPerFile = 25;

const skip =
  (dataset === undefined && datasetMissing) ||
  (!readManifest(dataset!).parts && 'needs a default dataset in parts: build it again') ||
  ([...files, monaco].some((file) => file === undefined) && 'needs ../shared/data/osm');

type Question = { text: string; mistyped: string; street: string; lat: number; lng: number };

/** Addresses of a file, every nth one, and the queries about each. */
async function questionsOf(path: string): Promise<Question[]> {
  const all: Question[] = [];
  for await (const { addresses } of readStreets('osm-pbf', path)) {
    for (const { street, houseNumber, city, lat, lng } of addresses) {
      const text = [`${street} ${houseNumber}`, city].filter(Boolean).join(', ');
      const mistyped = text.replace(/(\p{L}{2})\p{L}(\p{L}{3})/u, '$1$2');
      all.push({ text, mistyped, street, lat, lng });
    }
  }
  const step = Math.max(1, Math.floor(all.length / samplesPerFile));
  return all.filter((_, at) => at % step === 0).slice(0, samplesPerFile);
}

/** All answers to some questions, as JSON. */
function answersTo(directory: string, questions: readonly Question[]): string[] {
  const { addresses, streets, pois, close } = openDataset(join(directory, currentVersion(directory)!));
  const answers = questions.map(({ text, mistyped, street, lat, lng }) =>
    JSON.stringify([
      addresses!.search({ text, limit: 10 }),
      addresses!.search({ text: mistyped, limit: 10 }),
      addresses!.nearest({ lat, lng }, { maxKm: 0.5, limit: 5 }),
      streets!.search({ text: street, near: { lat, lng }, radiusKm: 5, limit: 10 }),
      pois!.nearest({ lat, lng }, { radiusKm: 2, limit: 10 }),
      pois!.nearest({ lat, lng }, { radiusKm: 5, category: 'restaurant', limit: 10 }),
    ]),
  );
  close();
  return answers;
}

/** Files of a dataset as the file system has them; the same number means the same file. */
function inodes(directory: string): Record<string, number> {
  const version = join(directory, currentVersion(directory)!);
  const names = readdirSync(version).filter((name) => /\.(sqlite|pack)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, statSync(join(version, name)).ino]));
}

test('adding Monaco to ten countries changes no other answer and no other file; removing it restores both', {
  skip,
}, async (t) => {
  const directory = temporaryDirectory(t);
  const version = basename(dataset!);
  mkdirSync(join(directory, version));
  for (const name of readdirSync(dataset!)) {
    try {
      linkSync(join(dataset!, name), join(directory, version, name));
    } catch {
      cpSync(join(dataset!, name), join(directory, version, name));
    }
  }
  await makeCurrent(directory, version);
  writeSources(directory, [sampleSource]);
  const config = loadConfig({ environment: {}, overrides: { dataDirectory: directory } });
  await build(config, { source: files as string[] });
  const questions = (await Promise.all((files as string[]).map(questionsOf))).flat();
  const [before, filesBefore] = [answersTo(directory, questions), inodes(directory)];
  assert.ok(before.filter((answer) => answer.includes('"exact"')).length > 0.9 * questions.length);

  const startedAt = performance.now();
  const { parts } = await build(config, { source: [monaco!] });
  t.diagnostic(`Monaco was added in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  assert.ok(parts!.some(({ name, layers }) => name.startsWith('monaco') && layers.addresses.records.addresses > 200));
  const after = answersTo(directory, questions);
  for (const [at, answer] of after.entries()) assert.equal(answer, before[at], questions[at].text);
  const isOther = ([name]: [string, number]) => !name.includes('monaco');
  assert.deepEqual(Object.fromEntries(Object.entries(inodes(directory)).filter(isOther)), filesBefore);

  const list = readSources(directory);
  writeSources(
    directory,
    list.filter(({ name }) => !name.startsWith('monaco')),
  );
  await update(config);
  assert.deepEqual(inodes(directory), filesBefore);
  assert.deepEqual(answersTo(directory, questions), before);
});
