/** A real cluster of a test's own: three masters with a replica each or more, on free ports; each can be killed and brought back. */
import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../../../test/support/served.ts';
import { type RedisServer, redisServer } from './redis-server.ts';

const run = promisify(execFile);

export type RedisCluster = {
  /** Addresses of all of its nodes, separated by commas. */
  url: string;
  nodes: RedisServer[];
  /** The node that is the master of a key now. */
  masterOf(key: string): Promise<RedisServer>;
  /** Asks one node. */
  ask(node: RedisServer, ...command: string[]): Promise<string>;
  /** Removes everything that is kept in it. */
  empty(): Promise<void>;
  /** Waits until every slot has a master, every master that lives a replica that follows it, and all nodes know it. */
  isWhole(masters: number): Promise<void>;
};

/** `nodeTimeoutMs`: how long a node may be silent before its replica takes its place. */
export async function redisCluster(t: TestContext, { nodeTimeoutMs = 3000, replicas = 1 } = {}): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  for (let index = 0; index < 3 * (1 + replicas); index++) {
    const args = ['--cluster-node-timeout', String(nodeTimeoutMs)];
    args.push('--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1');
    nodes.push(await redisServer(t, { isNode: true, args }));
  }
  const ask = async (node: RedisServer, ...command: string[]) =>
    (await run('redis-cli', ['-p', String(node.port), ...command])).stdout.trim();
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', `${replicas}`, '--cluster-yes']);
  const cluster: RedisCluster = {
    url: nodes.map(({ url }) => url).join(),
    nodes,
    ask,
    async masterOf(key) {
      const living = await firstAnswer(nodes, (node) => ask(node, 'CLUSTER', 'KEYSLOT', key));
      const slot = Number(living);
      const shards = await firstAnswer(nodes, (node) => ask(node, 'CLUSTER', 'NODES'));
      for (const line of shards.split('\n')) {
        const [, address, flags, , , , , , ...slots] = line.split(' ');
        if (!flags.includes('master') || flags.includes('fail')) continue;
        const holds = slots.some((range) => {
          const [from, to = from] = range.split('-').map(Number);
          return from <= slot && slot <= to;
        });
        if (holds) return nodes.find(({ port }) => address.startsWith(`127.0.0.1:${port}@`))!;
      }
      throw new Error(`no master for ${key}`);
    },
    async empty() {
      for (const node of nodes) {
        if ((await ask(node, 'INFO', 'replication')).includes('role:master')) await ask(node, 'FLUSHALL');
      }
    },
    async isWhole(masters) {
      await until('the cluster is whole', async () => {
        const states = await Promise.all(
          nodes.map(async (node) => {
            try {
              const info = await ask(node, 'CLUSTER', 'INFO');
              const replication = await ask(node, 'INFO', 'replication');
              const known = (await ask(node, 'CLUSTER', 'NODES'))
                .split('\n')
                .map((line) => line.split(' ')[2].split(','));
              return {
                isOk: info.includes('cluster_state:ok'),
                isMaster: replication.includes('role:master'),
                // Nodes hear from each other who follows whom, some seconds after it is so.
                replicas: known.filter((flags) => flags.includes('slave') && !flags.includes('fail')).length,
                // "online" alone is a replica that may not confirm anything for a second: it has acknowledged no offset.
                isFollowed:
                  /state=online,offset=[1-9]/.test(replication) || replication.includes('master_link_status:up'),
              };
            } catch {
              return undefined;
            }
          }),
        );
        const living = states.filter((state) => state !== undefined);
        const followed = living.filter(({ isMaster, isFollowed }) => isMaster && isFollowed);
        const replicas = living.filter(({ isMaster }) => !isMaster).length;
        const isAgreed = living.every((node) => node.isOk && node.replicas === replicas);
        return isAgreed && followed.length >= masters;
      });
    },
  };
  await cluster.isWhole(3);
  return cluster;
}

async function firstAnswer<T>(nodes: readonly RedisServer[], question: (node: RedisServer) => Promise<T>): Promise<T> {
  for (const node of nodes) {
    try {
      return await question(node);
    } catch {
      // The next one may live.
    }
  }
  throw new Error('no node answers');
}
