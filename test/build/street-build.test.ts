/** A build of the street-level layers that fails or is killed leaves the old dataset as it was. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { buildDataset } from '../../src/build/pipeline.ts';
import { address } from '../../src/endpoints/address.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { openDataset } from '../../src/store/open.ts';
import { ask } from '../support/ask.ts';
import { buildInProcess, builtNames, dataDirectory, firstVersion } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { temporaryFile } from '../support/temporary.ts';

/** A town of houses, so that a build takes several steps. */
function town(houses: number): Buffer {
  const nodes = Array.from({ length: houses }, (_, at) => ({
    id: at + 1,
    lat: 52.4 + (at % 100) * 0.001,
    lng: 13.3 + Math.floor(at / 100) * 0.001,
    tags: {
      'addr:housenumber': String((at % 50) + 1),
      'addr:street': `Gasse ${Math.floor(at / 50)}`,
      'addr:city': 'Berlin',
      'addr:country': 'DE',
    },
  }));
  return pbfFile({ nodes });
}

const build = (directory: string, file: string) =>
  buildDataset({
    dataDirectory: directory,
    tasks: [{ layer: 'streets', part: 'town', userFiles: { 'osm-pbf': [file] }, inputs: {} }],
    keptParts: [],
    keepSources: true,
    acceptLoss: true,
    progress() {},
  });

const firstOf = (directory: string, q: string) => {
  const store = openDataset(join(directory, currentVersion(directory)!));
  const { results } = ask(address, store, { q }) as { results: { match_type: string; street: string }[] };
  store.close();
  return results[0];
};

function assertUntouched(directory: string): void {
  assert.equal(currentVersion(directory), firstVersion);
  assert.equal(firstOf(directory, '10 Downing Street').match_type, 'exact');
}

test('user files replace the street-level layers; all other layers are kept', async (t) => {
  const directory = await dataDirectory(t);
  const manifest = await build(directory, temporaryFile(t, 'town.osm.pbf', town(120)));
  assert.equal(currentVersion(directory), manifest.version);
  assert.deepEqual(manifest.layers.addresses?.records, { addresses: 120 });
  assert.ok(manifest.layers.postal && manifest.layers.ip);
  assert.ok(manifest.sources.some(({ id, licence }) => id === 'openstreetmap' && licence === 'ODbL-1.0'));
  assert.equal(firstOf(directory, 'Gasse 1 12, Berlin').street, 'Gasse 1');
  assert.equal(firstOf(directory, '10 Downing Street'), undefined);
  assert.deepEqual(
    manifest.layers.streets?.files.map(({ name }) => name),
    ['streets-odbl-town.sqlite'],
  );
});

test('a broken input is refused by name and changes nothing', async (t) => {
  const directory = await dataDirectory(t);
  const whole = town(120);
  const broken: [name: string, content: Uint8Array | string][] = [
    ['empty.osm.pbf', ''],
    ['half.osm.pbf', whole.subarray(0, whole.length >> 1)],
    ['text.osm.pbf', 'this is no map'],
    ['flipped.osm.pbf', whole.map((byte, at) => (at === whole.length - 40 ? byte ^ 0xff : byte))],
  ];
  for (const [name, content] of broken) {
    await assert.rejects(
      build(directory, temporaryFile(t, name, content)),
      ({ message }: Error) => message.includes(name),
      name,
    );
    assert.deepEqual(builtNames(directory), [firstVersion], name);
    assertUntouched(directory);
  }
});

/** Kills a build at a step, without a chance to clean up; returns what it had printed. */
async function killAt(directory: string, file: string, step: RegExp, memoryMb?: number): Promise<string[]> {
  const child = buildInProcess(directory, file, { memoryMb });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (step.test(line)) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL', lines.join('\n'));
  return lines;
}

test('a build killed at any step leaves the old dataset, and the next build cleans up', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', town(12_000));
  for (const memoryMb of [512, 1]) {
    for (const step of [/reading OpenStreetMap/, /writing streets/]) {
      await killAt(directory, file, step, memoryMb);
      assertUntouched(directory);
    }
  }
  // All temporary files are in the version being built, which the next build removes.
  assert.ok(readdirSync(directory, { recursive: true }).some((name) => /\.building.*streets-/.test(String(name))));
  const manifest = await build(directory, file);
  assert.equal(currentVersion(directory), manifest.version);
  assert.deepEqual(builtNames(directory).sort(), [firstVersion, manifest.version]);
});

test('a full disk ends the build with an error and changes nothing', {
  skip: process.platform === 'win32',
}, async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', town(4000));
  const refusals: [memoryMb: number, refusal: RegExp][] = [
    [512, /the disk is full .*free space for .*or set dataDirectory/],
    [1, /the temporary file .* cannot be written: EFBIG.*use a disk with more space, or set more memory/],
  ];
  for (const [memoryMb, refusal] of refusals) {
    const child = buildInProcess(directory, file, { fileBlocks: 100, memoryMb });
    let errors = '';
    child.stderr!.on('data', (chunk) => (errors += chunk));
    child.stdout!.resume();
    const [code] = await once(child, 'close');
    assert.notEqual(code, 0);
    assert.match(errors, refusal);
    assertUntouched(directory);
    assert.deepEqual(builtNames(directory), [firstVersion]);
  }
});

test('a damaged file of a dataset is refused when it is opened', async (t: TestContext) => {
  const directory = await dataDirectory(t);
  const path = join(directory, firstVersion, 'streets-open-small.sqlite');
  const whole = readFileSync(path);
  truncateSync(path, 100);
  assert.throws(
    () => openDataset(join(directory, firstVersion)),
    /is damaged: streets-open-small\.sqlite \(100 bytes, expected \d+\); build the dataset again/,
  );
  writeFileSync(path, whole);
  assertUntouched(directory);
});
