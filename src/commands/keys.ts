import type { Command } from 'commander';
import { type Profile, profiles } from '../endpoints/endpoint.ts';
import { UsageError } from '../errors.ts';
import { type KeyOptions, type KeyRecord, keyFacts } from '../keys/key-record.ts';
import { parseOrigin } from '../keys/key-rules.ts';
import { addKeyReports, operator, textTable, withKeys } from './key-reports.ts';

type Options = {
  name?: string;
  plan?: string;
  profile?: string;
  days?: string;
  origin?: string[];
  network?: string[];
  endpoint?: string[];
  admin?: boolean;
  json?: boolean;
};

export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('create, list, change and revoke API keys, and report their usage, also while the server runs')
    .option('--keys <address>', 'Valkey or Redis server with the keys');
  withProperties(
    keys
      .command('create')
      .description('create a key, by default with the plan free and without expiry; it is shown only once'),
  )
    .option('--admin', 'create a key for the admin API (/admin) only')
    .option('--json', 'print an object with `key`')
    .action((options: Options, command: Command) =>
      withKeys(command, async (store) => {
        const fields = { ...(await propertiesOf(options)), ...(options.admin ? { isAdmin: true } : {}) };
        const { key, record } = await store.create(fields, operator());
        if (options.json) console.log(JSON.stringify({ key, ...shown(record) }));
        else console.log(`${key}\n\n${described(shown(record))} Keep the key: it cannot be shown again.`);
      }),
    );
  keys
    .command('list')
    .description('list all keys, oldest first, with their restrictions')
    .option('--json', 'print an array of objects')
    .action((options: { json?: boolean }, command: Command) =>
      withKeys(command, async (store) => {
        const records = (await store.list()).map(shown);
        if (options.json) console.log(JSON.stringify(records));
        else if (records.length === 0) console.log('There are no keys; create one with "whereabouts keys create".');
        else console.log(textTable(records.map(row)));
      }),
    );
  withProperties(
    keys
      .command('change <key>')
      .description('change a key, named by its id, its first characters (8 or more) or in full'),
  )
    .option('--json', 'print the key as an object')
    .action((reference: string, options: Options, command: Command) =>
      withKeys(command, async (store) => {
        const fields = await propertiesOf(options);
        if (Object.keys(fields).length === 0) {
          throw new UsageError('nothing to change; name at least one option, such as --plan or --days (see --help)');
        }
        const record = await store.change((await store.find(reference)).id, fields, operator());
        if (options.json) console.log(JSON.stringify(shown(record)));
        else console.log(textTable([row(shown(record))]));
      }),
    );
  keys
    .command('revoke <key>')
    .description('revoke a key, named as for change')
    .action((reference: string, _options: unknown, command: Command) =>
      withKeys(command, async (store) => {
        const { id, revokedAt } = await store.find(reference);
        const { display } = await store.revoke(id, operator());
        const before = revokedAt === null ? '' : `, on ${new Date(revokedAt).toISOString().slice(0, 10)} already`;
        console.log(`${display}… was revoked${before}`);
      }),
    );
  addKeyReports(keys);
}

/** What a key can be given, when it is created and later. */
const withProperties = (command: Command): Command =>
  command
    .option('--name <name>', 'what the key is for')
    .option('--plan <plan>', 'one of the configured plans')
    .option('--profile <profile>', `profile of its answers if a request names none: ${profiles.join(', ')}`)
    .option('--days <days>', 'days from now until the key expires, or "never"')
    .option('--origin <origin...>', 'restrict it to web pages of these origins, or "any"')
    .option('--network <cidr...>', 'restrict it to these networks, or "any"')
    .option('--endpoint <endpoint...>', 'restrict it to these endpoints, or "any"');

/** The properties that were given, and no others. */
async function propertiesOf(options: Options): Promise<KeyOptions> {
  const { name, plan, profile, days, origin, network, endpoint } = options;
  if (profile !== undefined && !profiles.includes(profile as Profile)) {
    throw new UsageError(`--profile is "${profile}", expected one of ${profiles.join(', ')}`);
  }
  if (days !== undefined && !/^([1-9]\d{0,5}|never)$/.test(days)) {
    throw new UsageError(
      `--days is "${days}", expected a whole number from 1, or "never"; keys revoke ends a key at once`,
    );
  }
  const listed = (values: string[] | undefined) => (values?.length === 1 && values[0] === 'any' ? null : values);
  const endpoints = listed(endpoint);
  // The endpoints are most of the program.
  const fault = endpoints ? (await import('../server/faces/callable.ts')).callableFault(endpoints) : undefined;
  if (fault !== undefined) throw new UsageError(`--endpoint: ${fault}`);
  const fields = {
    name,
    plan,
    profile: profile as Profile | undefined,
    expiresAt: days === undefined ? undefined : days === 'never' ? null : Date.now() + Number(days) * 86_400_000,
    origins: listed(origin)?.map(originOf) ?? listed(origin),
    networks: listed(network),
    endpoints,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** An origin as browsers send it. Throws UsageError. */
function originOf(text: string): string {
  try {
    return parseOrigin(text);
  } catch (error) {
    throw new UsageError(`--origin: ${(error as Error).message}`);
  }
}

/** A key as it is printed. */
const shown = (key: KeyRecord) => ({ id: key.id, start: key.display, ...keyFacts(key), admin: key.isAdmin });

/** What a new key is for, in a sentence. */
function described(key: ReturnType<typeof shown>): string {
  const { expires, 'only for': only } = row(key);
  const limits = `${expires ? `, until ${expires}` : ''}${key.admin || only === 'any' ? '' : `, only for ${only}`}`;
  return key.admin ? `For the admin API and nothing else${limits}.` : `Plan ${key.plan}${limits}.`;
}

const hasExpired = (expires: string | null) => expires !== null && Date.parse(expires) <= Date.now();

/** The same as a row of a table; times as dates. */
function row({
  id,
  start,
  name,
  plan,
  created,
  expires,
  revoked,
  origins,
  networks,
  endpoints,
  admin,
}: ReturnType<typeof shown>) {
  const restrictions = [
    ...(admin ? ['admin API'] : []),
    ...[origins, networks, endpoints].filter((list) => list !== null).map((list) => list.join(' ')),
  ];
  const date = (time: string | null) => time?.slice(0, 10) ?? '';
  return {
    id,
    start,
    name: name ?? '',
    plan,
    created: date(created),
    expires: `${date(expires)}${hasExpired(expires) ? ' (expired)' : ''}`,
    revoked: date(revoked),
    'only for': restrictions.join('; ') || 'any',
  };
}
