/** Keys and sign-ups on a real server and on a cluster, for tests of what they have in common with the local database. */
import { spawnSync } from 'node:child_process';
import { after, type TestContext } from 'node:test';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../../../../src/keys/key-store.ts';
import { engineCase, type KeyEngineCase, type Place } from '../../../../test/support/key-engines.ts';
import { until } from '../../../../test/support/served.ts';
import type { ConnectionOptions } from '../../src/connection.ts';
import { openKeyEngine } from '../../src/index.ts';
import { type RedisCluster, redisCluster } from './redis-cluster.ts';
import { noRedisServer, redisServer } from './redis-server.ts';

/** Keys on a server, as the service opens them. */
export const openValkeyKeys = async (url: string, options: KeyStoreOptions & ConnectionOptions): Promise<KeyStore> =>
  createKeyStore(await openKeyEngine(url, options), options);

/** No server dies here: whatever a busy machine keeps waiting is waited for. */
const timeoutMs = 60_000;
const onServers = (url: string, replicas: number): Place => ({
  async keys(options) {
    const opened = await openValkeyKeys(url, { ...options, replicas, timeoutMs });
    await until('it is up', () => opened.isHealthy());
    return opened;
  },
});
const server = async (t: TestContext): Promise<Place> => onServers((await redisServer(t)).url, 0);

/** One for all tests of a file, which takes as long to start as many tests; each gets it empty. */
let cluster: Promise<RedisCluster> | undefined;
const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});
const emptyCluster = async (): Promise<Place> => {
  const ofFile = { after: (end: () => unknown) => endings.push(end) } as unknown as TestContext;
  const { url, empty } = await (cluster ??= redisCluster(ofFile, { nodeTimeoutMs: timeoutMs }));
  await empty();
  return onServers(url, 1);
};

const noRedisCli = spawnSync('redis-cli', ['--version']).status !== 0 && 'needs redis-cli, to make a cluster';

export const serverEngines: readonly KeyEngineCase[] = [
  engineCase('a server', noRedisServer, server),
  engineCase('a cluster', noRedisServer || noRedisCli, emptyCluster),
];
