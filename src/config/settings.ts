/** The list of settings, which is `settings.json`: name, type, bounds, default, and what each does. */
import { defaultPlans, type Plan, planSchema } from '../keys/key-record.ts';
import { Type } from '../schema.ts';
import table from './settings.json' with { type: 'json' };

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
export type Settings = Narrower & { [Name in Exclude<keyof Table, keyof Narrower>]: Table[Name]['default'] };

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
