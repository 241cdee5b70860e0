/** A folder of several kinds of files, and what is built of it. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { update } from '../../src/commands/update.ts';
import { loadConfig } from '../../src/config.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { emptyDirectory, runProgram } from '../support/data-directory.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { town } from '../support/town-build.ts';

test('a folder follows its files: others beside them are left out, and the last of a kind takes its data along', async (t) => {
  const folder = join(temporaryDirectory(t), 'mine');
  mkdirSync(folder);
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  put('streets.osm.pbf', town(20));
  put('README.txt', 'Addresses of the town,\nas delivered\n');
  const directory = await emptyDirectory(t);
  const config = loadConfig({ environment: {}, overrides: { dataDirectory: directory } });
  // Some of its default sources are empty.
  const accepting = { keepSources: true, acceptLoss: true };
  const layers = ['--layer', 'world,zones,boundaries,addresses'];
  const built = runProgram(directory, 'build', '--keep-sources', '--accept-loss', '--source', folder, ...layers);
  assert.equal(built.status, 0, built.stderr);
  assert.deepEqual(await update(config, accepting), { manifest: undefined, failures: [] });

  put('mine.csv', 'id,name,kind,lat,lng\n7,Warehouse Seven,market,52.5,13.4\n');
  assert.deepEqual((await update(config, accepting)).failures, []);
  const kinds = () => {
    const { parts, layers } = readManifest(join(directory, currentVersion(directory)!));
    const part = parts.find(({ name }) => name === 'mine');
    return [part?.layers.addresses.records.addresses, layers.world!.inputs?.mine !== undefined];
  };
  assert.deepEqual(kinds(), [20, true]);
  const [away, there] = ['.away', 'streets.osm.pbf'].map((name) => join(folder, name));
  renameSync(there, away);
  await update(config, accepting);
  assert.deepEqual(kinds(), [undefined, true]);
  renameSync(away, there);
  rmSync(join(folder, 'mine.csv'));
  await update(config, accepting);
  assert.deepEqual(kinds(), [20, false]);
});
