/** The admin API, below /admin: keys and their use, for operators. Its login is a key made with `keys create --admin`. */

import type { Static } from 'typebox';
import { invalidParameter, UsageError, WhereaboutsError } from '../../errors.ts';
import { keyFacts, timeOf } from '../../keys/key-facts.ts';
import type { KeyOptions, KeyRecord } from '../../keys/key-record.ts';
import { dayOf } from '../../keys/meter.ts';
import {
  dayNumber,
  exportedPeriod,
  exportUsage,
  type UsageRow,
  usageCsvHead,
  usageCsvLine,
} from '../../keys/usage-export.ts';
import { admitOwner } from '../access.ts';
import type { Action } from '../action.ts';
import type { Call } from '../call.ts';
import { parseQuery } from '../query-string.ts';
import { json } from '../route.ts';
import type { Service } from '../service.ts';
import { bodyOf } from './account.ts';
import { bodyError, originOf } from './account-key.ts';
import {
  adminKeyAnswer,
  adminKeysAnswer,
  adminLogAnswer,
  adminNewKeyAnswer,
  adminUsageAnswer,
  emptyRequest,
  keyRequest,
} from './admin-schemas.ts';
import { callableFault } from './callable.ts';

const ofAdmin = [400, 401, 403, 429, 503];
const ofBody = [...ofAdmin, 413, 415];
/** Page sizes of the lists of keys and of their use. */
const pageSize = 100;

export function adminActions(service: Service): Action[] {
  const { keys } = service;
  const shared = { tag: 'Admin' } as const;
  return [
    {
      ...shared,
      name: 'adminKeys',
      method: 'GET',
      path: '/admin/keys',
      summary: 'List keys',
      description:
        'A page of 100 keys after the id `after`, ordered by id. Like all paths below /admin, it requires an admin key.',
      answers: { 200: adminKeysAnswer },
      errors: ofAdmin,
      async handle(call) {
        await adminOf(service, call);
        const page = await keys.list(numberOf(call, 'after'), pageSize);
        return json(200, { keys: page.map(shown), next: nextOf(page), plans: Object.keys(keys.plans) });
      },
    },
    {
      ...shared,
      name: 'adminCreateKey',
      method: 'POST',
      path: '/admin/keys',
      summary: 'Create a key',
      body: keyRequest,
      answers: { 201: adminNewKeyAnswer },
      errors: ofBody,
      async handle(call) {
        const by = await adminOf(service, call);
        const options = optionsOf(await bodyOf(service, call, keyRequest));
        const { key, record } = await refusing(keys.create(options, by));
        return json(201, { ...shown(record), text: key });
      },
    },
    {
      ...shared,
      name: 'adminChangeKey',
      method: 'PATCH',
      path: '/admin/keys/{id}',
      summary: "Change a key's plan, expiry or restrictions",
      description: 'Only the properties that are sent are changed; null lifts a restriction.',
      body: keyRequest,
      answers: { 200: adminKeyAnswer },
      errors: [...ofBody, 404],
      async handle(call) {
        const by = await adminOf(service, call);
        const { id } = await keyOf(service, call);
        return json(
          200,
          shown(await refusing(keys.change(id, optionsOf(await bodyOf(service, call, keyRequest)), by))),
        );
      },
    },
    {
      ...shared,
      name: 'adminRevokeKey',
      method: 'POST',
      path: '/admin/keys/{id}/revoke',
      summary: 'Revoke a key and its former keys at once',
      body: emptyRequest,
      answers: { 200: adminKeyAnswer },
      errors: [...ofBody, 404],
      async handle(call) {
        const by = await adminOf(service, call);
        const { id } = await keyOf(service, call);
        await bodyOf(service, call, emptyRequest);
        return json(200, shown(await keys.revoke(id, by)));
      },
    },
    {
      ...shared,
      name: 'adminUsage',
      method: 'GET',
      path: '/admin/usage',
      summary: 'Calls by key, UTC day and endpoint',
      description:
        'From the day `from` to the day `to` (the last 30 days by default), for a page of 100 keys after the id `after`. ' +
        '`format=csv` returns CSV, with the next page in the header `X-Next`.',
      answers: { 200: adminUsageAnswer },
      errors: ofAdmin,
      async handle(call) {
        await adminOf(service, call);
        const today = dayOf(call.now);
        const { format = 'json' } = parseQuery(call.search).query;
        const isCsv = format === 'csv';
        if (!isCsv && format !== 'json')
          throw invalidParameter('format', `format is ${JSON.stringify(format)}, expected json or csv`);
        const period = exportedPeriod(
          { from: dateOf(call, 'from', today - 30), to: dateOf(call, 'to', today) },
          today,
          (fault) => invalidParameter('from', `from ${fault}`),
        );
        const page = await keys.list(numberOf(call, 'after'), pageSize);
        const rows: UsageRow[] = [];
        for (const key of page) for await (const row of exportUsage(keys, period, key)) rows.push(row);
        const next = nextOf(page);
        if (!isCsv) return json(200, { rows, next });
        return {
          status: 200,
          headers: [
            ...['Content-Type', 'text/csv; charset=utf-8; header=present', 'Cache-Control', 'no-store'],
            ...(next === null ? [] : ['X-Next', String(next)]),
          ],
          body: usageCsvHead + rows.map(usageCsvLine).join(''),
        };
      },
    },
    {
      ...shared,
      name: 'adminLog',
      method: 'GET',
      path: '/admin/log',
      summary: 'Audit log: who changed which key when, newest first',
      description: '100 lines after the first `offset`.',
      answers: { 200: adminLogAnswer },
      errors: ofAdmin,
      async handle(call) {
        await adminOf(service, call);
        const lines = await keys.audit(numberOf(call, 'offset'), pageSize);
        return json(200, {
          lines: lines.map(({ at, keyId, ...line }) => ({ at: timeOf(at), ...line, key_id: keyId })),
        });
      },
    },
  ];
}

/** Who administrates, for the log. Throws 401, 403, 429 or 503. */
async function adminOf(service: Service, call: Call): Promise<string> {
  const { account, isFormer } = await admitOwner(service, call);
  if (account.key.isAdmin && !isFormer) return `admin ${account.key.display}`;
  throw new WhereaboutsError(
    'key_not_allowed',
    'the key is not an admin key; an operator creates one with "whereabouts keys create --admin"',
  );
}

async function keyOf({ keys }: Service, { path: { id = '' } }: Call): Promise<KeyRecord> {
  try {
    if (/^\d{1,15}$/.test(id)) return await keys.find(id);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  throw new WhereaboutsError(
    'not_found',
    `no key has the id ${JSON.stringify(id.slice(0, 20))}; /admin/keys lists them`,
  );
}

/** Reports invalid properties of a key as a problem with the body. */
async function refusing<T>(change: Promise<T>): Promise<T> {
  return change.catch((error) => {
    if (error instanceof UsageError) throw new WhereaboutsError('invalid_body', error.message);
    throw error;
  });
}

const lastExpiry = Date.UTC(9999, 11, 31);

function optionsOf({ expires, origins, ...fields }: Static<typeof keyRequest>): KeyOptions {
  const fault = callableFault(fields.endpoints);
  if (fault !== undefined) throw bodyError('endpoints', fault);
  const options = {
    ...fields,
    ...(origins === undefined ? {} : { origins: origins?.map(originOf) ?? null }),
  } as KeyOptions;
  if (expires === undefined) return options;
  const expiresAt = expires === null ? null : Date.parse(expires);
  if (expiresAt === null || expiresAt <= lastExpiry) return { ...options, expiresAt };
  throw bodyError(
    'expires',
    `expires is ${JSON.stringify(expires)}, expected a time such as 2027-01-01T00:00:00Z, or null`,
  );
}

function numberOf({ search }: Call, name: string): number {
  const written = parseQuery(search).query[name] ?? '0';
  if (typeof written === 'string' && /^\d{1,15}$/.test(written)) return Number(written);
  throw invalidParameter(name, `${name} is ${JSON.stringify(written)}, expected a whole number`);
}

function dateOf({ search }: Call, name: string, otherwise: number): number {
  const written = parseQuery(search).query[name];
  const day = written === undefined ? otherwise : dayNumber(String(written));
  if (day !== undefined) return day;
  throw invalidParameter(name, `${name} is ${JSON.stringify(written)}, expected a date such as 2026-06-15`);
}

const nextOf = (page: readonly KeyRecord[]) => (page.length < pageSize ? null : page.at(-1)!.id);

const shown = (key: KeyRecord) => ({ id: key.id, key: key.display, ...keyFacts(key), is_admin: key.isAdmin });
