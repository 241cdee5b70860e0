import { userInfo } from 'node:os';
import { Command } from 'commander';
import { profiles } from '../endpoints/endpoint.ts';
import { UsageError } from '../errors.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { openKeysOf } from '../serve/open-keys.ts';
import { configFor, wholeNumber } from './settings.ts';

type CreateOptions = {
  name?: string;
  plan?: string;
  profile?: string;
  days?: number;
  origin?: string[];
  network?: string[];
  endpoint?: string[];
  json?: boolean;
};

export function addKeysCommand(program: Command): void {
  const keys = new Command('keys')
    .description('make, list and revoke API keys; works while the server runs')
    .option('--keys <address>', 'Valkey or Redis server with the keys');
  keys
    .command('create')
    .description('make a key; it is shown once, only its hash is kept')
    .option('--name <name>', 'what the key is for')
    .option('--plan <plan>', 'plan of the configuration (default: free)')
    .option('--profile <profile>', `shape of its answers where a request names none: ${profiles.join(', ')}`)
    .option('--days <days>', 'days until the key expires (default: never)', wholeNumber('--days'))
    .option('--origin <origin...>', 'only from web pages of these origins')
    .option('--network <cidr...>', 'only from these networks')
    .option('--endpoint <endpoint...>', 'only these endpoints')
    .option('--json', 'print an object with `key`')
    .action((options: CreateOptions, command: Command) =>
      withKeys(command, async (ring) => {
        if (options.profile !== undefined && !profiles.includes(options.profile as never)) {
          throw new UsageError(`--profile is "${options.profile}", expected one of ${profiles.join(', ')}`);
        }
        const { key, record } = await ring.create(
          {
            name: options.name ?? null,
            plan: options.plan ?? 'free',
            profile: (options.profile as KeyRecord['profile'] | undefined) ?? null,
            expiresAt: options.days === undefined ? null : Date.now() + options.days * 86_400_000,
            origins: options.origin ?? null,
            networks: options.network ?? null,
            endpoints: options.endpoint ?? null,
          },
          operator(),
        );
        if (options.json) console.log(JSON.stringify({ key, ...shown(record) }));
        else console.log(`${key}\n\nPlan ${record.plan}. Keep the key: it cannot be shown again.`);
      }),
    );
  keys
    .command('list')
    .description('list all keys, oldest first')
    .option('--json', 'print an array of objects')
    .action((options: { json?: boolean }, command: Command) =>
      withKeys(command, async (ring) => {
        const records = (await ring.list()).map(shown);
        if (options.json) console.log(JSON.stringify(records));
        else if (records.length === 0) console.log('There are no keys; make one with "whereabouts keys create".');
        else
          console.table(Object.fromEntries(records.map(({ id, ...record }) => [id, record])), [
            'start',
            'name',
            'plan',
            'created',
            'expires',
            'revoked',
          ]);
      }),
    );
  keys
    .command('revoke <key>')
    .description('revoke a key, given by its id, its start (8 characters or more) or in full')
    .action((reference: string, _options: unknown, command: Command) =>
      withKeys(command, async (ring) => {
        const record = await ring.find(reference);
        await ring.revoke(record.id, operator());
        console.log(`${record.display}… is revoked`);
      }),
    );
  program.addCommand(keys);
}

/** Who is at the command line, for the log of changes. */
const operator = () => `operator ${userInfo().username}`;

async function withKeys(command: Command, work: (keys: KeyStore) => Promise<void>): Promise<void> {
  const keys = await openKeysOf(configFor(command));
  try {
    await work(keys);
  } finally {
    await keys.close();
  }
}

const day = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** A key as it is printed. */
function shown({
  id,
  display,
  name,
  plan,
  profile,
  createdAt,
  expiresAt,
  revokedAt,
  origins,
  networks,
  endpoints,
}: KeyRecord) {
  return {
    id,
    start: display,
    name,
    plan,
    profile,
    created: day(createdAt),
    expires: day(expiresAt),
    revoked: day(revokedAt),
    origins,
    networks,
    endpoints,
  };
}
