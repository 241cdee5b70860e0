import cluster from 'node:cluster';
import { type Command, Option } from 'commander';
import pino from 'pino';
import { type Config, hostAndPort } from '../config.ts';
import { watchDatasets } from '../serve/follow-dataset.ts';
import { serveMetrics } from '../serve/metrics-server.ts';
import { metricsText } from '../serve/metrics-text.ts';
import { openKeysOf } from '../serve/open-keys.ts';
import { type Serving, startServing } from '../serve/process.ts';
import { superviseWorkers } from '../serve/supervisor.ts';
import { runWorker } from '../serve/worker.ts';
import { workerCount } from '../serve/worker-count.ts';
import { currentVersion, readManifest } from '../store/manifest.ts';
import { programVersion } from '../version.ts';
import { configFor, currentDataset, wholeNumber } from './settings.ts';
import { isLocal, signUpFor } from './sign-up.ts';

export function addServeCommands(program: Command): void {
  const withOptions = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--port <port>', 'port to listen on (default: 8080)', wholeNumber('--port'))
      .option(
        '--workers <number>',
        'processes that serve; auto for one for each core that memory has room for (default: 1)',
        workersOf,
      )
      .option('--keys <address>', 'Valkey or Redis server with the keys, such as redis://127.0.0.1:6379')
      .addOption(
        new Option('--when-keys-away <what>', 'what to do while that server does not answer').choices([
          'deny',
          'allow',
        ]),
      )
      .option('--metrics <host:port>', 'serve Prometheus metrics there, such as 127.0.0.1:9464')
      .option('--log-level <level>', 'debug, info, warn, error or silent (default: info)');

  withOptions(
    'start',
    'build the default dataset when there is none, make a demo key when there is none, and serve',
  ).action(async (_options: unknown, command: Command) => {
    const config = configFor(command);
    if (currentVersion(config.dataDirectory) === undefined && cluster.isPrimary) {
      console.error('Building the default dataset; this happens once and takes one to three minutes.');
      const { build } = await import('./run-build.ts');
      await build(config);
    }
    await serve(config, true);
  });

  withOptions('serve', 'serve the current dataset; a new one, or SIGHUP, is taken up without a failed request').action(
    async (_options: unknown, command: Command) => serve(configFor(command), false),
  );
}

const workersOf = (written: string) => (written === 'auto' ? written : wholeNumber('--workers')(written));

async function serve(config: Config, isDemo: boolean): Promise<void> {
  const start = async (given: { port?: number; isOneOfMany?: boolean } = {}) =>
    startServing(config, { directory: currentDataset(config), signUp: await signUpFor(config), ...given });
  if (cluster.isWorker) return runWorker((port) => start({ port, isOneOfMany: true }));
  const count = config.workers === 'auto' ? workerCount(readManifest(currentDataset(config))) : config.workers;
  if (count > 1) await serveByWorkers(config, count, isDemo);
  else await serveAlone(config, start, isDemo);
}

async function serveAlone(config: Config, start: () => Promise<Serving>, isDemo: boolean): Promise<void> {
  const heed = onSignals();
  const serving = await start();
  const { log, address, dataset } = serving;
  const write = async () => metricsText([await serving.report()], { version: programVersion });
  const metrics = await serveMetrics(metricsAddress(config), write, log);
  if (isDemo) await greet(config, address);
  const watcher = watchDatasets(config.dataDirectory, () => serving.takeUp(), log);
  heed({
    async stop(signal) {
      log.info({ signal }, 'stopping');
      watcher.close();
      metrics?.close();
      await serving.stop();
    },
    takeUp: () => serving.takeUp(true),
  });
  log.info({ address, dataset, metrics: metrics?.address }, 'serving');
}

async function serveByWorkers(config: Config, count: number, isDemo: boolean): Promise<void> {
  const heed = onSignals();
  const log = pino({ level: config.logLevel });
  // What is wrong with the dataset is told once, and not by every worker.
  currentDataset(config);
  const supervisor = await superviseWorkers(config, count, log);
  const { address, dataset, metricsAddress: metrics } = supervisor;
  if (isDemo) await greet(config, address);
  heed({
    async stop(signal) {
      log.info({ signal }, 'stopping');
      await supervisor.stop();
    },
    takeUp: () => supervisor.takeUp(true),
  });
  log.info({ address, dataset, metrics, workers: count }, 'serving');
}

const metricsAddress = ({ metrics }: Config) => (metrics === '' ? undefined : hostAndPort(metrics));

type Heeded = { stop(signal: string): Promise<void>; takeUp(): void };

/**
 * Listens to signals from now on, and gives what they are handed to once there is something to stop. Until then a stop
 * ends the process: the first one of a container is not ended by a signal that it does not listen to.
 */
function onSignals(): (heeded: Heeded) => void {
  let heeded: Heeded | undefined;
  // The same signal often comes twice: from a terminal and from the process that started this one.
  let isStopping = false;
  const onStop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    if (heeded) heeded.stop(signal);
    else process.exit(0);
  };
  process
    .on('SIGTERM', onStop)
    .on('SIGINT', onStop)
    .on('SIGHUP', () => heeded?.takeUp());
  return (given) => {
    heeded = given;
  };
}

/**
 * Tells a newcomer what to type, with a key of its own when there is none yet. Where others can reach the service, what
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
  const keys = await openKeysOf(config);
  try {
    const hasKey = (await keys.list()).some(({ revokedAt }) => revokedAt === null);
    const key = hasKey ? '<your key>' : (await keys.create({ name: 'demo', plan: 'free' })).key;
    console.log(`
Whereabouts is ready at ${address}  (documentation: ${address}/docs)
${hasKey ? 'For a new key: npx whereabouts keys create' : 'Your demo key, shown only now: it allows 1,000 calls a day.'}

  curl -H 'X-API-Key: ${key}' '${address}/v1/search?q=paris+texas'
`);
  } finally {
    await keys.close();
  }
}
