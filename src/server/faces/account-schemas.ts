/** Bodies and answers of requests below /account; from them come their checks and their description. */
import { nullable, queryMs } from '../../endpoints/parameters.ts';
import { Type } from '../../schema.ts';

const maxListLength = 20;

export const signUpRequest = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Required if sign-ups are `verified`; otherwise it only counts towards the limit of sign-ups.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const confirmRequest = Type.Object(
  { token: Type.String({ maxLength: 100, description: 'Token from the link in the e-mail.' }) },
  { additionalProperties: false },
);

export const changeRequest = Type.Object(
  {
    name: Type.Optional(
      Type.Union([Type.String({ maxLength: 80 }), Type.Null()], {
        description: 'Name of the key, such as its purpose.',
      }),
    ),
    origins: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: maxListLength }), Type.Null()], {
        description: 'Origins of web pages that may use the key, such as `https://example.org`; null for any.',
      }),
    ),
    networks: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: maxListLength }), Type.Null()], {
        description: "Addresses or CIDR networks that may use the key, including the caller's own; null for any.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const rotateRequest = Type.Object(
  {
    grace_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, default: 24, description: 'How long the former key stays valid.' }),
    ),
  },
  { additionalProperties: false },
);

export const revokeRequest = Type.Object({}, { additionalProperties: false });

const shownOnce = Type.String({ description: 'The key; shown only once.' });
const time = Type.String({ format: 'date-time' });
const list = nullable(Type.Array(Type.String()));

export const signUpModeAnswer = Type.Object({
  mode: Type.Unsafe<string>({ type: 'string', enum: ['open', 'verified', 'closed'] }),
  ...queryMs,
});
export const newKeyAnswer = Type.Object({ key: shownOnce, ...queryMs });
export const sentAnswer = Type.Object({ sent: Type.Unsafe<true>({ type: 'boolean', const: true }), ...queryMs });
export const rotatedAnswer = Type.Object({ key: shownOnce, former_valid_until: time, ...queryMs });
export const revokedAnswer = Type.Object({ revoked: Type.Unsafe<true>({ type: 'boolean', const: true }), ...queryMs });

/** The properties of a key that its owner sees. */
export const keyAnswer = Type.Object({
  key: Type.String({ description: 'The first 12 characters of the key.' }),
  name: nullable(Type.String()),
  plan: Type.String(),
  calls_per_day: Type.Integer(),
  calls_per_second: Type.Integer(),
  burst: Type.Integer(),
  profile: nullable(Type.String()),
  created: time,
  expires: nullable(time),
  origins: list,
  networks: list,
  endpoints: list,
  former_keys: Type.Array(Type.Object({ key: Type.String(), until: time }), {
    description: 'Former keys that are still valid after a rotation.',
  }),
  needs_owner_code: Type.Boolean({ description: 'Whether changes require the header X-Owner-Code.' }),
  owner_code: Type.Optional(Type.String({ description: 'Returned only once, with the first restriction to origins.' })),
  ...queryMs,
});
