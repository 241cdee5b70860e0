/** The admin API, below /admin: keys and their use, for operators. Its login is a key made with `keys create --admin`. */
import type { Static } from 'typebox';
import { profiles } from '../../endpoints/endpoint.ts';
import { callableFault } from '../../endpoints/index.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { invalidParameter, UsageError, WhereaboutsError } from '../../errors.ts';
import { type KeyOptions, type KeyRecord, keyFacts, timeOf } from '../../keys/key-record.ts';
import { dayOf } from '../../keys/meter.ts';
import {
  dayNumber,
  exportedPeriod,
  exportUsage,
  type UsageRow,
  usageCsvHead,
  usageCsvLine,
} from '../../keys/usage-export.ts';
import { exactly, Nullable, nullable, oneOf, Type } from '../../schema.ts';
import { json } from '../route.ts';
import type { Call, Service } from '../service.ts';
import {
  bodyError,
  bodyOf,
  emptyBody,
  listOrNull,
  ofKeyHolder,
  orNull,
  ownersChanges,
  refusing,
  shownKey,
  time,
} from './account.ts';
import { type ApiRoute, parametersBy } from './openapi.ts';

const maxListLength = 100;

/** Properties of a key that can be set on creation and later. */
const keyRequest = exactly({
  ...ownersChanges(maxListLength),
  plan: Type.Optional(Type.String({ maxLength: 100, description: 'One of the configured plans.' })),
  profile: orNull(oneOf(profiles, 'Profile.'), 'Profile of its answers if a request names none.'),
  expires: orNull(Type.String({ maxLength: 40 }), 'Expiry time, ISO 8601; null for never.'),
  endpoints: listOrNull(50, maxListLength, 'Endpoints that the key may call; null for all.'),
});

const adminKey = {
  id: Type.Integer(),
  ...shownKey,
  revoked: nullable(time),
  is_admin: Type.Boolean('Whether the key is for the admin API.'),
};

const adminKeyAnswer = Type.Object({ ...adminKey, ...queryMs });
const adminNewKeyAnswer = Type.Object({
  ...adminKey,
  text: Type.String('The key; shown only once.'),
  ...queryMs,
});
const adminKeysAnswer = Type.Object({
  keys: Type.Array(Type.Object(adminKey)),
  next: Nullable.Integer('The value of `after` for the next page; null on the last page.'),
  plans: Type.Array(Type.String(), { description: 'The configured plans.' }),
  ...queryMs,
});
const adminUsageAnswer = Type.Object({
  rows: Type.Array(
    Type.Object({
      key_id: Type.Integer(),
      key: Type.String(),
      name: Nullable.String(),
      plan: Type.String('Current plan of the key.'),
      date: Type.String({ format: 'date', description: 'UTC day.' }),
      endpoint: Type.String(),
      calls: Type.Integer(),
    }),
  ),
  next: Nullable.Integer(),
  ...queryMs,
});
const adminLogAnswer = Type.Object({
  lines: Type.Array(
    Type.Object({
      at: time,
      by: Type.String('`operator <user>`, `admin <key>`, `owner` or `sign-up`.'),
      action: Type.String(),
      key_id: Type.Integer(),
      detail: nullable(Type.Unsafe<object>({ type: 'object' })),
    }),
  ),
  ...queryMs,
});

/** Page sizes of the lists of keys and of their use. */
const pageSize = 100;

const after = Type.Integer({ minimum: 0, default: 0, description: 'Id of a key; the page begins behind it.' });
const ofPage = parametersBy(Type.Object({ after }));
const date = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const ofUsage = parametersBy(
  Type.Object({
    from: date('First UTC day; 30 days ago by default.'),
    to: date('Last UTC day; today by default.'),
    format: Type.Optional(oneOf(['json', 'csv'], 'Format of the answer; `json` by default.')),
    after,
  }),
);
const offset = Type.Integer({ minimum: 0, default: 0, description: 'Number of lines to skip.' });
const ofLog = parametersBy(Type.Object({ offset }));

export function adminRoutes(service: Service): ApiRoute[] {
  const { keys } = service;
  const shared = { tag: 'Admin', access: { as: 'admin' } } as const;
  const withBody = { ...shared, takes: ofKeyHolder };
  const ofKey = { ...withBody, before: async (call: Call) => void (await keyOf(service, call)) };
  return [
    {
      ...shared,
      name: 'adminKeys',
      method: 'GET',
      path: '/admin/keys',
      summary: 'List keys',
      description:
        'A page of 100 keys after the id `after`, ordered by id. Like all paths below /admin, it requires an admin key.',
      query: ofPage,
      answers: { 200: adminKeysAnswer },
      errors: [400],
      async handle(call) {
        const page = await keys.list(ofPage.of(call).parameters.after, pageSize);
        return json(200, { keys: page.map(shown), next: nextOf(page), plans: Object.keys(keys.plans) });
      },
    },
    {
      ...withBody,
      name: 'adminCreateKey',
      method: 'POST',
      path: '/admin/keys',
      summary: 'Create a key',
      body: keyRequest,
      answers: { 201: adminNewKeyAnswer },
      async handle(call) {
        const options = optionsOf(bodyOf(call, keyRequest));
        const { key, record } = await refusing(() => keys.create(options, adminOf(call)));
        return json(201, { ...shown(record), text: key });
      },
    },
    {
      ...ofKey,
      name: 'adminChangeKey',
      method: 'PATCH',
      path: '/admin/keys/{id}',
      summary: "Change a key's plan, expiry or restrictions",
      description: 'Only the properties that are sent are changed; null lifts a restriction.',
      body: keyRequest,
      answers: { 200: adminKeyAnswer },
      errors: [404],
      async handle(call) {
        const id = Number(call.path.id);
        const options = optionsOf(bodyOf(call, keyRequest));
        return json(200, shown(await refusing(() => keys.change(id, options, adminOf(call)))));
      },
    },
    {
      ...ofKey,
      name: 'adminRevokeKey',
      method: 'POST',
      path: '/admin/keys/{id}/revoke',
      summary: 'Revoke a key and its former keys at once',
      body: emptyBody,
      answers: { 200: adminKeyAnswer },
      errors: [404],
      async handle(call) {
        const id = Number(call.path.id);
        bodyOf(call, emptyBody);
        return json(200, shown(await keys.revoke(id, adminOf(call))));
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
      query: ofUsage,
      answers: { 200: adminUsageAnswer },
      errors: [400],
      async handle(call) {
        const today = dayOf(call.now);
        const { from, to, format, after } = ofUsage.of(call).parameters;
        const isCsv = format === 'csv';
        const period = exportedPeriod(
          { from: dayNumber(from ?? '') ?? today - 30, to: dayNumber(to ?? '') ?? today },
          today,
          (fault) => invalidParameter('from', `from ${fault}`),
        );
        const page = await keys.list(after, pageSize);
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
      query: ofLog,
      answers: { 200: adminLogAnswer },
      errors: [400],
      async handle(call) {
        const lines = await keys.audit(ofLog.of(call).parameters.offset, pageSize);
        return json(200, {
          lines: lines.map(({ at, keyId, ...line }) => ({ at: timeOf(at), ...line, key_id: keyId })),
        });
      },
    },
  ];
}

/** Who administrates, for the log. */
const adminOf = ({ account }: Call) => `admin ${account!.key.display}`;

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

const lastExpiry = Date.UTC(9999, 11, 31);

function optionsOf({ expires, ...fields }: Static<typeof keyRequest>): KeyOptions {
  const fault = callableFault(fields.endpoints);
  if (fault !== undefined) throw bodyError('endpoints', fault);
  const options = fields as KeyOptions;
  if (expires === undefined) return options;
  const expiresAt = expires === null ? null : Date.parse(expires);
  if (expiresAt === null || expiresAt <= lastExpiry) return { ...options, expiresAt };
  throw bodyError(
    'expires',
    `expires is ${JSON.stringify(expires)}, expected a time such as 2027-01-01T00:00:00Z, or null`,
  );
}

const nextOf = (page: readonly KeyRecord[]) => (page.length < pageSize ? null : page.at(-1)!.id);

const shown = (key: KeyRecord) => ({ id: key.id, key: key.display, ...keyFacts(key), is_admin: key.isAdmin });
