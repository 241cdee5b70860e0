import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import type { StoreHolder } from '../http/service.ts';
import { type Keys, openKeys } from '../keys/keys.ts';
import { currentVersion } from '../store/manifest.ts';
import { openDataset } from '../store/open.ts';
import { programVersion } from '../version.ts';
import { followDataset } from './follow-dataset.ts';
import { configFor, currentDataset, wholeNumber } from './settings.ts';
import { signUpFor } from './sign-up.ts';

export function addServeCommands(program: Command): void {
  const withOptions = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--port <port>', 'port to listen on (default: 8080)', wholeNumber('--port'))
      .option('--log-level <level>', 'debug, info, warn, error or silent (default: info)');

  withOptions(
    'start',
    'build the default dataset when there is none, make a demo key when there is none, and serve',
  ).action(async (_options: unknown, command: Command) => {
    const config = configFor(command);
    if (currentVersion(config.dataDirectory) === undefined) {
      console.error('Building the default dataset; this happens once and takes two to three minutes.');
      const { build } = await import('./run-build.ts');
      await build(config);
    }
    await serve(config, true);
  });

  withOptions('serve', 'serve the current dataset; a new one, or SIGHUP, is taken up without a failed request').action(
    async (_options: unknown, command: Command) => serve(configFor(command), false),
  );
}

async function serve(config: Config, isDemo: boolean): Promise<void> {
  const holder: StoreHolder = { current: openDataset(currentDataset(config)) };
  mkdirSync(config.dataDirectory, { recursive: true });
  const keys = openKeys(config.keysPath, {
    plans: config.plans,
    onError: (error) => app.log.error(error, 'usage could not be written; it is kept and tried again'),
  });
  const signUp = await signUpFor(config);
  const app = createApp({
    store: holder,
    keys,
    version: programVersion,
    trustedProxies: config.trustedProxies,
    signUp,
    logger: { level: config.logLevel },
  });
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  const base = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  if (isDemo) greet(base, keys);
  else app.log.info({ address: base, dataset: holder.current?.manifest.version }, 'serving');

  const follower = followDataset(config.dataDirectory, holder, app.log);
  const stop = async (signal: string) => {
    if (holder.isStopping) return;
    holder.isStopping = true;
    app.log.info({ signal }, 'stopping');
    follower.close();
    const forced = setTimeout(() => app.server.closeAllConnections(), config.shutdownSeconds * 1000);
    await app.close();
    clearTimeout(forced);
    keys.close();
    if (signUp.mode !== 'closed') signUp.signUps.close();
    holder.current?.close();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => follower.look(true));
}

/** Tells a newcomer what to type, with a key of its own when there is none yet. */
function greet(base: string, keys: Keys): void {
  const hasKey = keys.list().some(({ revokedAt }) => revokedAt === null);
  const key = hasKey ? '<your key>' : keys.create({ name: 'demo', plan: 'free' }).key;
  console.log(`
Whereabouts is ready at ${base}  (documentation: ${base}/docs)
${hasKey ? 'For a new key: npx whereabouts keys create' : 'Your demo key, shown only now: it allows 1,000 calls a day.'}

  curl -H 'X-API-Key: ${key}' '${base}/v1/search?q=paris+texas'
`);
}
