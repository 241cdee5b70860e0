/** The service over real HTTP on the default dataset, for tests that ask it as clients do. */
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDataset } from '../../src/api/open.ts';
import type { KeyOptions } from '../../src/keys/key-record.ts';
import { type AppOptions, createApp } from '../../src/server/index.ts';
import type { Profile } from '../../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../../test/support/dataset.ts';
import { localKeys } from '../../test/support/local-keys.ts';
import { testPlans } from '../../test/support/service.ts';

const directory = defaultDataset();

/** Why these tests are skipped; false where there is a dataset. */
export const skip = directory === undefined && datasetMissing;

export const profiles: readonly Profile[] = ['default', 'a', 'b'];

export type AskOptions = {
  profile?: Profile;
  method?: string;
  /** Another key than the usual one; null for none. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: string;
};

/** `body` is the parsed JSON, undefined where the answer is none; `bytes` is what came over the wire. */
// biome-ignore lint/suspicious/noExplicitAny: a parsed body is whatever the test says it is.
export type Reply = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; body: any };

export type Problem = { said: string; detail: string };

export type Served = {
  /** Sends a request; `parameters` are added to the path as a query. The path is sent unchanged. */
  ask(path: string, parameters?: Record<string, string | number>, options?: AskOptions): Promise<Reply>;
  /** The body of an endpoint's answer; fails unless its status is 200. `path` is the endpoint's, such as `/search`. */
  get(path: string, parameters?: Record<string, string | number>, options?: AskOptions): Promise<Reply['body']>;
  /** An endpoint's refusal as `400 invalid_parameter lat`: status, code and the parameters at fault. */
  problem(path: string, parameters: Record<string, string | number>, options?: AskOptions): Promise<Problem>;
  batch(requests: unknown, options?: AskOptions): Promise<Reply>;
  /** Makes a key, by default of a plan whose limits no test meets by chance. */
  makeKey(options?: KeyOptions): string;
  /** The time of the service; a test may set it. Undefined: now. */
  clock: { now: number | undefined };
  close(): Promise<void>;
};

/** Serves the default dataset on a free port. To be called only where `skip` is false. */
export async function serve(options: Partial<AppOptions> = {}): Promise<Served> {
  const store = openDataset(directory!);
  const clock: Served['clock'] = { now: undefined };
  const now = () => clock.now ?? Date.now();
  const { keys, makeKey: newKey } = localKeys(':memory:', { plans: testPlans, now });
  const app = createApp({
    store: { current: store },
    keys,
    version: '0.0.0-test',
    now,
    ...options,
    // On a busy machine any request may wait.
    limits: { maxWaitMs: 0, ...options.limits },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const makeKey = (options: KeyOptions = {}) => newKey({ plan: 'open', ...options });
  const usual = makeKey();

  const ask: Served['ask'] = (path, parameters = {}, options = {}) => {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    const key = options.key === undefined ? usual : options.key;
    const headers = {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(options.profile ? { 'x-api-variant': options.profile } : {}),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      const url = query.size === 0 ? path : `${path}?${query}`;
      request({ port, host: '127.0.0.1', agent, method: options.method ?? 'GET', path: url, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const isJson = /json/.test(response.headers['content-type'] ?? '') && bytes.length > 0;
          const body = isJson && !response.headers['content-encoding'] ? JSON.parse(bytes.toString()) : undefined;
          resolve({ status: response.statusCode!, headers: response.headers, bytes, body });
        });
      })
        .on('error', reject)
        .end(options.body);
    });
  };
  return {
    ask,
    async get(path, parameters = {}, options = {}) {
      const { status, body } = await ask(`/v1${path}`, parameters, options);
      assert.equal(status, 200, `${path} ${JSON.stringify(parameters)}: ${JSON.stringify(body)}`);
      return body;
    },
    async problem(path, parameters, options = {}) {
      const { status, body } = await ask(`/v1${path}`, parameters, options);
      const names = (body.errors ?? []).map(({ parameter }: { parameter: string }) => parameter).join();
      return { said: `${status} ${body.code} ${names}`.trim(), detail: body.detail };
    },
    makeKey,
    clock,
    batch: (requests, options = {}) =>
      ask(
        '/v1/batch',
        {},
        {
          ...options,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...options.headers },
          body: JSON.stringify({ requests }),
        },
      ),
    async close() {
      agent.destroy();
      await app.close();
      await keys.close();
      store.close();
    },
  };
}
