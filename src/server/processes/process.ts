/** One process that serves: from an open dataset to a stop that breaks no answer. */
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import pino from 'pino';
import { openDataset, openStreetEngine } from '../../api/open.ts';
import { type Config, programVersion } from '../../config.ts';
import type { KeyEngineChange, KeyStoreOptions } from '../../keys/key-store.ts';
import { releasePages } from '../../store/packed/pack-file.ts';
import type { StreetEngineChange } from '../../store/street-engine.ts';
import { createApp } from '../app.ts';
import { type Mail, type SignUpOptions, sendMail } from '../faces/sign-up.ts';
import type { StoreHolder } from '../service.ts';
import { type Log, servedBy } from './follow-dataset.ts';
import { addressOf, cannotListen, freePort, listenBeside } from './listeners.ts';
import type { LogStream } from './log.ts';
import { createMetrics } from './metrics.ts';
import { openKeysOf } from './open-keys.ts';

export type Serving = Awaited<ReturnType<typeof startServing>>;

type ServeOptions = {
  /** Directory of the dataset. */
  directory: string;
  log: LogStream;
  signUp: SignUpOptions;
  /** In place of the configured port. */
  port?: number;
  /** Whether other processes serve on the same port and spend from the same quotas. */
  isOneOfMany?: boolean;
  /** Id of the process whose place this one takes. */
  ended?: number | undefined;
};

/**
 * Systems on which several sockets may listen on one port and the kernel spreads connections over them. Elsewhere the
 * port is shared by way of node:cluster, which hands connections on from the process that watches.
 */
const hasReusePort = ['linux', 'freebsd', 'sunos', 'aix'].includes(process.platform);
/** Listeners of the port in each process there. */
const listenerCount = 128;
/** Length of the system's queue of connections; clients retry after seconds when it is full. */
const backlog = 4096;
/** Grace period for connections to receive their last answer before the port is closed, ms. */
const maxDrainMs = 1000;

/** The event loop is at rest where it was busy for less than this share of the time since the look before. */
const maxBusyAtRest = 0.1;
const restLookMs = 5000;

/** Begins to serve. Throws when the dataset or the keys cannot be opened, or the port is taken. */
export async function startServing(config: Config, options: ServeOptions) {
  const { isOneOfMany = false, signUp } = options;
  const log = pino({ level: config.logLevel }, options.log);
  const hasEngine = config.streets !== '';
  const metrics = config.metrics === '' ? undefined : await createMetrics({ hasEngine });
  const engineOptions = {
    onChange({ state, ...facts }: StreetEngineChange) {
      if (state === 'back') log.info(facts, 'street-level data can be reached again');
      else log[state === 'away' ? 'error' : 'debug'](facts, 'street-level data cannot be reached; retrying');
    },
    onLookUp: metrics?.recordLookUp,
  };
  const engine = hasEngine ? await openStreetEngine(config.streets, engineOptions) : undefined;
  const holder: StoreHolder = { current: openDataset(options.directory, { engine }) };
  // Sign-ups were counted there before they were with the keys.
  for (const end of ['', '-shm', '-wal']) rmSync(join(config.dataDirectory, `sign-ups.db${end}`), { force: true });
  const keys = await openKeysOf(config, {
    isAlone: !isOneOfMany,
    ended: options.ended,
    hasDataset: true,
    onChange: (change) => noteKeys(config, log, change),
    ...(config.quotaWebhook === '' && config.quotaMail === '' ? {} : { onReached: quotaNotices(config, log) }),
  });
  const rest = shrinkAtRest();
  const app = createApp({
    store: holder,
    keys,
    ...(config.jobsMb > 0 && {
      jobs: { directory: join(config.dataDirectory, 'jobs'), maxBytes: config.jobsMb * 1e6 },
    }),
    version: programVersion,
    trustedProxies: config.trustedProxies,
    limits: {
      connections: config.maxConnections,
      connectionsPerAddress: Math.ceil(config.maxConnections / 10),
      maxWaitMs: config.maxLagMs,
    },
    signUp,
    portalRequestsPerMinute: config.portalRequestsPerMinute,
    baseMap: { style: config.mapStyle, archive: config.mapArchive, origins: config.mapOrigins },
    record: metrics?.record,
    ...(config.logRequests ? { logRequests: { withAddresses: config.logClientAddresses } } : {}),
    logger: { level: config.logLevel, stream: options.log },
  });
  const service = app.whereabouts;
  const { host } = config;
  let port = options.port ?? config.port;
  let others: Awaited<ReturnType<typeof listenBeside>> | undefined;
  try {
    if (hasReusePort && !isOneOfMany) port = await freePort(host, port);
    await app.listen({ host, port, backlog, reusePort: hasReusePort } as object);
    if (hasReusePort) others = await listenBeside(app.server, { host, port, backlog }, listenerCount - 1);
  } catch (error) {
    await app.close();
    await keys.close();
    throw (error as NodeJS.ErrnoException).syscall === 'listen' ? cannotListen(host, port, error as Error) : error;
  }
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    const deadline = performance.now() + config.shutdownSeconds * 1000;
    // From here on /health/ready says no, and every answer ends its connection; clients go elsewhere by themselves.
    holder.isStopping = true;
    const drained = performance.now() + Math.min(maxDrainMs, config.shutdownSeconds * 500);
    while (performance.now() < drained && service.connections > 0) await wait(20);
    const forced = setTimeout(() => app.server.closeAllConnections(), Math.max(0, deadline - performance.now()));
    await Promise.all([others?.close(), app.close()]);
    clearTimeout(forced);
    clearInterval(rest);
    await keys.close();
    holder.current?.close();
    await engine?.close();
  }

  return {
    /** Its address, such as http://127.0.0.1:8080. */
    address: addressOf(host, (app.server.address() as AddressInfo).port),
    ...servedBy(config.dataDirectory, holder, log, engine),
    /** Undefined where no metrics are configured. */
    metrics: () => metrics?.read(service, engine),
    /** Stops; every started request is answered, within the configured time. */
    stop: () => (stopped ??= stop()),
  };
}

function noteKeys({ keys }: Config, log: Log, change: KeyEngineChange): void {
  const isLocal = keys === '';
  if (change.state === 'back')
    log.info({ failures: change.failures }, isLocal ? 'usage is written again' : 'the key server answers again');
  else if (isLocal)
    log.error({ err: change.error }, 'usage could not be written; it is kept in memory, and writing is retried');
  else log.error(change.fault ?? { err: change.error }, 'the key server does not answer; retrying');
}

/**
 * After a load has V8 give memory back, and lets go of the pages of mapped files. By itself V8 keeps the heap that a load
 * needed for as long as nothing is allocated; in its mode for little memory it collects and shrinks within half a minute,
 * but takes a third more processor time while there is work.
 */
function shrinkAtRest(): NodeJS.Timeout {
  let isAtRest = true;
  let before = performance.eventLoopUtilization();
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (isAtRest === utilization < maxBusyAtRest) return;
    isAtRest = !isAtRest;
    setFlagsFromString(isAtRest ? '--memory-saver-mode' : '--no-memory-saver-mode');
    if (isAtRest) releasePages();
  };
  return setInterval(look, restLookMs).unref();
}

// Notices that a key has spent 80 or 100% of its day's calls: a POST to an address, a mail to the operator, or both.

const tries = 3;
const timeoutMs = 5000;
const pauseMs = 1000;

type OnReached = NonNullable<KeyStoreOptions['onReached']>;

/** Creates the sender of the configured notices. Each is attempted three times while the process lives. */
function quotaNotices(config: Config, log: Log): OnReached {
  const { quotaWebhook, quotaMail } = config;
  const onError = (err: unknown, what: string) => log.error({ err }, what);
  return (key, limit, percent) => {
    const { id, display, name, plan } = key;
    if (quotaWebhook !== '') {
      const at = new Date().toISOString();
      const body = JSON.stringify({ key_id: id, key: display, name, plan, limit, percent, at });
      threeTimes(() => post(quotaWebhook, body)).catch((error) => onError(error, 'the quota webhook failed'));
    }
    if (quotaMail !== '') {
      const mail = mailOf(quotaMail, key, limit, percent);
      threeTimes(() => sendMail(config, mail)).catch((error) => onError(error, 'the quota mail failed'));
    }
  };
}

function mailOf(to: string, key: Parameters<OnReached>[0], limit: number, percent: number): Mail {
  const { id, display, name, plan } = key;
  const calls = limit.toLocaleString('en');
  const outcome =
    percent < 100
      ? 'Once all calls are used, further calls are refused with 429.'
      : 'Further calls are refused with 429.';
  const text = `Key ${id} (${display}…${name === null ? '' : `, ${name}`}) of plan ${plan} has used ${percent}% of today's ${calls} calls.
${outcome} The quota resets at midnight UTC.

To raise the quota: whereabouts keys change ${id} --plan <plan>
`;
  return { to, subject: `Key ${id} has used ${percent}% of its quota`, text };
}

async function post(url: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(timeoutMs);
  const { ok, status, body: answer } = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  await answer?.cancel();
  if (!ok) throw new Error(`the quota webhook answered ${status}`);
}

async function threeTimes(send: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await send();
      return;
    } catch (error) {
      if (tried === tries) throw error;
      await wait(pauseMs * tried, undefined, { ref: false });
    }
  }
}
