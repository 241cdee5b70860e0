/**
 * Street-level data in a real cluster: the same answers as from files, versions, live updates, and an unavailable
 * cluster.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { before, describe, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { StreetEngine, StreetEngineChange } from '../../../src/store/street-engine.ts';
import { until } from '../../../test/support/served.ts';
import { openSearchEngine } from '../src/engine.ts';
import { openCluster } from '../src/index.ts';
import { noOpenSearch, type SearchCluster } from './support/opensearch.ts';
import { askerOf, datasetOf, options, paths, publish } from './support/search-service.ts';

export const engineCases = (oneNode: () => Promise<SearchCluster>) =>
  describe('street-level data in a search cluster', { skip: noOpenSearch }, () => {
    let cluster: SearchCluster;
    before(async () => {
      cluster = await oneNode();
    });

    /** By default it waits longer than a service does, as the machine may be busy. */
    async function engineAt(
      t: TestContext,
      name: string,
      { deadlineMs = 60_000, changes = [] as StreetEngineChange[] } = {},
    ): Promise<StreetEngine> {
      const onChange = (change: StreetEngineChange) => void changes.push(change);
      const engine = await openSearchEngine(`${cluster.url}/${name}`, { deadlineMs, onChange });
      t.after(() => engine.close());
      return engine;
    }

    test('every endpoint answers as from the files of the dataset', async (t) => {
      const directory = await datasetOf(t, 'same-1');
      await publish(`${cluster.url}/same`, directory);
      const fromFiles = askerOf(t, directory);
      const fromCluster = askerOf(t, directory, await engineAt(t, 'same'));
      for (const path of paths) {
        const [files, found] = [await fromFiles(path), await fromCluster(path)];
        assert.equal(found.status, 200, path);
        assert.deepEqual(found.body, files.body, path);
        assert.equal(found.headers.etag, files.headers.etag, path);
      }
      const { body } = await fromCluster('/status');
      assert.deepEqual(body.dataset.layers.addresses, (await fromFiles('/status')).body.dataset.layers.addresses);
    });

    test('a new version is loaded, with another tag; the previous one can be served again; old ones are removed', async (t) => {
      const address = `${cluster.url}/versions`;
      const directory = await datasetOf(t, 'v1');
      await publish(address, directory);
      // Another name in the same cluster, which begins with this one.
      await publish(`${address}-eu`, await datasetOf(t, 'u1'));
      const engine = await engineAt(t, 'versions');
      const ask = askerOf(t, directory, engine);
      const first = await ask(paths[0]);
      for (const version of ['v2', 'v3']) await publish(address, await datasetOf(t, version));
      await engine.refresh();
      const third = await ask(paths[0]);
      assert.deepEqual(third.body, first.body);
      assert.notEqual(third.headers.etag, first.headers.etag);
      const asCluster = await openCluster(address, { deadlineMs: 60_000 });
      t.after(() => asCluster.close());
      assert.deepEqual(
        (await asCluster.versions()).map(({ version, isServed }) => [version, isServed]),
        [
          ['v2', false],
          ['v3', true],
        ],
      );
      const other = await openCluster(`${address}-eu`, { deadlineMs: 60_000 });
      t.after(() => other.close());
      assert.deepEqual(
        (await other.versions()).map(({ version, isServed }) => [version, isServed]),
        [['u1', true]],
      );
      await asCluster.serve('v2');
      await engine.refresh();
      assert.equal(engine.facts?.version, 'v2');
      await assert.rejects(asCluster.serve('v1'), /v1 is not published.*v2, v3/);
      await assert.rejects(publish(address, await datasetOf(t, 'v2')), /v2 is already published in this cluster/);
    });

    test('an index that is deleted while a search runs: the search starts again in the one that replaced it', async (t) => {
      const address = `${cluster.url}/deleted`;
      const directory = await datasetOf(t, 'd1');
      await publish(address, directory);
      const engine = await engineAt(t, 'deleted');
      const ask = askerOf(t, directory, engine);
      const before = await ask(paths[0]);
      await publish(address, await datasetOf(t, 'd2'));
      await cluster.ask('DELETE', '/deleted-d1');
      const later = await ask(paths[0]);
      assert.equal(later.status, 200);
      assert.deepEqual(later.body, before.body);
      await cluster.ask('DELETE', '/deleted-d2');
      const gone = await ask(paths[0]);
      assert.equal(gone.status, 503);
      assert.equal(gone.body.code, 'unavailable');
    });

    test('an interrupted run is not served, and the next one starts again', async (t) => {
      const address = `${cluster.url}/half`;
      const directory = await datasetOf(t, 'h1');
      await cluster.ask('PUT', '/half-h1', { mappings: { _meta: { schema: 1, version: 'h1', parts: [] } } });
      const asCluster = await openCluster(address, { deadlineMs: 60_000 });
      t.after(() => asCluster.close());
      assert.deepEqual(await asCluster.versions(), []);
      await asCluster.publish(directory, options);
      assert.deepEqual(
        (await asCluster.versions()).map(({ version }) => version),
        ['h1'],
      );
    });

    test('of two publications of one version at once one is refused, and what is served is whole', async (t) => {
      const address = `${cluster.url}/twice`;
      const directory = await datasetOf(t, 't1');
      const asCluster = await openCluster(address, { deadlineMs: 60_000 });
      t.after(() => asCluster.close());
      const both = [asCluster.publish(directory, options), asCluster.publish(directory, options)];
      const ended = await Promise.allSettled(both);
      assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const ask = askerOf(t, directory, await engineAt(t, 'twice'));
      for (const path of paths)
        assert.deepEqual((await ask(path)).body, (await askerOf(t, directory)(path)).body, path);
    });

    /** A publication during which something happens as it is about to serve its version. */
    async function publishWhile(t: TestContext, name: string, version: string, happens: () => Promise<unknown>) {
      let isAsked = false;
      const server = createServer(async (request, response) => {
        const { method, url } = request;
        const body = method === 'GET' ? null : await buffer(request);
        if (url === '/_aliases' && !isAsked) {
          isAsked = true;
          await happens();
        }
        const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' };
        const answer = await fetch(`${cluster.url}${url}`, { method, headers, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close().closeAllConnections());
      const { port } = server.address() as AddressInfo;
      return publish(`http://127.0.0.1:${port}/${name}`, await datasetOf(t, version));
    }
    const served = async (name: string) => Object.keys(await cluster.ask('GET', `/_alias/${name}`));

    test('a publication whose index another one makes anew as it is about to be served is refused', async (t) => {
      const again = async () => {
        await cluster.ask('DELETE', '/anew-o1');
        await cluster.ask('PUT', '/anew-o1', { mappings: { _meta: { schema: 1, version: 'o1', parts: [] } } });
      };
      await assert.rejects(
        publishWhile(t, 'anew', 'o1', again),
        /another publication of o1 began in this cluster; wait/,
      );
      assert.deepEqual(await served('anew'), ['error', 'status']);
    });

    test('two versions that are published at once: the later one alone is served', async (t) => {
      const other = async () => publish(`${cluster.url}/pair`, await datasetOf(t, 'p2'));
      await publishWhile(t, 'pair', 'p1', other);
      assert.deepEqual(await served('pair'), ['pair-p1']);
    });

    test('what a killed publication left is deleted by one a day later, and no other incomplete index', async (t) => {
      const address = `${cluster.url}/left`;
      for (const index of ['left-l1', 'left-eu-l1'])
        await cluster.ask('PUT', `/${index}`, { mappings: { _meta: { schema: 1, version: 'l1', parts: [] } } });
      const indices = async () => Object.keys(await cluster.ask('GET', '/left-*')).sort();
      await publish(address, await datasetOf(t, 'l2'));
      assert.deepEqual(await indices(), ['left-eu-l1', 'left-l1', 'left-l2']);
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3_600_000 });
      await publish(address, await datasetOf(t, 'l3'));
      assert.deepEqual(await indices(), ['left-eu-l1', 'left-l2', 'left-l3']);
    });

    test('while the cluster is away street-level endpoints answer 503, the others without street-level data', async (t) => {
      const directory = await datasetOf(t, 'a1');
      await publish(`${cluster.url}/away`, directory);
      const ask = askerOf(t, directory, await engineAt(t, 'away', { deadlineMs: 2000 }));
      const reverse = () => ask('/v1/reverse?lat=52.48&lng=13.35');
      let there = await reverse();
      await until('it answers', async () => (there = await reverse()).body.results[0].street === 'Hauptstraße');
      cluster.nodes[0].pause();
      try {
        for (const path of ['/v1/address?q=Hauptstra%C3%9Fe+1', '/v1/streets?q=Mill', '/v1/pois?lat=52.5&lng=13.4']) {
          const away = await ask(path);
          assert.equal(away.status, 503, path);
          assert.equal(away.body.code, 'unavailable');
          assert.ok(Number(away.headers['retry-after']) >= 1);
        }
        const without = await ask('/v1/reverse?lat=52.48&lng=13.35');
        assert.equal(without.status, 200);
        assert.equal(without.body.results[0].name, 'Berlin');
        assert.equal(without.body.results[0].street, null);
        assert.equal(without.headers.etag, undefined);
        assert.equal(without.headers['cache-control'], 'no-store');
        const search = await ask('/v1/search?q=Mannerheimintie+20');
        assert.deepEqual([search.status, search.body.count], [200, 0]);
      } finally {
        cluster.nodes[0].resume();
      }
      await until('it answers again', async () => (await ask('/v1/streets?q=Downing')).status === 200);
      await until('also this', async () => (await ask('/v1/search?q=Mannerheimintie+20')).body.count === 1);
      await until('all is as before', async () => isDeepStrictEqual((await reverse()).body, there.body));
    });

    test('nothing published yet: 503 until something is', async (t) => {
      const directory = await datasetOf(t, 'n1');
      const engine = await engineAt(t, 'none');
      const ask = askerOf(t, directory, engine);
      assert.equal((await ask(paths[0])).status, 503);
      await publish(`${cluster.url}/none`, directory);
      await engine.refresh();
      assert.equal((await ask(paths[0])).status, 200);
    });

    test('an index of a newer program is refused with the remedy', async (t) => {
      await cluster.ask('PUT', '/newer-1', {
        aliases: { newer: {} },
        mappings: { _meta: { schema: 99, version: '1' } },
      });
      const changes: StreetEngineChange[] = [];
      await engineAt(t, 'newer', { changes });
      assert.match(
        JSON.stringify(changes[0]),
        /"away".*schema 99, but this program reads 1; publish the dataset again/,
      );
    });
  });
