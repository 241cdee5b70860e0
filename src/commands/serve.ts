import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { basename, join } from 'node:path';
import { type Command, Option } from 'commander';
import pino from 'pino';
import { type Config, hostAndPort } from '../config.ts';
import { isInside, parseAddress, parseNetwork } from '../core/ip/address.ts';
import { UsageError, WhereaboutsError } from '../errors.ts';
import { fallbackPlan } from '../keys/key-record.ts';
import type { SignUpOptions } from '../server/faces/sign-up.ts';
import { followDataset, type Log, type Served } from '../server/processes/follow-dataset.ts';
import { freePort, serveMetrics } from '../server/processes/listeners.ts';
import { isOnTerminal, type LogStream, openLog } from '../server/processes/log.ts';
import { metricsText } from '../server/processes/metrics.ts';
import { openKeysOf } from '../server/processes/open-keys.ts';
import { runWorker, superviseWorkers, workerCount } from '../server/processes/supervisor.ts';
import { currentVersion, OutdatedDataset, readManifest, verifyFiles } from '../store/manifest.ts';
import type { BuildOptions, GrowingDataset } from './run-build.ts';
import { configFor, currentDataset, wholeNumber } from './settings.ts';

export function addServeCommands(program: Command): void {
  const withOptions = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--port <port>', 'port to listen on (default: 8080)', wholeNumber('--port'))
      .option(
        '--workers <number>',
        'number of processes that serve; auto: one for each core, as far as memory allows (default: 1)',
        workersOf,
      )
      .option('--keys <address>', 'Valkey or Redis server with the keys, such as redis://127.0.0.1:6379')
      .addOption(
        new Option(
          '--when-keys-away <what>',
          'deny requests, or allow those with a known key, while that server does not answer',
        ).choices(['deny', 'allow']),
      )
      .option(
        '--dataset <address>',
        'serve the dataset published there and follow its updates: s3://bucket/prefix, https://… or a directory; @version pins a version',
      )
      .option('--streets <address>', 'OpenSearch cluster with the street-level data, such as https://127.0.0.1:9200')
      .option('--metrics <host:port>', 'serve Prometheus metrics there, such as 127.0.0.1:9464')
      .option('--log-level <level>', 'debug, info, warn, error or silent (default: info)');

  withOptions('start', 'build a dataset if there is none, create a demo key if there is no key, and serve')
    .option('--region <countries>', 'first add public extracts of these countries, as build does; ten: small countries')
    .option('--source <file...>', 'first add these files, folders, patterns or addresses, as build does')
    .option('--official', 'first add the official files of the whole world, as build does')
    .option('--yes', 'download large files without asking')
    .action(async ({ region, source, official, yes }: StartOptions, command: Command) => {
      const config = configFor(command);
      // A port that is taken is said before a dataset is built or fetched for it.
      if (cluster.isPrimary) await freePort(config.host, config.port);
      const isFirst = config.dataset === '' && cluster.isPrimary;
      const growing = isFirst ? await prepareDataset(config, { region, source, official, yes }) : undefined;
      await serve(config, true, growing);
    });

  withOptions('serve', 'serve the current dataset, and switch to a new one without a failed request').action(
    async (_options: unknown, command: Command) => serve(configFor(command), false),
  );
}

type StartOptions = Pick<BuildOptions, 'region' | 'source' | 'official' | 'yes'>;

/**
 * Builds the first dataset, or again one of an older program, and adds what was requested and is not there yet. A dataset
 * that is there is served even if that fails, for instance without a network. One that is built is served while it grows.
 */
async function prepareDataset(config: Config, options: StartOptions): Promise<GrowingDataset | undefined> {
  const before = currentVersion(config.dataDirectory);
  const isFirst = before === undefined || isOutdated(join(config.dataDirectory, before));
  const { region, source, official } = options;
  if (!isFirst && region === undefined && source === undefined && !official) return undefined;
  if (isFirst) {
    if (before !== undefined)
      console.error(`The dataset ${before} is of an older version: it is built again from its sources. Keys stay.`);
    console.error('Building a dataset; this happens once. Places and time zones are served first, the rest follows.');
    if (!asksFirst(options)) {
      // What answers is loaded while it builds.
      if (config.workers === 1) import('../server/processes/process.ts').catch(() => {});
      return (await import('./run-build.ts')).buildBesideService(config, options);
    }
  }
  const { build } = await import('./run-build.ts');
  try {
    await build(config, { ...options, onlyNew: true });
  } catch (error) {
    if (isFirst || !(error instanceof UsageError)) throw error;
    console.error(`whereabouts: not added: ${error.message}\nThe dataset that is here is served.`);
  }
  return undefined;
}

/** Whether an older program wrote a dataset. */
function isOutdated(directory: string): boolean {
  try {
    readManifest(directory);
    return false;
  } catch (error) {
    return error instanceof OutdatedDataset;
  }
}

/** Whether a question may come first, which another process could not ask on this terminal. */
const asksFirst = ({ region, official, yes }: StartOptions) => !yes && (region !== undefined || official === true);

const workersOf = (written: string) => (written === 'auto' ? written : wholeNumber('--workers')(written));

async function serve(config: Config, isDemo: boolean, growing?: GrowingDataset): Promise<void> {
  const stream = openLog();
  const start = async (
    version: string,
    options: { port?: number; isOneOfMany?: boolean; ended?: number | undefined } = {},
  ) => {
    // A supervisor of workers answers no request itself.
    const { startServing } = await import('../server/processes/process.ts');
    return startServing(config, {
      directory: join(config.dataDirectory, version),
      log: stream,
      signUp: signUpFor(config),
      ...options,
    });
  };
  if (cluster.isWorker)
    return runWorker(({ port, dataset, ended }) => start(dataset, { port, ended, isOneOfMany: true }));
  const attend = onSignals(stream);
  if (config.dataset !== '') await pullFirst(config);
  const directory = growing?.directory ?? currentDataset(config);
  const manifest = readManifest(directory);
  // Databases are compared with their hashes while they serve: they may take minutes, and break no more than an answer. What
  // is being built was read for its hashes just now.
  if (!growing) await verifyFiles(directory, manifest, { packsOnly: true });
  const count = config.workers === 'auto' ? workerCount(manifest) : config.workers;
  const version = basename(directory);
  const log = pino({ level: config.logLevel }, stream);
  const serving = count > 1 ? await superviseWorkers(config, { count, version }, log) : await start(version);
  const report = async () => ('report' in serving ? serving.report() : metricsText([(await serving.metrics())!]));
  const metrics = await serveMetrics(hostAndPort(config.metrics), report, log).catch(async (error) => {
    await serving.stop();
    throw error;
  });
  const follower = followDataset(config.dataDirectory, log, serving);
  // It may have changed since it was read.
  if (!growing) void follower.refresh();
  if (growing) void followGrowing(growing, log, { take: serving.take, refresh: follower.refresh });
  const { address } = serving;
  if (isDemo) await greet(config, address);
  attend({
    log,
    refresh: follower.refresh,
    async stop() {
      follower.close();
      metrics?.close();
      await serving.stop();
    },
  });
  log.info({ address, dataset: version, metrics: metrics?.address, ...(count > 1 && { workers: count }) }, 'serving');
  if (config.dataset !== '') (await import('../publish/pull.ts')).followPublished(config, log);
  const everyMs = config.verifyEverySeconds * 1000;
  const readAgain = async () => {
    await checkCurrent(config, log, true);
    setTimeout(readAgain, everyMs).unref();
  };
  setTimeout(readAgain, Math.min(everyMs, firstReadAgainMs)).unref();
  // One that is being built is moved meanwhile.
  if (!growing) await checkCurrent(config, log, false);
}

/** Files may rot after they were compared: when a running service first reads them again. */
const firstReadAgainMs = 10 * 60_000;

/** Compares the files of the current dataset with their hashes and logs damage, which the next start refuses. */
async function checkCurrent({ dataDirectory }: Config, log: Log, isFresh: boolean): Promise<void> {
  let version: string | undefined;
  try {
    version = currentVersion(dataDirectory);
    if (version === undefined) return;
    const directory = join(dataDirectory, version);
    await verifyFiles(directory, readManifest(directory), { isFresh });
  } catch (err) {
    // One that another has replaced may be removed while it is read. Nobody awaits this: what cannot be read either is logged.
    const isReplaced = Promise.try(() => currentVersion(dataDirectory) !== version).catch(() => false);
    if (!(await isReplaced)) log.error({ err, dataset: version }, 'the current dataset is damaged');
  }
}

/** Brings the published dataset here before the start; where that fails, what is here already is served. */
async function pullFirst(config: Config): Promise<void> {
  const [{ pullOnce }, { openObjectStore }] = await Promise.all([
    import('../publish/pull.ts'),
    import('../publish/publish.ts'),
  ]);
  // An address that cannot hold datasets is a wrong setting.
  await openObjectStore(config.dataset);
  try {
    await pullOnce(config);
  } catch (error) {
    if (currentVersion(config.dataDirectory) === undefined) throw error;
    console.error(
      `whereabouts: ${(error as Error).message}; the local dataset is served meanwhile, and the service tries again`,
    );
  }
}

/** A running service, of one process or several. */
type Service = { log: Log; refresh(isForced: boolean): Promise<void>; stop(): Promise<void> };

/** Has each layer served that arrives, and at the end the whole dataset, as any new one. */
async function followGrowing(
  { directory, next }: GrowingDataset,
  log: Log,
  { take, refresh }: Pick<Served, 'take'> & { refresh(): Promise<void> },
): Promise<void> {
  let message = await next();
  for (; 'arrived' in message; message = await next()) {
    try {
      await take(basename(message.arrived));
    } catch (error) {
      // Renamed meanwhile: it is whole.
      if (existsSync(message.arrived)) log.error({ err: error }, 'a layer that has arrived cannot be served yet');
    }
  }
  if ('built' in message) return refresh();
  log.error({ dataset: basename(directory) }, `the rest of the dataset is not built: ${message.failed}`);
}

/**
 * Listens to signals from now on, and returns what hands them to a service once there is one. Until then a stop ends
 * the process: the first one of a container is not ended by a signal that it does not listen to. SIGHUP has the dataset
 * examined again, but where the service was started from a terminal it means that the terminal is gone, and stops.
 */
function onSignals(stream: LogStream): (service: Service) => void {
  let service: Service | undefined;
  // The same signal often comes twice: from a terminal and from the process that started this one.
  let isStopping = false;
  const onStop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    if (service) {
      service.log.info({ signal }, 'stopping');
      await service.stop();
      await stream.drain();
    }
    process.exit(0);
  };
  process
    .on('SIGTERM', onStop)
    .on('SIGINT', onStop)
    .on('SIGHUP', isOnTerminal() ? onStop : () => service?.refresh(true));
  return (started) => {
    service = started;
  };
}

/**
 * Shows a newcomer what to type, with a key of its own when there is none yet. Where others can reach the service, what
 * is written here goes into a log that others read too, so that no key is made.
 */
async function greet(config: Config, address: string): Promise<void> {
  if (!isLocal(config)) {
    console.log(`
Whereabouts is ready at ${address}  (documentation: /docs)
For a key: the command "keys create" of this program, on this machine or in this container.
`);
    return;
  }
  const key = await demoKey(config);
  const calls = config.plans[fallbackPlan].callsPerDay.toLocaleString('en');
  console.log(`
Whereabouts is ready at ${address}  (documentation: ${address}/docs)
${key === undefined ? 'For a new key: npx whereabouts keys create' : `Your demo key, shown only now: it allows ${calls} calls a day.`}

  curl -H 'X-API-Key: ${key ?? '<your key>'}' '${address}/v1/search?q=paris+texas'
`);
}

/** A new key; undefined where there is one already, and while the server of keys is away. */
async function demoKey(config: Config): Promise<string | undefined> {
  const keys = await openKeysOf(config);
  try {
    const hasKey = (await keys.list()).some(({ revokedAt }) => revokedAt === null);
    return hasKey ? undefined : (await keys.create({ name: 'demo', plan: fallbackPlan }, 'start')).key;
  } catch (error) {
    if (error instanceof WhereaboutsError && error.code === 'unavailable') return undefined;
    throw error;
  } finally {
    await keys.close();
  }
}

const loopback = ['127.0.0.0/8', '::1'].map(parseNetwork);

/**
 * How people may sign up by a configuration. `auto` is `open` where only this machine can reach the service (a loopback
 * address, no proxies), as on the computer of someone who tries it, and `closed` elsewhere.
 */
function signUpFor(config: Config): SignUpOptions {
  const { signUp, smtpUrl, mailFrom, publicUrl } = config;
  if (signUp === 'closed' || (signUp === 'auto' && !isLocal(config))) return { mode: 'closed' };
  if (signUp === 'verified') return { mode: signUp, smtpUrl, mailFrom, publicUrl };
  const localHosts = publicUrl === '' ? [] : [new URL(publicUrl).hostname];
  return { mode: 'open', ...(signUp === 'auto' && { localHosts }) };
}

/** Whether only this machine can reach the service, as far as the configuration shows. */
function isLocal({ host, trustedProxies }: Config): boolean {
  if (trustedProxies.length > 0) return false;
  if (host === 'localhost') return true;
  const address = isIP(host) ? parseAddress(host) : undefined;
  return address !== undefined && isInside(address, loopback);
}
