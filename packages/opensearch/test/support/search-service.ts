/** The small dataset at a search cluster, and a service over it. */
import type { TestContext } from 'node:test';
import { openDataset } from '../../../../src/api/open.ts';
import { type AppOptions, createApp } from '../../../../src/server/app.ts';
import type { StreetEngine } from '../../../../src/store/street-engine.ts';
import { localKeys } from '../../../../test/support/local-keys.ts';
import { testPlans } from '../../../../test/support/service.ts';
import { buildSmallDataset } from '../../../../test/support/small-store.ts';
import { temporaryDirectory } from '../../../../test/support/temporary.ts';
import { openCluster } from '../../src/index.ts';

type PublishOptions = Parameters<Awaited<ReturnType<typeof openCluster>>['publish']>[1];

export const options = { shards: 1, replicas: 0, keepVersions: 2 };
/** Questions to all endpoints that have street-level data. */
export const paths = [
  '/v1/address?q=Hauptstra%C3%9Fe+7+Berlin',
  '/v1/address?q=Haupstrase+7+Berlin',
  '/v1/address?q=Hauptstra%C3%9Fe+9+Berlin&explain=true',
  '/v1/address?q=5+bis+rue+de+la+Paix+75002+Paris',
  '/v1/address?q=12+West+42nd+Street+Springfield+IL',
  '/v1/address?q=Qqqqzz+12',
  '/v1/streets?q=Hauptstr',
  '/v1/streets?q=Hauptstra%C3%9Fe&lat=52.48&lng=13.35',
  '/v1/pois?lat=52.481&lng=13.351',
  '/v1/pois?lat=52.481&lng=13.351&radius=50&q=trattoria',
  '/v1/pois?lat=52.481&lng=13.351&radius=50&category=restaurant&cuisine=pizza',
  '/v1/reverse?lat=52.48&lng=13.35',
  '/v1/search?q=Hauptstra%C3%9Fe+7+Berlin&layers=address',
  '/v1/autocomplete?q=Hauptstra%C3%9Fe+7',
  '/photon/api?q=Hauptstra%C3%9Fe+7+Berlin',
];

/** Writes the small dataset with another version. */
export async function datasetOf(t: TestContext, version: string): Promise<string> {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory, { version });
  return directory;
}

/** Publishes a dataset at an address. */
export async function publish(
  address: string,
  directory: string,
  publishOptions: Partial<PublishOptions> = {},
): Promise<void> {
  const cluster = await openCluster(address, { deadlineMs: 60_000 });
  await cluster.publish(directory, { ...options, ...publishOptions });
  await cluster.close();
}

/** A service over a dataset, with its street-level data from an engine where one is passed. */
export const askerOf = (t: TestContext, directory: string, engine?: StreetEngine) =>
  serviceOf(t, directory, engine).ask;

/** The same with the application itself. */
export function serviceOf(t: TestContext, directory: string, engine?: StreetEngine, more: Partial<AppOptions> = {}) {
  const store = openDataset(directory, { engine });
  const { keys, makeKey } = localKeys(':memory:', { plans: testPlans });
  const holder: AppOptions['store'] = { current: store };
  const app = createApp({ store: holder, keys, version: '0.0.0-test', limits: { maxWaitMs: 0 }, ...more });
  t.after(async () => {
    await app.close();
    await keys.close();
    store.close();
  });
  const key = makeKey({ plan: 'open' });
  const ask = async (url: string, headers: Record<string, string> = {}, payload?: object) => {
    const method = payload ? 'POST' : 'GET';
    const answer = await app.inject({
      method,
      url,
      headers: { 'x-api-key': key, ...headers },
      ...(payload && { payload }),
    });
    // A tool's answer is an event.
    const text = answer.body.replace('event: message\ndata: ', '');
    const { query_ms: _, request_id: __, ...body } = text === '' ? {} : JSON.parse(text);
    return { status: answer.statusCode, headers: answer.headers, body };
  };
  return { ask, app };
}
