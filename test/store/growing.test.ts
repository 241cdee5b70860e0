/** A first dataset that is served while it is built: what answers already, and what says that it is coming. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { testService } from '../support/service.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A directory with the small dataset; `lack` writes its manifest as if some layers were still being built. */
async function growingDirectory(t: Parameters<typeof temporaryDirectory>[0]) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const whole = readManifest(directory);
  const write = (manifest: object) => writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  return {
    directory,
    lack(...coming: (keyof typeof whole.layers)[]) {
      const layers = Object.fromEntries(
        Object.entries(whole.layers).filter(([name]) => !coming.includes(name as never)),
      );
      write({ ...whole, layers, coming });
    },
    complete: () => write(whole),
  };
}

test('what is there answers, without being kept by caches; what is coming says so, with the time to try again', async (t) => {
  const { directory, lack, complete } = await growingDirectory(t);
  lack('postal', 'boundaries', 'ip', 'addresses', 'streets', 'pois');
  const service = await testService(t);
  service.holder.current = openDataset(directory);
  t.after(() => service.holder.current?.close());

  const early = await service.ask('/v1/search?q=Berlin');
  assert.equal(early.status, 200);
  assert.equal(early.headers['cache-control'], 'private, max-age=0');
  const before = (await service.ask('/v1/usage')).body.used;
  const missing = await service.ask('/v1/postal?code=10115&country=DE');
  assert.deepEqual([missing.status, missing.body.code, missing.headers['retry-after']], [503, 'dataset_missing', '10']);
  assert.match(missing.body.detail, /"postal", which is still being built; try again in 10 s/);
  assert.equal((await service.ask('/v1/usage')).body.used, before, 'an answer that has to wait costs no call');

  const notReady = await service.ask('/health/ready', { key: null });
  assert.deepEqual([notReady.status, notReady.headers['retry-after']], [503, '10']);
  assert.equal((await service.ask('/health/ready?ready=world', { key: null })).status, 200);
  const shown = async (path: string) => (await service.ask(path, { key: null, headers: { accept: 'text/html' } })).text;
  assert.doesNotMatch(await shown('/'), /data-layer="postal"/);
  assert.match(await shown('/status'), /Still being built: postal, boundaries/);
  const { dataset } = (await service.ask('/status', { key: null })).body;
  assert.deepEqual(dataset.coming, ['postal', 'boundaries', 'ip', 'addresses', 'streets', 'pois']);

  lack('boundaries');
  service.holder.current = openDataset(directory, { opened: service.holder.current });
  assert.equal((await service.ask('/v1/postal?code=10115&country=DE')).status, 200);
  assert.notEqual((await service.ask('/v1/search?q=Berlin')).headers.etag, early.headers.etag, 'tags change with it');
  assert.match(await shown('/'), /data-layer="postal"/, 'and so do pages');
  assert.match(await shown('/status'), /Still being built: boundaries/);

  complete();
  service.holder.current = openDataset(directory, { opened: service.holder.current });
  const whole = await service.ask('/v1/search?q=Berlin');
  assert.match(whole.headers['cache-control'], /max-age=[1-9]/);
  assert.equal((await service.ask('/health/ready', { key: null })).status, 200);
});

test('what is open is shared with what has grown, not opened again', async (t) => {
  const { directory, lack, complete } = await growingDirectory(t);
  lack('boundaries', 'addresses', 'streets', 'pois');
  const first = openDataset(directory);
  complete();
  const grown = openDataset(directory, { opened: first });
  t.after(() => grown.close());
  assert.equal(grown.gazetteer, first.gazetteer);
  assert.equal(grown.postal, first.postal);
  assert.equal(first.boundaries, undefined);
  assert.ok(grown.boundaries && grown.addresses);
});

test('street-level parts are served together: one that is there waits for the others', async (t) => {
  const { directory } = await growingDirectory(t);
  const manifest = readManifest(directory);
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...manifest, coming: ['streets'] }));
  const store = openDataset(directory);
  t.after(() => store.close());
  assert.equal(store.addresses, undefined);
  assert.ok(store.gazetteer);
});
