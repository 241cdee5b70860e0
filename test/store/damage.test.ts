/** Datasets with damaged files: refused, or answered within bounds, never followed for ever. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { readManifest, verifyFiles } from '../../src/store/manifest.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function smallDataset(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  return directory;
}

function flip(path: string, bit: number): void {
  const bytes = readFileSync(path);
  bytes[bit >>> 3] ^= 1 << (bit & 7);
  writeFileSync(path, bytes);
}

test('a hash of names without a free slot is refused, as a search for what is not there would never end', async (t) => {
  const directory = await smallDataset(t);
  const path = join(directory, 'place-names.pack');
  const bytes = readFileSync(path);
  const headerLength = bytes.readUInt32LE(8);
  const { columns } = JSON.parse(bytes.toString('utf8', 12, 12 + headerLength));
  const { offset, length } = columns.find(({ name }: { name: string }) => name === 'name.slots');
  const start = Math.ceil((12 + headerLength) / 8) * 8;
  bytes.fill(0xff, start + offset, start + offset + length * 4);
  writeFileSync(path, bytes);
  assert.throws(
    () => openDataset(directory),
    /cannot be opened \(the hash of names has no free slot\); build .*rollback/,
  );
});

test('files are compared with their hashes once, and again when they change; databases only on request', async (t) => {
  const directory = await smallDataset(t);
  const manifest = readManifest(directory);
  const path = join(directory, 'zones.pack');
  await verifyFiles(directory, manifest);
  flip(path, 9000);
  await assert.rejects(
    verifyFiles(directory, manifest),
    /is damaged: zones\.pack; build the dataset again, or .*rollback/,
  );
  flip(path, 9000);

  const database = join(directory, 'streets-open.sqlite');
  flip(database, 90_000);
  await verifyFiles(directory, manifest, { packsOnly: true });
  await assert.rejects(verifyFiles(directory, manifest), /is damaged: streets-open\.sqlite/);
  flip(database, 90_000);
  await verifyFiles(directory, manifest);

  // What has the size, the time and the inode of a file that was read is taken for it, until all are read again.
  const flipUnseen = () => {
    flip(path, 9000);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  };
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  await verifyFiles(directory, manifest);
  flipUnseen();
  await verifyFiles(directory, manifest);
  await assert.rejects(verifyFiles(directory, manifest, { isFresh: true }), /zones\.pack/);
  // What was found then is refused from then on, at a start too.
  await assert.rejects(verifyFiles(directory, manifest), /zones\.pack/);
  flipUnseen();
  await verifyFiles(directory, manifest);
  flipUnseen();
  // A copy has another inode.
  cpSync(path, `${path}.copy`, { preserveTimestamps: true });
  renameSync(`${path}.copy`, path);
  await assert.rejects(verifyFiles(directory, manifest), /zones\.pack/);
});

test('a file that the manifest names and that is missing or cut short is named when the dataset is opened', async (t) => {
  const directory = await smallDataset(t);
  writeFileSync(join(directory, 'ip.pack'), 'short');
  rmSync(join(directory, 'streets-open.sqlite'));
  assert.throws(
    () => openDataset(directory),
    /is damaged: ip\.pack \(5 bytes, expected \d+\), streets-open\.sqlite \(missing\); build the dataset again/,
  );
});

test('a single layer is opened without the others, which are treated as missing from the dataset', async (t) => {
  const directory = await smallDataset(t);
  rmSync(join(directory, 'places.pack'));
  rmSync(join(directory, 'ip.pack'));
  const store = openDataset(directory, { layers: ['zones'] });
  assert.equal(store.zones?.at({ lat: 52.5, lng: 13.4 }), 'Europe/Berlin');
  assert.equal(store.ip, undefined);
  assert.deepEqual(Object.keys(store.manifest.layers), ['zones']);
  assert.throws(() => store.places, /places\.pack/);
});

test('a manifest that is no JSON is refused in one line, whatever the message quotes of it', (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'manifest.json'), '{"version":\n\u0000\r\n\n nonsense');
  assert.throws(
    () => readManifest(directory),
    ({ name, message }: Error) =>
      name === 'DatasetError' && message.includes('manifest.json') && !/\p{Cc}/u.test(message),
  );
});
