/**
 * The configuration: one frozen, typed object from a file, the environment and the command line, in rising order of
 * precedence. This is the only file that reads `process.env`.
 */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import table from './config/settings.json' with { type: 'json' };
import { didYouMean, UsageError } from './errors.ts';
import { addressFault, schemes } from './extensions.ts';
import { defaultPlans, type Plan, planSchema } from './keys/key-record.ts';
import { schemaFaults, Type } from './schema.ts';

/** This program's version, from package.json. */
export const programVersion: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;

/** The values of those whose default is not all that tells their type. */
type Narrower = {
  workers: number | 'auto';
  whenKeysAway: 'deny' | 'allow';
  trustedProxies: string[];
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  signUp: 'auto' | 'open' | 'verified' | 'closed';
  mapOrigins: string[];
  plans: Record<string, Plan>;
};
type Table = typeof table;
type Settings = Narrower & { [Name in Exclude<keyof Table, keyof Narrower>]: Table[Name]['default'] };

/** Every setting as JSON Schema; docs/configuration.md is compared with it by a test. */
export const settings = {
  type: 'object',
  properties: {
    ...table,
    plans: {
      ...Type.Record(Type.String(), planSchema),
      default: { ...defaultPlans },
      description:
        'Plans by name; they are added to the three built-in ones, or replace those of the same name (configuration file only).',
    },
  },
  additionalProperties: false,
};

/** Settings of former versions, whose one right value is a constant now, and the remedy. */
export const removedSettings: Readonly<Record<string, string>> = {
  maxConnectionsPerAddress: 'it is a tenth of `maxConnections`; remove it, or set that',
  streetsDeadlineMs: 'look-ups in `streets` may always take 2 s; remove it',
  datasetStaggerSeconds: 'a new dataset is opened after a random part of `datasetEverySeconds`; remove it, or set that',
};

/** `dataDirectory` is set by `WHEREABOUTS_DATA_DIRECTORY`, and so on. */
export function environmentName(setting: string): string {
  return `WHEREABOUTS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

export type Config = Readonly<Settings> & {
  /** The database of keys and usage. */
  readonly keysPath: string;
};
type Setting = { type?: string; default?: unknown };

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
    if (written !== undefined && inEnvironment.includes(name))
      fromEnvironment[name] = parseSetting(schema as Setting, written);
  }
  const entries = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = { ...fromFile, ...fromEnvironment, ...Object.fromEntries(entries) };
  for (const [name, schema] of Object.entries(settings.properties)) {
    merged[name] ??= structuredClone((schema as Setting).default);
  }
  // Anything else is refused below.
  if (isObject(merged.plans)) merged.plans = { ...settings.properties.plans.default, ...merged.plans };
  const faults = faultsOf(merged, environment);
  if (faults.length > 0) throw new UsageError(`the configuration is not valid: ${[...new Set(faults)].join('; ')}`);
  const config = merged as Settings;
  const dataDirectory = resolve(config.dataDirectory);
  if (isFile(dataDirectory)) {
    throw new UsageError(
      `dataDirectory (${environmentName('dataDirectory')}) is ${dataDirectory}, which is a file; expected a directory`,
    );
  }
  return Object.freeze({
    ...config,
    dataDirectory,
    keysPath: join(dataDirectory, 'keys.db'),
  });
}

/**
 * Everything that is wrong with settings and with variables that look like settings, which is nothing for valid ones.
 * Unknown settings are removed.
 */
function faultsOf(merged: Record<string, unknown>, environment: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(settings.properties);
  const unknown = Object.keys(merged).filter((name) => !names.includes(name));
  const faults = unknown.map((name) =>
    Object.hasOwn(removedSettings, name)
      ? `${name} is no setting any more: ${removedSettings[name]}`
      : `there is no setting ${name}${didYouMean(name, names)}`,
  );
  for (const name of unknown) delete merged[name];
  faults.push(...unknownVariables(environment));
  for (const { instancePath, message } of schemaFaults(settings, merged)) {
    faults.push(describeFault(merged, instancePath, message));
  }
  for (const range of Array.isArray(merged.trustedProxies) ? merged.trustedProxies : []) {
    if (typeof range === 'string' && !isNetwork(range))
      faults.push(`trustedProxies: ${JSON.stringify(range)} is not an IP address or CIDR range such as 10.0.0.0/8`);
  }
  const needed = (user: string, names: string[]) =>
    names
      .filter((name) => !merged[name])
      .map((name) => `${name} (${environmentName(name)}) is empty, but ${user} needs it`);
  if (merged.signUp === 'verified') faults.push(...needed('signUp "verified"', ['smtpUrl', 'mailFrom', 'publicUrl']));
  if (merged.quotaMail) faults.push(...needed('quotaMail', ['smtpUrl', 'mailFrom']));
  for (const [name, schemes] of Object.entries(addressSchemes)) {
    const address = merged[name];
    if (typeof address !== 'string' || address === '') continue;
    const fault = addressFault(name === 'keys' || name === 'streets' ? address.split(',') : [address], schemes);
    if (fault) faults.push(`${name} (${environmentName(name)}) ${fault}`);
  }
  if (merged.metrics && typeof merged.metrics === 'string' && !hostAndPort(merged.metrics)) {
    faults.push(`metrics (${environmentName('metrics')}) is "${merged.metrics}", expected one such as 127.0.0.1:9464`);
  }
  return faults;
}

/** Whether there is something that is no directory; what the system does not let us see is for its reader to report. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

const addressSchemes: Record<string, readonly string[]> = {
  smtpUrl: ['smtp:', 'smtps:'],
  publicUrl: ['http:', 'https:'],
  quotaWebhook: ['http:', 'https:'],
  keys: schemes.valkey,
  streets: schemes.opensearch,
  geofabrikMirror: ['http:', 'https:'],
  geonamesMirror: ['http:', 'https:'],
  dbipMirror: ['http:', 'https:'],
  openaddressesMirror: ['http:', 'https:'],
};

function isNetwork(text: string): boolean {
  const [, address, bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address ?? '');
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Host and port of a setting such as `127.0.0.1:9464` or `[::1]:9464`; undefined when it is none. */
export function hostAndPort(address: string): { host: string; port: number } | undefined {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function readSettings(path: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    // Windows' editor writes a byte order mark.
    parsed = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`cannot read the configuration file ${path}: ${(error as Error).message}`);
  }
  if (!isObject(parsed)) throw new UsageError(`the configuration file ${path} must contain a JSON object of settings`);
  return parsed;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** Variables that Kubernetes and Docker set in every container next to a service named `whereabouts`. */
const isServiceLink = (name: string) => /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))(_|$)/.test(name);

/** Settings that have a variable: all but the plans, which are lists of numbers. */
const inEnvironment = Object.keys(settings.properties).filter((name) => name !== 'plans');

/** Variables that clients of the service read. */
const clientVariables = ['WHEREABOUTS_URL', 'WHEREABOUTS_API_KEY'];

/** Faults of variables that look like settings but are not: usually a misspelled name. */
function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const prefix = 'WHEREABOUTS_';
  const known = [`${prefix}CONFIG`, ...clientVariables, ...inEnvironment.map(environmentName)];
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !isServiceLink(name))
    .map((name) => {
      const removed = Object.keys(removedSettings).find((setting) => environmentName(setting) === name);
      if (removed) return `${name} is no setting any more: ${removedSettings[removed]}`;
      return name === environmentName('plans')
        ? `${name} cannot be read: plans are set in the configuration file (--config, ${prefix}CONFIG)`
        : `there is no variable ${name}${didYouMean(name, known)}`;
    });
}

function describeFault(merged: Record<string, unknown>, instancePath: string, message: string): string {
  const [name, ...rest] = instancePath.split('/').slice(1);
  const where = [name, ...rest].join('.');
  const keys = [name, ...rest].map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const got = JSON.stringify(keys.reduce((parent: unknown, key) => (isObject(parent) ? parent[key] : parent), merged));
  if (name === 'workers') {
    return `${where} (${environmentName(name)}) must be auto or a whole number from 1 to 256, got ${got}`;
  }
  // Kubernetes sets the variable of the port to an address for a service that is called `whereabouts`.
  const isLink = name === 'port' && got.startsWith('"tcp:');
  const hint = isLink ? '; Kubernetes sets it: set enableServiceLinks: false for the pod' : '';
  return `${where} (${environmentName(name)}) ${message}, got ${got}${hint}`;
}
