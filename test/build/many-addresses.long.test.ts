/** What a build of many addresses takes: room on the disk for each, and memory that hardly grows with them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { buildInProcess, dataDirectory } from '../support/data-directory.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const skip = spawnSync('osmium', ['--version']).status !== 0 && 'needs osmium: install osmium-tool';

/** Builds a made-up country of so many towns, of 455 addresses each. */
async function built(t: TestContext, towns: number) {
  const file = join(temporaryDirectory(t), 'made-up.osm.pbf');
  const map = join(import.meta.dirname, '../../bench/osm-synthetic.ts');
  execFileSync('sh', ['-c', '"$0" "$1" "$2" | osmium cat -F opl -o "$3" -', process.execPath, map, `${towns}`, file]);
  const directory = await dataDirectory(t);
  const child = buildInProcess(directory, file, { memoryMb: 8 });
  let peakMb = 0;
  child.stdout!.on('data', () => {
    const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    peakMb = Math.max(peakMb, Number(kb ?? 0) / 1024);
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  const { layers } = readManifest(join(directory, currentVersion(directory)!)).parts.at(-1)!;
  const files = Object.values(layers).flatMap((layer) => layer.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { count: layers.addresses.records.addresses, bytes, peakMb };
}

test('ten times as many addresses take ten times the disk and hardly more memory', { skip }, async (t) => {
  const few = await built(t, 30);
  const many = await built(t, 300);
  t.diagnostic(JSON.stringify({ few, many }));
  assert.equal(many.count, 10 * few.count);
  assert.ok(many.bytes / many.count < 70, `${many.bytes / many.count} bytes an address`);
  assert.ok(many.peakMb - few.peakMb < 150, `${few.peakMb} and ${many.peakMb} MB`);
});
