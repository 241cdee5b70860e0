/**
 * A real cluster of three nodes with two copies of everything, under load while parts of it fail: no answer is wrong, and
 * none is missing as long as one copy is there. Times are printed; docs/internal/reliability.md has some.
 */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { buildStreetLevel } from '../../../src/build/layers/streets.ts';
import { noCables } from '../../../test/support/cables.ts';
import { until } from '../../../test/support/served.ts';
import { smallAddresses, smallPois, smallStreets, sourceOf } from '../../../test/support/small-streets.ts';
import { openSearchEngine } from '../src/engine.ts';
import { openCluster } from '../src/index.ts';
import { noOpenSearch, type SearchCluster, type SearchNode, searchCluster } from './support/opensearch.ts';
import { answersOf, startLoad } from './support/search-load.ts';
import { paths as allPaths, askerOf, datasetOf, publish } from './support/search-service.ts';

const nodeCount = 3;
const copies = { shards: 1, replicas: 1 };
/** The machine may be busy with other tests: these tests check whether an answer comes, not how soon. */
const limits = { deadlineMs: 20_000 };
const paths = allPaths.filter((path) => /address|streets|pois|reverse/.test(path) && !path.includes('/search'));

describe('failures under load', { skip: noOpenSearch || noCables }, () => {
  let cluster: SearchCluster;
  before(async () => {
    cluster = await searchCluster(nodeCount, { hasCables: true, noticesLate: true });
  });
  after(() => cluster?.close());

  /** A service of a cluster's data under a load that is already running. */
  async function loaded(t: TestContext, name: string, shards = 1) {
    const address = cluster.nodes.map(({ url }) => `${url}/${name}`).join();
    const directory = await datasetOf(t, `${name}-1`);
    await publish(address, directory, { ...copies, shards });
    const right = await answersOf(askerOf(t, directory), paths);
    const engine = await openSearchEngine(address, limits);
    t.after(async () => {
      await engine.close();
      // A node that starts again would have to copy its shards too.
      await cluster.ask('DELETE', `/${name}-*`);
    });
    const ask = askerOf(t, directory, engine);
    const load = startLoad(t, ask, [right]);
    await load.during('before', async () => {}, paths.length);
    return { address, directory, right, engine, ask, load };
  }

  /** The node that manages the cluster: its loss affects the others most. */
  async function manager(): Promise<SearchNode> {
    const state = await cluster.ask('GET', '/_cluster/state/cluster_manager_node,nodes');
    const { name } = (state.nodes as Record<string, { name: string }>)[state.cluster_manager_node];
    return cluster.nodes[Number(name.slice('node-'.length))];
  }
  const others = (node: SearchNode) => cluster.nodes.filter((one) => one !== node);

  /** Asked once, as the cluster waits itself: a question each moment would take a processor from nodes that start. */
  async function has(node: SearchNode, wanted: { nodes: number; status?: string }): Promise<void> {
    const status = wanted.status ? `&wait_for_status=${wanted.status}` : '';
    await until(`${wanted.nodes} nodes`, async () => {
      const path = `/_cluster/health?wait_for_nodes=${wanted.nodes}${status}&timeout=10s`;
      return (await node.ask('GET', path)).timed_out === false;
    });
  }
  const isWhole = () => has(cluster.nodes[0], { nodes: nodeCount, status: 'green' });

  async function noneFailed(load: Awaited<ReturnType<typeof loaded>>['load']): Promise<void> {
    const { wrong, failed } = await load.stop();
    assert.deepEqual([...wrong, ...failed].slice(0, 5), [], `${wrong.length} wrong, ${failed.length} failed`);
  }

  test('a node that is killed and comes back', async (t) => {
    const { load } = await loaded(t, 'killed');
    const node = await manager();
    await load.during('killed', async () => {
      await node.kill();
      await has(others(node)[0], { nodes: nodeCount - 1 });
    });
    await load.during('comes back', async () => {
      await node.start();
      await isWhole();
    });
    await noneFailed(load);
  });

  test('a paused node: neither it nor its copies are waited for', async (t) => {
    const { load } = await loaded(t, 'paused', nodeCount);
    const node = await manager();
    try {
      await load.during('paused', async () => node.pause());
    } finally {
      node.resume();
    }
    await load.during('goes on', isWhole);
    await noneFailed(load);
  });

  test('a node that loses its network', async (t) => {
    const { load } = await loaded(t, 'pulled');
    const node = await manager();
    try {
      await load.during('pulled', async () => node.cable!.pull());
    } finally {
      node.cable!.plug();
    }
    await load.during('plugged', isWhole);
    await noneFailed(load);
  });

  test('a node that no longer reaches the others, but the service reaches it', async (t) => {
    const { load } = await loaded(t, 'parted', nodeCount);
    const node = await manager();
    try {
      await load.during('parted', async () => node.cable!.part());
      // The cluster takes half a minute: only where times are wanted.
      if (process.env.ANSWERS)
        await load.during('the others go on without it', () => has(others(node)[0], { nodes: nodeCount - 1 }));
    } finally {
      node.cable!.join();
    }
    await load.during('joined', isWhole);
    await noneFailed(load);
  });

  test('all nodes are restarted one after the other', async (t) => {
    const { load } = await loaded(t, 'rolling');
    for (const [at, node] of cluster.nodes.entries()) {
      await load.during(`restart ${at + 1}`, async () => {
        await node.stop();
        await node.start();
        await isWhole();
      });
    }
    await noneFailed(load);
  });

  test('an index that may only be read, as of a node whose disk is full', async (t) => {
    const { address, load, engine } = await loaded(t, 'full');
    const block = (isBlocked: boolean | null) =>
      cluster.ask('PUT', '/full-full-1/_settings', { index: { 'blocks.read_only_allow_delete': isBlocked } });
    const asCluster = await openCluster(address, { deadlineMs: 60_000 });
    t.after(() => asCluster.close());
    const deletion = async function* () {
      yield { text: '{"id":"nobody:1","deleted":true}', number: 1 };
    };
    await load.during('may only be read', async () => {
      await block(true);
      await assert.rejects(asCluster.upsertLines(deletion()), /read-only-allow-delete/);
    });
    await load.during('may be written', async () => {
      await block(null);
      await asCluster.upsertLines(deletion());
      await engine.refresh();
    });
    await noneFailed(load);
  });

  test('a version that replaces another, whose index is removed', async (t) => {
    const { address, right, ask, load: unchanged } = await loaded(t, 'swapped');
    await noneFailed(unchanged);
    const directory = await datasetOf(t, 'swapped-2');
    const addresses = smallAddresses.map((address) => ({ ...address, lat: address.lat + 0.001 }));
    const source = sourceOf({ addresses: addresses.toReversed(), streets: [...smallStreets], pois: [...smallPois] });
    for (const name of readdirSync(directory))
      if (/^(streets|pois).*\.sqlite$/.test(name)) rmSync(join(directory, name));
    await buildStreetLevel({ directory, progress() {} }, [source]);
    const later = await answersOf(askerOf(t, directory), paths);
    assert.notDeepEqual(later, right);
    const load = startLoad(t, ask, [right, later]);
    await load.during('swap', async () => {
      await publish(address, directory, { ...copies, keepVersions: 1 });
      await until('it is served', async () => JSON.stringify((await ask(paths[0])).body) === later.get(paths[0]));
    });
    await noneFailed(load);
    const after = startLoad(t, ask, [later]);
    await after.during('after it', async () => {});
    await noneFailed(after);
  });

  test('an index that is deleted: street-level endpoints alone answer 503', async (t) => {
    const { address, directory, load, ask } = await loaded(t, 'deleted');
    await noneFailed(load);
    const world = ['/v1/country/DE', '/v1/search?q=berlin&layers=place', '/v1/countries?limit=50'];
    const ofWorld = startLoad(t, ask, [await answersOf(askerOf(t, directory), world)]);
    await ofWorld.during('deleted', async () => {
      await cluster.ask('DELETE', '/deleted-deleted-1');
      for (const path of paths.filter((one) => !one.includes('reverse')))
        assert.equal((await ask(path)).status, 503, path);
    });
    await ofWorld.during('published anew', async () => {
      // More copies than there are nodes for are not waited for.
      await publish(address, directory, { ...copies, replicas: nodeCount });
      await until('it is served', async () => (await ask(paths[0])).status === 200);
    });
    await noneFailed(ofWorld);
  });
});
