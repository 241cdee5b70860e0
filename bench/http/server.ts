/**
 * The service over a dataset, with a key without limits: keys, quota, rate and all headers are on as usual. A second
 * argument is the address of an OpenSearch cluster that has the street-level data.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset, openStreetEngine } from '../../src/api/open.ts';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { createApp } from '../../src/server/app.ts';

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-bench-'));
process.on('exit', () => rmSync(directory, { recursive: true }));
process.on('SIGTERM', () => process.exit(0));

const unlimited = Number.MAX_SAFE_INTEGER;
const plan = { callsPerDay: unlimited, callsPerSecond: unlimited, burst: unlimited, batchSize: 100 };
const keys = openKeys(join(directory, 'keys.sqlite'), { plans: { free: plan }, isAlone: true });
const [dataset, cluster] = process.argv.slice(2);
const engine = cluster === undefined ? undefined : await openStreetEngine(cluster, { onChange: console.error });
const app = createApp({ store: { current: openDataset(dataset, { engine }) }, keys, version: '0.0.0-bench' });
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(
  JSON.stringify({ port: (app.server.address() as AddressInfo).port, key: (await keys.create({}, 'bench')).key }),
);
