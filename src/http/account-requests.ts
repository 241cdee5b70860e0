/** The bodies of requests below /account; from them come their checks and their description. */
import { Type } from '../schema.ts';

const most = 20;

export const signUpRequest = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Needed where sign-ups are `verified`; elsewhere it only counts towards the limit of sign-ups.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const confirmRequest = Type.Object(
  { token: Type.String({ maxLength: 100, description: 'From the link that came by mail.' }) },
  { additionalProperties: false },
);

export const changeRequest = Type.Object(
  {
    name: Type.Optional(Type.Union([Type.String({ maxLength: 80 }), Type.Null()], { description: 'What it is for.' })),
    origins: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: most }), Type.Null()], {
        description: 'Origins of web pages that may use it, such as `https://example.org`; null for any.',
      }),
    ),
    networks: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: most }), Type.Null()], {
        description: "Addresses or CIDR networks that may use it, the caller's own among them; null for any.",
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
