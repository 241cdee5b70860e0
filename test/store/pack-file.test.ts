import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPack, releasePages, writePack } from '../../src/store/packed/pack-file.ts';

function inDirectory(t: { after(done: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-pack-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return join(directory, 'some.pack');
}

test('a pack returns its meta and each column, whatever precedes it', (t) => {
  const path = inDirectory(t);
  const columns = {
    none: new Uint8Array(0),
    bytes: Uint8Array.of(1, 2, 255),
    words: Uint32Array.of(0, 0xffffffff),
    degrees: Float64Array.of(-0.5, 1e300),
  };
  writePack(path, { länge: [1, null] }, columns);
  const pack = readPack(path);
  assert.deepEqual(pack.meta, { länge: [1, null] });
  assert.deepEqual(pack.column('degrees', 'f64'), columns.degrees);
  assert.deepEqual(pack.column('bytes', 'u8'), columns.bytes);
  assert.deepEqual(pack.column('words', 'u32'), columns.words);
  assert.deepEqual(pack.column('none', 'u8'), columns.none);
});

test('what is not a pack, or a broken one, is refused with its name', (t) => {
  const path = inDirectory(t);
  for (const content of ['', 'short', 'x'.repeat(100)]) {
    writeFileSync(path, content);
    assert.throws(() => readPack(path), /some\.pack is not a pack file/);
  }
  rmSync(path);
  writePack(path, {}, { first: new Uint32Array(10), last: new Uint32Array(10) });
  const { size } = statSync(path);
  assert.throws(() => readPack(path).column('last', 'u16'), /some\.pack has no column last of type u16/);
  truncateSync(path, size - 8);
  assert.deepEqual(readPack(path).column('first', 'u32'), new Uint32Array(10));
  assert.throws(() => readPack(path).column('last', 'u32'), /some\.pack is truncated in column last/);
  truncateSync(path, 40);
  assert.throws(() => readPack(path), /some\.pack is truncated/);
});

test('a column may be written to without a change of its file', (t) => {
  const path = inDirectory(t);
  writePack(path, null, { words: Uint32Array.of(1, 2, 3) });
  const before = readFileSync(path);
  const words = readPack(path).column('words', 'u32');
  words[1] = 7;
  assert.deepEqual(words, Uint32Array.of(1, 7, 3));
  assert.deepEqual(readFileSync(path), before);
});

test('pages of mapped files are given back, and read again', { skip: process.platform !== 'linux' }, (t) => {
  const path = inDirectory(t);
  writePack(path, null, { words: Uint32Array.from({ length: 2_000_000 }, (_, at) => at) });
  const words = readPack(path).column('words', 'u32');
  const sum = () => words.reduce((total, word) => total + word, 0);
  const residentKb = () =>
    Number(/some\.pack\n(?:.*\n)*?Rss: +(\d+)/.exec(readFileSync('/proc/self/smaps', 'utf8'))?.[1]);
  const before = sum();
  assert.ok(residentKb() > 7_000);
  releasePages();
  assert.ok(residentKb() < 100);
  assert.equal(sum(), before);
});

test('a Node that cannot map files reads them, without a warning', (t) => {
  const path = inDirectory(t);
  writePack(path, null, { words: Uint32Array.of(1, 2, 3) });
  const source = new URL('../../src/store/packed/pack-file.ts', import.meta.url).href;
  const script = `const { readPack } = await import(${JSON.stringify(source)});
    console.log(readPack(process.argv[1]).column('words', 'u32').join());`;
  for (const flags of [[], ['--no-experimental-ffi']]) {
    const args = [...flags, '--input-type=module', '--eval', script, path];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.deepEqual({ stdout, stderr }, { stdout: '1,2,3\n', stderr: '' });
  }
});
