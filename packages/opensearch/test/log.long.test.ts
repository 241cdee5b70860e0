/** What the log of a service says of its search cluster. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, smallData, until } from '../../../test/support/served.ts';
import { noOpenSearch, type SearchCluster, searchCluster } from './support/opensearch.ts';
import { datasetOf, publish } from './support/search-service.ts';

describe('the log of a service with a search cluster', { skip: noOpenSearch }, () => {
  let cluster: SearchCluster;
  before(async () => {
    cluster = await searchCluster(1);
  });
  after(() => cluster?.close());

  test('a line when the cluster goes away or comes back, with where and why; further attempts are for debugging', async (t) => {
    const [node] = cluster.nodes;
    await publish(`${node.url}/logged`, await datasetOf(t, 'logged-1'));
    await node.kill();
    const { host } = new URL(node.url);
    const streets = `http://somebody:secret@${host}/logged`;
    const served = await serve(t, await smallData(t), { streets, logLevel: 'debug' });
    const [debug, warning] = [20, 40];
    const of = (state: RegExp) => served.log.filter(({ msg }) => state.test(msg));
    const troubles = () => served.log.filter(({ level }) => Number(level) >= warning);
    const attempts = () => of(/cannot be reached/).filter(({ level }) => level === debug).length;
    await until('it is tried again, and again', () => attempts() >= 3);
    await node.start();
    await until('it is back', () => of(/can be reached again/).length === 1);
    const before = attempts();
    await node.kill();
    await until('it is away again', () => attempts() >= before + 2);
    await node.start();
    await until('it is back', () => of(/can be reached again/).length === 2);
    await fetch(`${node.url}/logged-*`, { method: 'DELETE' });
    await until('the index is missed', () => troubles().length === 3);

    const trouble = troubles();
    assert.deepEqual(
      trouble.map(({ msg }) => msg),
      Array(3).fill('street-level data cannot be reached; retrying'),
    );
    for (const line of served.log) {
      assert.ok(!('err' in line), JSON.stringify(line));
      assert.doesNotMatch(JSON.stringify(line), /secret| at .*\.ts/);
    }
    for (const { endpoint, reason } of trouble) {
      assert.equal(endpoint, `http://${host}/logged`);
      assert.match(reason as string, /ECONNREFUSED|no answer|nothing is published there/);
    }
  });
});
