/** The whole service over the small dataset, for tests: real keys, real store, a clock that the test sets. */
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { InjectOptions, Response } from 'light-my-request';
import { defaultPlans, type KeyOptions, type Plans } from '../../src/keys/key-record.ts';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { type AppOptions, createApp } from '../../src/server/index.ts';
import { localKeys } from './local-keys.ts';
import { openSmallStore, type SmallStoreOptions } from './small-store.ts';

/** 2026-06-15, noon UTC: twelve hours from the next day. */
export const noon = Date.UTC(2026, 5, 15, 12);

/**
 * Plans besides the usual ones: one without limits that a test would reach by chance, and some with limits that it soon
 * reaches.
 */
export const testPlans: Plans = {
  ...defaultPlans,
  open: { callsPerDay: 1e9, callsPerSecond: 1e9, burst: 1e9, batchSize: 100 },
  tiny: { callsPerDay: 5, callsPerSecond: 1000, burst: 1000, batchSize: 10 },
  slow: { callsPerDay: 1000, callsPerSecond: 2, burst: 3, batchSize: 10 },
};

export type TestService = {
  app: FastifyInstance;
  /** Sends a request without a socket, as a client of node:http would. */
  inject(options: InjectOptions): Promise<Response>;
  keys: KeyStore;
  holder: AppOptions['store'];
  /** The time of the service; a test moves it. */
  clock: { now: number };
  close(): Promise<void>;
  /** A key of the plan `open`. */
  key: string;
  makeKey(options?: KeyOptions): string;
  /** Sends a request with the key (or another, or none), and returns status, headers, text and parsed body. */
  ask(url: string, options?: AskOptions): Promise<Answer>;
  batch(requests: unknown, options?: AskOptions): Promise<Answer>;
};

export type AskOptions = {
  method?: InjectOptions['method'];
  key?: string | null;
  headers?: Record<string, string>;
  body?: string;
  remoteAddress?: string;
};

// biome-ignore lint/suspicious/noExplicitAny: a parsed body is whatever the test says it is.
export type Answer = { status: number; headers: Record<string, string>; text: string; body: any };

/** Starts a service without a port; closed after the test `t`, or by `close` where there is none (a suite). */
export async function testService(
  t: TestContext | undefined,
  options: Partial<AppOptions> & { small?: SmallStoreOptions; keysPath?: string } = {},
): Promise<TestService> {
  const { small, keysPath = ':memory:', limits, ...appOptions } = options;
  const { store, remove } = await openSmallStore(small);
  const clock = { now: noon };
  const now = () => clock.now;
  const { keys, makeKey: newKey } = localKeys(keysPath, { plans: testPlans, now });
  const holder: AppOptions['store'] = { current: store };
  const app = createApp({
    store: holder,
    keys,
    version: '0.0.0-test',
    now,
    // On a busy machine any request may wait: a test that is about refusals says so.
    limits: { maxWaitMs: 0, ...limits },
    ...appOptions,
  });
  await app.ready();
  const close = async () => {
    await app.close();
    await keys.close();
    remove();
  };
  t?.after(close);
  const makeKey = (options: KeyOptions = {}) => newKey({ plan: 'open', ...options });
  const key = makeKey();
  const send = (request: InjectOptions) => app.inject(request);
  const ask: TestService['ask'] = async (url, options = {}) => {
    const sent = options.key === undefined ? key : options.key;
    const answer = await send({
      method: options.method ?? 'GET',
      url,
      headers: { ...(sent === null ? {} : { 'x-api-key': sent }), ...options.headers },
      ...(options.body === undefined ? {} : { payload: options.body }),
      ...(options.remoteAddress === undefined ? {} : { remoteAddress: options.remoteAddress }),
    });
    const type = String(answer.headers['content-type'] ?? '');
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text: answer.body,
      body: /[/+]json\b/.test(type) && answer.body !== '' ? JSON.parse(answer.body) : undefined,
    };
  };
  return {
    app,
    inject: send,
    keys,
    holder,
    clock,
    close,
    key,
    makeKey,
    ask,
    batch: (requests, options = {}) =>
      ask('/v1/batch', {
        ...options,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...options.headers },
        body: JSON.stringify({ requests }),
      }),
  };
}
