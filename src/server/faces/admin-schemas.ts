/** Bodies and answers of requests below /admin. */
import type { TSchema } from 'typebox';
import { profiles } from '../../endpoints/endpoint.ts';
import { nullable, queryMs } from '../../endpoints/parameters.ts';
import { Type } from '../../schema.ts';

const maxListLength = 100;
const time = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));
const list = (maxLength: number, description: string) =>
  orNull(Type.Array(Type.String({ maxLength }), { minItems: 1, maxItems: maxListLength }), description);

const properties = {
  name: orNull(Type.String({ maxLength: 80 }), 'Name of the key, such as its purpose.'),
  plan: Type.Optional(Type.String({ maxLength: 100, description: 'One of the configured plans.' })),
  profile: orNull(
    Type.Unsafe<string>({ type: 'string', enum: [...profiles] }),
    'Profile of its answers if a request names none.',
  ),
  expires: orNull(Type.String({ maxLength: 40 }), 'Expiry time, ISO 8601; null for never.'),
  origins: list(200, 'Origins of web pages that may use the key; null for any.'),
  networks: list(50, 'Addresses or CIDR networks that may use the key; null for any.'),
  endpoints: list(50, 'Endpoints that the key may call; null for all.'),
};

/** Properties of a key that can be set on creation and later. */
export const keyRequest = Type.Object(properties, { additionalProperties: false });
export const emptyRequest = Type.Object({}, { additionalProperties: false });

const shownKey = {
  id: Type.Integer(),
  key: Type.String({ description: 'The first 12 characters of the key.' }),
  name: nullable(Type.String()),
  plan: Type.String(),
  profile: nullable(Type.String()),
  created: time,
  expires: nullable(time),
  revoked: nullable(time),
  origins: nullable(Type.Array(Type.String())),
  networks: nullable(Type.Array(Type.String())),
  endpoints: nullable(Type.Array(Type.String())),
  is_admin: Type.Boolean({ description: 'Whether the key is for the admin API.' }),
};

export const adminKeyAnswer = Type.Object({ ...shownKey, ...queryMs });
export const adminNewKeyAnswer = Type.Object({
  ...shownKey,
  text: Type.String({ description: 'The key; shown only once.' }),
  ...queryMs,
});
export const adminKeysAnswer = Type.Object({
  keys: Type.Array(Type.Object(shownKey)),
  next: nullable(Type.Integer({ description: 'The value of `after` for the next page; null on the last page.' })),
  plans: Type.Array(Type.String(), { description: 'The configured plans.' }),
  ...queryMs,
});
export const adminUsageAnswer = Type.Object({
  rows: Type.Array(
    Type.Object({
      key_id: Type.Integer(),
      key: Type.String(),
      name: nullable(Type.String()),
      plan: Type.String({ description: 'Current plan of the key.' }),
      date: Type.String({ format: 'date', description: 'UTC day.' }),
      endpoint: Type.String(),
      calls: Type.Integer(),
    }),
  ),
  next: nullable(Type.Integer()),
  ...queryMs,
});
export const adminLogAnswer = Type.Object({
  lines: Type.Array(
    Type.Object({
      at: time,
      by: Type.String({ description: '`operator <user>`, `admin <key>`, `owner` or `sign-up`.' }),
      action: Type.String(),
      key_id: Type.Integer(),
      detail: nullable(Type.Unsafe<object>({ type: 'object' })),
    }),
  ),
  ...queryMs,
});
