/**
 * The configuration: one frozen, typed object from a file, the environment and the command line, in rising order of
 * precedence. This is the only file that reads `process.env`.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Static } from 'typebox';
import { UsageError } from './errors.ts';
import { defaultPlans } from './keys/plans.ts';
import { Type } from './schema.ts';
import { schemaFaults } from './schema-faults.ts';

const Plan = Type.Object(
  {
    callsPerDay: Type.Integer({ minimum: 1 }),
    callsPerSecond: Type.Integer({ minimum: 1 }),
    burst: Type.Integer({ minimum: 1 }),
    batchSize: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  { additionalProperties: false },
);

/** Every setting, with its default and what it does; docs/configuration.md is compared with it by a test. */
export const settings = Type.Object(
  {
    dataDirectory: Type.String({ default: 'data', description: 'Directory of the datasets and the key database.' }),
    host: Type.String({
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 or :: for every interface.',
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65535,
      description: 'Port to listen on; 0 takes a free one.',
    }),
    workers: Type.Unsafe<number | 'auto'>({
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 256 },
        { type: 'string', enum: ['auto'] },
      ],
      default: 1,
      description: 'Processes that serve, on one port; `auto` is one for each core, or as many as memory has room for.',
    }),
    keys: Type.String({
      default: '',
      description:
        'Where keys and quotas are kept: a Valkey or Redis server that several machines share, such as redis://keys.example.org:6379; empty for a database in the data directory.',
    }),
    whenKeysAway: Type.Unsafe<'deny' | 'allow'>({
      type: 'string',
      enum: ['deny', 'allow'],
      default: 'deny',
      description:
        'While the server of `keys` does not answer: `deny` answers 503, `allow` serves keys it knows and counts for itself.',
    }),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      description:
        'Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed (in the environment: separated by commas).',
    }),
    logLevel: Type.Unsafe<'debug' | 'info' | 'warn' | 'error' | 'silent'>({
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      description: 'Least severity that is logged.',
    }),
    logRequests: Type.Boolean({
      default: false,
      description: 'Whether each answer is logged: method, path without its query, status, time; no key.',
    }),
    logClientAddresses: Type.Boolean({
      default: false,
      description: "Whether these lines hold the client's address.",
    }),
    metrics: Type.String({
      default: '',
      description: 'Address and port of Prometheus metrics, such as 127.0.0.1:9464; empty for none.',
    }),
    maxLagMs: Type.Integer({
      default: 500,
      minimum: 0,
      maximum: 60_000,
      description:
        'Mean lag of the event loop, ms, from which on a part of the requests is answered 503; 0 answers them all.',
    }),
    maxConnections: Type.Integer({
      default: 10_000,
      minimum: 1,
      description: 'Most connections of a process; further ones are closed at once.',
    }),
    maxConnectionsPerAddress: Type.Integer({
      default: 1_000,
      minimum: 1,
      description:
        'Most connections of a process from one network address (IPv6: one /64); `trustedProxies` may have them all.',
    }),
    shutdownSeconds: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 600,
      description: 'How long a stop waits for running requests.',
    }),
    workerTimeoutSeconds: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 600,
      description: 'A worker that gives no sign of life for so long is killed and replaced.',
    }),
    openTimeoutSeconds: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 3600,
      description: 'How long a worker may take to open a dataset; a new one that takes longer is refused.',
    }),
    signUp: Type.Unsafe<'auto' | 'open' | 'verified' | 'closed'>({
      type: 'string',
      enum: ['auto', 'open', 'verified', 'closed'],
      default: 'auto',
      description:
        'Who may make a free key in the portal: `open` anyone, `verified` who opens a link sent by mail, `closed` nobody; `auto` is `open` for this machine alone.',
    }),
    smtpUrl: Type.String({
      default: '',
      description: 'Mail server for `verified` sign-ups, such as smtps://user:password@mail.example.org.',
    }),
    mailFrom: Type.String({ default: '', description: 'Sender of the mails, such as keys@example.org.' }),
    publicUrl: Type.String({
      default: '',
      description: 'Where people reach the portal, such as https://places.example.org, for the links in mails.',
    }),
    buildMemoryMb: Type.Integer({
      default: 512,
      minimum: 32,
      maximum: 1_048_576,
      description:
        'Memory in MB for the tables of a build; what does not fit goes to temporary files in the data directory. The process takes some 600 MB more.',
    }),
    keepVersions: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 1000,
      description: 'Datasets that are kept for `rollback`, the current one among them.',
    }),
    maxLossPercent: Type.Integer({
      default: 5,
      minimum: 0,
      maximum: 100,
      description: 'Most that a layer or a country may lose of its records in a build, in percent.',
    }),
    geofabrikMirror: Type.String({
      default: 'https://download.geofabrik.de/',
      description: 'Where `build --region` finds OpenStreetMap extracts: Geofabrik, or a mirror of its layout.',
    }),
    geonamesMirror: Type.String({
      default: 'https://download.geonames.org/',
      description: 'Where `build --region` finds postal codes: GeoNames, or a mirror of its layout.',
    }),
    openaddressesMirror: Type.String({
      default: 'https://batch.openaddresses.io/api/',
      description: 'Where `build --region` finds OpenAddresses results: its API, or a mirror of it.',
    }),
    openaddressesToken: Type.String({
      default: '',
      description: 'Token of an account at OpenAddresses (`oa.…`), which its downloads ask for.',
    }),
    plans: Type.Record(Type.String(), Plan, {
      default: { ...defaultPlans },
      description:
        'Plans by name; the ones given here are added to the three built-in ones or take their place (configuration file only).',
    }),
  },
  { additionalProperties: false },
);

export type Config = Readonly<Static<typeof settings>> & {
  /** The database of keys and usage. */
  readonly keysPath: string;
  /** The database of what limits sign-ups. */
  readonly signUpsPath: string;
};
export type Plans = Config['plans'];
type Setting = { type?: string; default?: unknown };

/** `dataDirectory` is set by `WHEREABOUTS_DATA_DIRECTORY`, and so on. */
export function environmentName(setting: string): string {
  return `WHEREABOUTS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

type Sources = { environment?: NodeJS.ProcessEnv; overrides?: Record<string, unknown>; file?: string | undefined };

/**
 * Reads the configuration. `file` (or WHEREABOUTS_CONFIG) is a JSON file of settings; `overrides` come from the command
 * line. Throws UsageError that names every setting at fault, what it got and what was expected.
 */
export function loadConfig({ environment = process.env, overrides = {}, file }: Sources = {}): Config {
  const path = file ?? environment.WHEREABOUTS_CONFIG;
  const fromFile = path ? readSettings(path) : {};
  const fromEnvironment: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(settings.properties)) {
    const written = environment[environmentName(name)];
    if (written !== undefined && name !== 'plans') fromEnvironment[name] = parseSetting(schema as Setting, written);
  }
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = { ...fromFile, ...fromEnvironment, ...Object.fromEntries(given) };
  for (const [name, schema] of Object.entries(settings.properties)) {
    merged[name] ??= structuredClone((schema as Setting).default);
  }
  merged.plans = { ...((settings.properties.plans as Setting).default as Plans), ...(merged.plans as Plans) };
  const names = Object.keys(settings.properties);
  const unknown = Object.keys(merged).filter((name) => !names.includes(name));
  const faults = unknown.map((name) => `there is no setting ${name} (there are ${names.join(', ')})`);
  for (const name of unknown) delete merged[name];
  for (const { instancePath, message } of schemaFaults(settings, merged)) {
    faults.push(describeFault(merged, instancePath, message));
  }
  for (const range of (merged.trustedProxies as string[]) ?? []) {
    if (typeof range === 'string' && !isIP(range.split('/')[0]))
      faults.push(`trustedProxies: ${JSON.stringify(range)} is no IP address or CIDR range`);
  }
  if (merged.signUp === 'verified') {
    for (const name of ['smtpUrl', 'mailFrom', 'publicUrl']) {
      if (!merged[name]) faults.push(`${name} (${environmentName(name)}) is empty, but signUp "verified" needs it`);
    }
  }
  for (const [name, schemes] of Object.entries(addressSchemes)) {
    const address = merged[name];
    if (typeof address !== 'string' || address === '') continue;
    if (URL.canParse(address) && schemes.includes(new URL(address).protocol)) continue;
    // Not shown: the address of a server may hold its password.
    faults.push(
      `${name} (${environmentName(name)}) is no ${schemes.map((scheme) => `${scheme}//`).join(' or ')} address`,
    );
  }
  if (merged.metrics && typeof merged.metrics === 'string' && !hostAndPort(merged.metrics)) {
    faults.push(`metrics (${environmentName('metrics')}) is "${merged.metrics}", expected one such as 127.0.0.1:9464`);
  }
  if (faults.length > 0) throw new UsageError(`the configuration is not valid: ${[...new Set(faults)].join('; ')}`);
  const config = merged as Static<typeof settings>;
  const dataDirectory = resolve(config.dataDirectory);
  return Object.freeze({
    ...config,
    dataDirectory,
    keysPath: join(dataDirectory, 'keys.db'),
    signUpsPath: join(dataDirectory, 'sign-ups.db'),
  });
}

const addressSchemes: Record<string, readonly string[]> = {
  smtpUrl: ['smtp:', 'smtps:'],
  publicUrl: ['http:', 'https:'],
  keys: ['redis:', 'rediss:'],
};

/** Host and port of a setting such as `127.0.0.1:9464` or `[::1]:9464`; undefined when it is none. */
export function hostAndPort(address: string): { host: string; port: number } | undefined {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function readSettings(path: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read the configuration file ${path}: ${(error as Error).message}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError(`the configuration file ${path} must hold a JSON object of settings`);
  }
  return parsed as Record<string, unknown>;
}

/** A value from the environment, by the setting's type; what cannot be read stays text and fails validation. */
function parseSetting(schema: Setting, written: string): unknown {
  if (schema.type !== 'string' && schema.type !== 'boolean' && schema.type !== 'array' && /^-?\d+$/.test(written))
    return Number(written);
  if (schema.type === 'boolean' && /^(true|false)$/.test(written)) return written === 'true';
  if (schema.type === 'array')
    return written
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  return written;
}

function describeFault(merged: Record<string, unknown>, instancePath: string, message: string): string {
  const [name, ...rest] = instancePath.split('/').slice(1);
  if (!name) {
    const unknown = Object.keys(merged).filter((key) => !(key in settings.properties));
    return unknown.length > 0
      ? `no such setting: ${unknown.join(', ')} (there are ${Object.keys(settings.properties).join(', ')})`
      : message;
  }
  const where = [name, ...rest].join('.');
  if (name === 'workers') {
    const got = JSON.stringify(merged[name]);
    return `${where} (${environmentName(name)}) must be auto or a whole number from 1 to 256, got ${got}`;
  }
  return `${where} (${environmentName(name)}) ${message}, got ${JSON.stringify(merged[name])}`;
}
