/**
 * `kill -9` at random moments: nothing that was acknowledged is lost, and what starts next serves. KILLS sets how many
 * kills; the long run of docs/internal/reliability.md has 200.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataset } from '../../src/api/open.ts';
import { currentVersion, readManifest, verifyFiles } from '../../src/store/manifest.ts';
import { buildInProcess, dataDirectory } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { addDataset, makeCurrent, type Served, serve, smallData, until } from '../support/served.ts';
import { temporaryFile } from '../support/temporary.ts';

const kills = Number(process.env.KILLS ?? 3);
const upTo = (ms: number) => Math.random() * ms;

/** Every client has its own network, as sign-ups of one network are limited. */
const clientAddress = () => `203.${Math.floor(upTo(256))}.${Math.floor(upTo(256))}.${Math.floor(upTo(256))}`;

async function post(served: Served, path: string, key?: string): Promise<string | undefined> {
  try {
    const answer = await fetch(served.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': clientAddress(),
        ...(key === undefined ? {} : { 'x-api-key': key }),
      },
      body: '{}',
    });
    if (answer.status !== 201) return undefined;
    return ((await answer.json()) as { key: string }).key;
  } catch {
    // Killed before the answer: not acknowledged.
    return undefined;
  }
}

async function killed({ child }: Served): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

const settings = { signUp: 'open', trustedProxies: ['127.0.0.1'] };

suite('kill -9 at random moments', { concurrency: false }, () => {
  test('every key that was acknowledged by sign-up or rotation is valid afterwards', async (t) => {
    const data = await smallData(t);
    const acknowledged = new Set<string>();
    for (let round = 0; round < kills; round++) {
      const served = await serve(t, data, settings);
      let isOver = false;
      const client = async () => {
        while (!isOver) {
          const made = await post(served, '/account/sign-up');
          if (made === undefined) continue;
          acknowledged.add(made);
          const rotated = await post(served, '/account/key/rotate', made);
          if (rotated !== undefined) acknowledged.add(rotated);
        }
      };
      const clients = Array.from({ length: 4 }, client);
      await wait(upTo(600));
      // The last one only when there is something to lose: a busy machine may have acknowledged nothing so soon.
      if (round === kills - 1) await until('keys are acknowledged', () => acknowledged.size > kills);
      await killed(served);
      isOver = true;
      await Promise.all(clients);
    }
    assert.ok(acknowledged.size > kills);
    const served = await serve(t, data, settings);
    const lost: string[] = [];
    for (const key of acknowledged) {
      const { status } = await fetch(`${served.url}/v1/usage`, { headers: { 'x-api-key': key } });
      if (status !== 200) lost.push(`${key}: ${status}`);
    }
    t.diagnostic(`${acknowledged.size} keys acknowledged, ${kills} kills`);
    assert.deepEqual(lost, []);
  });

  test('every key that "keys create" printed is valid afterwards', async (t) => {
    const data = await smallData(t);
    const main = join(import.meta.dirname, '../../src/main.ts');
    const printed: string[] = [];
    // The first one runs to its end, so that the kills are spread over its whole duration.
    let wholeMs = Infinity;
    for (let round = 0; round <= kills; round++) {
      const args = [main, 'keys', 'create', '--json', '--data-directory', data];
      const from = performance.now();
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
      let text = '';
      child.stdout!.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      const timer = round > 0 ? setTimeout(() => child.kill('SIGKILL'), upTo(1.2 * wholeMs)) : undefined;
      await once(child, 'close');
      clearTimeout(timer);
      if (round === 0) wholeMs = performance.now() - from;
      if (text.endsWith('\n')) printed.push(JSON.parse(text).key);
    }
    const served = await serve(t, data);
    for (const key of printed) {
      const { status } = await fetch(`${served.url}/v1/usage`, { headers: { 'x-api-key': key } });
      assert.equal(status, 200);
    }
    t.diagnostic(`${printed.length - 1} keys printed, ${kills} kills`);
  });

  test('killed while datasets change under it, the service starts again with a whole one', async (t) => {
    const data = await smallData(t);
    await addDataset(data, 'two');
    for (let round = 0; round < kills; round++) {
      const served = await serve(t, data, { workers: 1 + (round % 2) });
      let isOver = false;
      const swap = async () => {
        for (let turn = 0; !isOver; turn++) {
          makeCurrent(data, turn % 2 === 0 ? 'two' : 'one');
          await wait(upTo(60));
        }
      };
      const swapping = swap();
      await wait(upTo(800));
      await killed(served);
      isOver = true;
      await swapping;
    }
    const served = await serve(t, data);
    const status = (await (await fetch(`${served.url}/status`)).json()) as { dataset: { version: string } };
    assert.match(status.dataset.version, /^(one|two)$/);
  });

  test('a build killed at any moment leaves a current dataset that is whole', async (t) => {
    const data = await dataDirectory(t);
    const nodes = Array.from({ length: 3000 }, (_, at) => ({
      id: at + 1,
      lat: 52.4 + (at % 100) * 0.001,
      lng: 13.3 + Math.floor(at / 100) * 0.001,
      tags: { 'addr:housenumber': String(at), 'addr:street': 'Gasse', 'addr:city': 'Berlin', 'addr:country': 'DE' },
    }));
    const file = temporaryFile(t, 'town.osm.pbf', pbfFile({ nodes }));
    let replaced = 0;
    let wholeMs = Infinity;
    for (let round = 0; round <= kills; round++) {
      const before = currentVersion(data);
      const from = performance.now();
      const child = buildInProcess(data, file);
      child.stdout!.resume();
      child.stderr!.resume();
      const timer = round > 0 ? setTimeout(() => child.kill('SIGKILL'), upTo(1.2 * wholeMs)) : undefined;
      await once(child, 'close');
      clearTimeout(timer);
      if (round === 0) wholeMs = performance.now() - from;
      const current = currentVersion(data)!;
      if (current !== before) replaced++;
      const directory = join(data, current);
      await verifyFiles(directory, readManifest(directory), { isFresh: true });
      openDataset(directory).close();
    }
    t.diagnostic(`${kills} builds, ${replaced - 1} of them done before the kill`);
  });
});
