import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import { type Profile, profiles } from '../endpoints/endpoint.ts';
import { UsageError } from '../errors.ts';
import { type KeyOptions, type KeyRecord, keyFacts } from '../keys/key-record.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { dayOf } from '../keys/meter.ts';
import { dayNumber, exportedPeriod, exportUsage, usageCsvHead, usageCsvLine } from '../keys/usage-export.ts';
import { openKeysOf } from '../server/processes/open-keys.ts';
import { configFor, wholeNumber } from './settings.ts';

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
  const fault = endpoints ? (await import('../endpoints/index.ts')).callableFault(endpoints) : undefined;
  if (fault !== undefined) throw new UsageError(`--endpoint: ${fault}`);
  const fields = {
    name,
    plan,
    profile: profile as Profile | undefined,
    expiresAt: days === undefined ? undefined : days === 'never' ? null : Date.now() + Number(days) * 86_400_000,
    origins: listed(origin),
    networks: listed(network),
    endpoints,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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
function row(key: ReturnType<typeof shown>) {
  const { id, start, plan, expires } = key;
  const lists = [key.origins, key.networks, key.endpoints].filter((list) => list !== null);
  const restrictions = [...(key.admin ? ['admin API'] : []), ...lists.map((list) => list.join(' '))];
  const date = (time: string | null) => time?.slice(0, 10) ?? '';
  return {
    id,
    start,
    name: key.name ?? '',
    plan,
    created: date(key.created),
    expires: `${date(expires)}${hasExpired(expires) ? ' (expired)' : ''}`,
    revoked: date(key.revoked),
    'only for': restrictions.join('; ') || 'any',
  };
}

/** Adds `keys usage` and `keys log`: what keys used, and who changed them. */
export function addKeyReports(keys: Command): void {
  keys
    .command('usage [key]')
    .description('show the calls of all keys, or of one, by UTC day and endpoint')
    .option('--from <date>', 'first day, such as 2026-06-01 (default: 30 days ago)')
    .option('--to <date>', 'last day (default: today)')
    .addOption(new Option('--format <format>', 'output format').choices(['csv', 'json']).default('csv'))
    .action(
      (reference: string | undefined, options: { from?: string; to?: string; format: string }, command: Command) =>
        withKeys(command, async (store) => {
          const today = dayOf(Date.now());
          const period = exportedPeriod(
            { from: dayFrom('--from', options.from, today - 30), to: dayFrom('--to', options.to, today) },
            today,
            (fault) => new UsageError(`--from ${fault}`),
          );
          const only = reference === undefined ? undefined : await store.find(reference);
          const isCsv = options.format === 'csv';
          process.stdout.write(isCsv ? usageCsvHead : '[');
          let separator = '\n';
          for await (const row of exportUsage(store, period, only)) {
            process.stdout.write(isCsv ? usageCsvLine(row) : `${separator}${JSON.stringify(row)}`);
            separator = ',\n';
          }
          if (!isCsv) process.stdout.write('\n]\n');
        }),
    );
  keys
    .command('log')
    .description('show the log of changes: who did what to which key, newest first')
    .option('--count <lines>', 'number of lines', wholeNumber('--count'), 50)
    .option('--json', 'print an array of objects')
    .action((options: { count: number; json?: boolean }, command: Command) =>
      withKeys(command, async (store) => {
        const lines = (await store.audit(0, options.count)).map(({ at, ...line }) => ({
          at: new Date(at).toISOString(),
          ...line,
        }));
        if (options.json) console.log(JSON.stringify(lines));
        else if (lines.length === 0) console.log('Nothing has been changed yet.');
        for (const { at, by, action, keyId, detail } of options.json ? [] : lines) {
          console.log(`${at}  ${by}: ${action} key ${keyId}${detail ? ` ${JSON.stringify(detail)}` : ''}`);
        }
      }),
    );
}

function dayFrom(option: string, written: string | undefined, otherwise: number): number {
  const day = written === undefined ? otherwise : dayNumber(written);
  if (day !== undefined) return day;
  throw new UsageError(`${option} is "${written}", expected a date such as 2026-06-15`);
}

/** Rows as a table of plain text, for people who read a terminal: columns under their names, two blanks between them. */
function textTable(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, column) => lines.reduce((width, line) => Math.max(width, [...line[column]].length), 0));
  const padded = (text: string, width: number) => text + ' '.repeat(width - [...text].length);
  return lines
    .map((line) =>
      line
        .map((text, column) => padded(text, widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Who is at the command line, for the log of changes. */
export const operator = () => `operator ${userInfo().username}`;

/** Opens the keys of a command's configuration for a piece of work, and closes them after it. */
export async function withKeys(command: Command, work: (keys: KeyStore) => Promise<void>): Promise<void> {
  await using opened = new AsyncDisposableStack();
  await work(opened.adopt(await openKeysOf(configFor(command)), (keys) => keys.close()));
}
