/** The command line: `whereabouts <command>`; every command on one screen. */
import { Command, CommanderError } from 'commander';
import { programVersion } from './config.ts';
import { Failure, systemFault, systemReason, UsageError, WhereaboutsError } from './errors.ts';
import { DatasetError } from './store/manifest.ts';

const program = new Command('whereabouts')
  .description(
    'A location data service over open data: places, postal codes, time zones, sun times, IP look-up and more.',
  )
  .version(programVersion)
  .showHelpAfterError('(whereabouts --help lists the commands)')
  .addHelpText(
    'after',
    `
First steps:
  whereabouts start                          build the default dataset if there is none, create a demo key, serve
  whereabouts query search "paris texas"     query the dataset without a server
  whereabouts keys create --plan pro         create an API key; it is shown only once

Settings come from --config <file>, from WHEREABOUTS_… variables and from options; see docs/configuration.md.
Exit codes: 0 success, 1 failure, 2 invalid command line or configuration.`,
  )
  .configureHelp({ showGlobalOptions: true })
  .option('--config <file>', 'JSON file of settings')
  .option('--data-directory <directory>', 'directory of the datasets and the key database (default: data)')
  .exitOverride();

/** Every command, and where it stands. Only what the command line names is loaded: a server has no use for a builder. */
const commands: readonly [names: readonly string[], load: () => Promise<(program: Command) => void>][] = [
  [['start', 'serve'], async () => (await import('./commands/serve.ts')).addServeCommands],
  [['build'], async () => (await import('./commands/build.ts')).addBuildCommand],
  [['sources'], async () => (await import('./commands/sources.ts')).addSourcesCommand],
  [['update'], async () => (await import('./commands/update.ts')).addUpdateCommand],
  [['publish'], async () => (await import('./commands/publish.ts')).addPublishCommand],
  [['pull'], async () => (await import('./commands/publish.ts')).addPullCommand],
  [['upsert'], async () => (await import('./commands/publish.ts')).addUpsertCommand],
  [['versions', 'rollback'], async () => (await import('./commands/versions.ts')).addVersionsCommands],
  [['keys'], async () => (await import('./commands/keys.ts')).addKeysCommand],
  [['config'], async () => (await import('./commands/config.ts')).addConfigCommand],
  [['status'], async () => (await import('./commands/status.ts')).addStatusCommand],
  [['query'], async () => (await import('./commands/query.ts')).addQueryCommand],
  [['geocode'], async () => (await import('./commands/geocode.ts')).addGeocodeCommand],
  [['mcp'], async () => (await import('./commands/mcp.ts')).addMcpCommand],
];
const named = commands.filter(([names]) => process.argv.slice(2).some((word) => names.includes(word)));

// Whoever reads the output may close it early, as `head` does, which is no fault; nothing can be written after any other.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  console.error(`whereabouts: standard output: ${systemReason(error)}`);
  process.exit(1);
});
process.stderr.on('error', () => {});

try {
  for (const [, load] of named.length > 0 ? named : commands) (await load())(program);
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof UsageError || error instanceof WhereaboutsError || error instanceof DatasetError) {
    const reason = error instanceof WhereaboutsError && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    console.error(`whereabouts: ${error.message}${reason}`);
    process.exitCode = error instanceof UsageError && !(error instanceof Failure) ? 2 : 1;
  } else {
    // What the system refuses is for the user to mend; anything else is a bug and shown whole.
    const fault = systemFault(error);
    console.error(...(fault === undefined ? ['whereabouts:', error] : [`whereabouts: ${fault}`]));
    process.exitCode = 1;
  }
}
