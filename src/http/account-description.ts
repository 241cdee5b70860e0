/** The paths below /account in the API's description. */
import { changeRequest, confirmRequest, revokeRequest, rotateRequest, signUpRequest } from './account-requests.ts';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const list = { type: ['array', 'null'], items: text };

const answer = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  required: [...Object.keys(properties).filter((name) => !optional.includes(name)), 'query_ms'],
  properties: { ...properties, query_ms: { type: 'integer' } },
});

const newKey = answer({ key: { type: 'string', description: 'Shown only this once.' } });

const keyAnswer = answer(
  {
    key: { type: 'string', description: 'The first 12 characters.' },
    name: { type: ['string', 'null'] },
    plan: text,
    calls_per_day: { type: 'integer' },
    calls_per_second: { type: 'integer' },
    burst: { type: 'integer' },
    profile: { type: ['string', 'null'] },
    created: time,
    expires: orNull(time),
    origins: list,
    networks: list,
    endpoints: list,
    former_keys: {
      type: 'array',
      description: 'Keys that were rotated away and are still valid.',
      items: { type: 'object', required: ['key', 'until'], properties: { key: text, until: time } },
    },
    needs_owner_code: { type: 'boolean', description: 'Whether changes need the header X-Owner-Code.' },
    owner_code: { type: 'string', description: 'Shown only once: with the first restriction to origins.' },
  },
  ['owner_code'],
);

const ownerCode = {
  name: 'X-Owner-Code',
  in: 'header',
  required: false,
  description: "Owner's code, for a key that is restricted to origins.",
  schema: { type: 'string' },
};

type Described = {
  id: string;
  summary: string;
  description?: string;
  body?: object;
  answers: Record<number, object>;
  errors: readonly number[];
  isOpen?: boolean;
};

const operation = ({ id, summary, description, body, answers, errors, isOpen = false }: Described) => ({
  operationId: id,
  tags: ['Account'],
  summary,
  ...(description ? { description } : {}),
  ...(isOpen ? { security: [] } : {}),
  ...(!isOpen && body ? { parameters: [ownerCode] } : {}),
  ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body, example: {} } } } } : {}),
  responses: {
    ...Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        { description: 'The answer.', content: { 'application/json': { schema } } },
      ]),
    ),
    ...Object.fromEntries([...errors, 414].map((status) => [status, { $ref: `#/components/responses/${status}` }])),
  },
});

const servers = [{ url: '/' }];
const ofKey = [401, 403, 429, 500];
const ofBody = [400, 413, 415, 503];

/** Signing up, and the account of the key in the header. */
export const accountPaths = {
  '/account/sign-up': {
    servers,
    get: operation({
      id: 'signUpMode',
      summary: 'How one may sign up here',
      answers: { 200: answer({ mode: { type: 'string', enum: ['open', 'verified', 'closed'] } }) },
      errors: [500],
      isOpen: true,
    }),
    post: operation({
      id: 'signUp',
      summary: 'Sign up for a free key',
      description: '201 with the key, or 202 when a link was sent by mail. Limited per network and per e-mail address.',
      body: signUpRequest,
      answers: { 201: newKey, 202: answer({ sent: { type: 'boolean', const: true } }) },
      errors: [...ofBody, 403, 429, 500],
      isOpen: true,
    }),
  },
  '/account/sign-up/confirm': {
    servers,
    post: operation({
      id: 'confirmSignUp',
      summary: 'Get the key of a sign-up by mail',
      body: confirmRequest,
      answers: { 201: newKey },
      errors: [...ofBody, 403, 429, 500],
      isOpen: true,
    }),
  },
  '/account/key': {
    servers,
    get: operation({
      id: 'key',
      summary: 'The key: plan, restrictions, former keys',
      answers: { 200: keyAnswer },
      errors: ofKey,
    }),
    patch: operation({
      id: 'changeKey',
      summary: 'Name a key, or restrict it to origins or networks',
      body: changeRequest,
      answers: { 200: keyAnswer },
      errors: [...ofBody, ...ofKey],
    }),
  },
  '/account/key/rotate': {
    servers,
    post: operation({
      id: 'rotateKey',
      summary: 'Get a new key for the same account',
      description: 'The former key stays valid for the hours of grace; both share one quota.',
      body: rotateRequest,
      answers: {
        201: answer({ key: { type: 'string', description: 'Shown only this once.' }, former_valid_until: time }),
      },
      errors: [...ofBody, ...ofKey],
    }),
  },
  '/account/key/revoke': {
    servers,
    post: operation({
      id: 'revokeKey',
      summary: 'End a key and its former ones at once',
      body: revokeRequest,
      answers: { 200: answer({ revoked: { type: 'boolean', const: true } }) },
      errors: [...ofBody, ...ofKey],
    }),
  },
};
