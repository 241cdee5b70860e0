/**
 * Publishing to a bucket and pulling from it, killed (`kill -9`) at random moments: after every kill what the bucket
 * and the node name as current must be whole. With an S3 server and its AWS_… variables:
 *
 *     node scripts/node26.js bench/fleet-kills.ts s3://bucket/prefix [kills]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../src/api/open.ts';
import { makeCurrent } from '../src/build/versions.ts';
import { openObjectStore, publish } from '../src/publish/publish.ts';
import { pullOnce } from '../src/publish/pull.ts';
import { currentVersion, readManifest, verifyFiles } from '../src/store/manifest.ts';
import { buildSmallDataset } from '../test/support/small-store.ts';

const [destination, second = '100', directory = '', version = ''] = process.argv.slice(2);
const pull = { datasetEverySeconds: 60, keepVersions: 2 };

/** Runs this file as a worker process, killed after `killAfterMs` where that is set. Returns how long it ran. */
async function work(args: readonly string[], killAfterMs?: number): Promise<{ ms: number; isKilled: boolean }> {
  const child = spawn(process.execPath, [import.meta.filename, destination, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let startedAt = 0;
  child.stdout.once('data', () => {
    startedAt = performance.now();
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  const signal = await new Promise((resolve) => child.once('exit', (_, reason) => resolve(reason)));
  return { ms: performance.now() - startedAt, isKilled: signal === 'SIGKILL' };
}

async function run(kills: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'fleet-kills-'));
  try {
    const [data, node] = [join(root, 'data'), join(root, 'node')];
    mkdirSync(node);
    const versionOf = (at: number) => `20260101T${String(at).padStart(6, '0')}Z`;
    const add = async (at: number) => {
      mkdirSync(join(data, versionOf(at)), { recursive: true });
      await buildSmallDataset(join(data, versionOf(at)), { version: versionOf(at) });
      await makeCurrent(data, versionOf(at));
    };
    await add(0);
    const durations = {
      publish: (await work(['publish', data, versionOf(0)])).ms,
      pull: (await work(['pull', node])).ms,
    };
    const done = { publish: 0, pull: 0 };
    const killed = { publish: 0, pull: 0 };
    const broken: string[] = [];
    // Stops early on SIGINT, and reports what was done so far.
    let isEnding = false;
    process.once('SIGINT', () => {
      isEnding = true;
    });
    for (let at = 1; at <= kills && !isEnding; at++) {
      const kind = at % 2 === 1 ? 'publish' : 'pull';
      if (kind === 'publish') await add(at);
      const args = kind === 'publish' ? ['publish', data, versionOf(at)] : ['pull', node];
      const { isKilled } = await work(args, Math.random() * durations[kind]);
      (isKilled ? killed : done)[kind]++;
      for (const fault of [await bucketFault(), await nodeFault(node)])
        if (fault) broken.push(`${kind} ${at}: ${fault}`);
    }
    await work(['publish', data, currentVersion(data)!]);
    await work(['pull', node]);
    console.log({ durations, killed, doneBefore: done, broken, last: [currentVersion(data), currentVersion(node)] });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** What is wrong with the version that the bucket names as current. */
async function bucketFault(): Promise<string | undefined> {
  const { store } = await openObjectStore(destination);
  const { version: named } = JSON.parse(String(await store.read('current.json', 2 ** 20)));
  const manifest = JSON.parse(String(await store.read(`versions/${named}.json`, 2 ** 24)));
  for (const { sha256 } of filesOf(manifest)) {
    const content = await store.read(`files/${sha256}`, 2 ** 30);
    if (!content || createHash('sha256').update(content).digest('hex') !== sha256) return `${named} lacks ${sha256}`;
  }
  return undefined;
}

const filesOf = (manifest: ReturnType<typeof readManifest>) =>
  Object.values(manifest.layers).flatMap((layer) => layer?.files ?? []);

/** What is wrong with the version that a node would serve. */
async function nodeFault(node: string): Promise<string | undefined> {
  const current = currentVersion(node);
  if (current === undefined) return 'no current version';
  try {
    await verifyFiles(join(node, current), readManifest(join(node, current)));
    openDataset(join(node, current)).close();
  } catch (error) {
    return String(error);
  }
  return undefined;
}

if (second === 'publish' || second === 'pull') {
  console.log('working');
  if (second === 'pull') await pullOnce({ dataset: destination, dataDirectory: directory, ...pull });
  else await publish((await openObjectStore(destination)).store, join(directory, version));
} else await run(Number(second));
