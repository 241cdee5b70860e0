/** The account of a key, below /account: what it is, and what its owner may change. The key in the header is the login. */
import type { Static, TSchema } from 'typebox';
import { isInside, type Network, parseAddress, parseNetwork } from '../../core/ip/address.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { invalidParameter, WhereaboutsError } from '../../errors.ts';
import {
  displayLength,
  fallbackPlan,
  formerTexts,
  hashText,
  isOwner,
  KeyOptionError,
  type KeyRecord,
  keyFacts,
  readOptions,
  timeOf,
} from '../../keys/key-record.ts';
import type { ChangeCheck } from '../../keys/key-store.ts';
import { exactly, Nullable, nullable, oneOf, schemaFaults, Type } from '../../schema.ts';
import { refused } from '../access.ts';
import { addressOf, keyOf } from '../call.ts';
import { json } from '../route.ts';
import type { Call, Service } from '../service.ts';
import type { ApiRoute } from './openapi.ts';
import { checkSite, checkVisitor, confirmSignUp, type SignUpOptions, signUp, signUpModeOf } from './sign-up.ts';

const maxListLength = 20;

const signUpRequest = exactly({
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'Required if sign-ups are `verified`; otherwise it only counts towards the limit of sign-ups.',
    }),
  ),
});

const confirmRequest = exactly({
  token: Type.String({ maxLength: 100, description: 'Token from the link in the e-mail.' }),
});

export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));
export const listOrNull = (maxLength: number, maxItems: number, description: string) =>
  orNull(Type.Array(Type.String({ maxLength }), { minItems: 1, maxItems }), description);

/** What the owner of a key may change, and an operator. */
export const ownersChanges = (maxItems: number) => ({
  name: orNull(Type.String({ maxLength: 80 }), 'Name of the key, such as its purpose.'),
  origins: listOrNull(
    200,
    maxItems,
    'Origins of web pages that may use the key, such as `https://example.org`; null for any.',
  ),
  networks: listOrNull(
    50,
    maxItems,
    'Addresses or CIDR networks that may use the key, its own among them where its owner sets them; null for any.',
  ),
});
const changeRequest = exactly(ownersChanges(maxListLength));

const rotateRequest = exactly({
  grace_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 168, default: 24, description: 'How long the former key stays valid.' }),
  ),
});

/** The body of a request that takes no field. */
export const emptyBody = exactly({});

const shownOnce = Type.String('The key; shown only once.');
export const time = Type.String({ format: 'date-time' });
/** Not a constant, of which a generator of Java makes code that does not compile. */
const isDone = Type.Boolean('Always true.');
const list = nullable(Type.Array(Type.String()));

const signUpModeAnswer = Type.Object({
  mode: oneOf(['open', 'verified', 'closed'], '`verified`: by a link that is sent by e-mail.'),
  ...queryMs,
});
const newKeyAnswer = Type.Object({ key: shownOnce, ...queryMs });
const sentAnswer = Type.Object({ sent: isDone, ...queryMs });
const rotatedAnswer = Type.Object({ key: shownOnce, former_valid_until: time, ...queryMs });
const revokedAnswer = Type.Object({ revoked: isDone, ...queryMs });

/** The properties of a key that its owner sees, and an operator. */
export const shownKey = {
  key: Type.String('The first 12 characters of the key.'),
  name: Nullable.String(),
  plan: Type.String(),
  profile: Nullable.String(),
  created: time,
  expires: nullable(time),
  origins: list,
  networks: list,
  endpoints: list,
};
const keyAnswer = Type.Object({
  ...shownKey,
  calls_per_day: Type.Integer(),
  calls_per_second: Type.Integer(),
  burst: Type.Integer(),
  former_keys: Type.Array(Type.Object({ key: Type.String(), until: time }), {
    description: 'Former keys that are still valid after a rotation.',
  }),
  needs_owner_code: Type.Boolean('Whether changes require the header X-Owner-Code.'),
  owner_code: Type.Optional(Type.String('Returned only once, with the first restriction to origins.')),
  ...queryMs,
});

const hourMs = 3_600_000;
/** Bodies of those without a key hold no more than an e-mail address or a token. */
const ofVisitor = { maxBytes: 1_024, expected: '{}' };
export const ofKeyHolder = { maxBytes: 16_384, expected: '{}' };

/** Signing up, and the account of the key in the header. */
export function accountRoutes(service: Service, options: SignUpOptions): ApiRoute[] {
  const tag = 'Account' as const;
  const { keys } = service;
  return [
    {
      tag,
      name: 'signUpMode',
      method: 'GET',
      path: '/account/sign-up',
      summary: 'How to sign up here',
      answers: { 200: signUpModeAnswer },
      handle: (call) => json(200, { mode: signUpModeOf(options, call) }),
    },
    {
      tag,
      name: 'signUp',
      method: 'POST',
      path: '/account/sign-up',
      summary: 'Sign up for a free key',
      description:
        'Returns 201 with the key, or 202 if a link was sent by e-mail. Limited per network and per e-mail address.',
      takes: ofVisitor,
      body: signUpRequest,
      answers: { 201: newKeyAnswer, 202: sentAnswer },
      errors: [403],
      // Refused before its body is read, where nobody may sign up.
      before: (call) => checkVisitor(options, call),
      async handle(call) {
        const key = await signUp(service, options, call, bodyOf(call, signUpRequest));
        return key === undefined ? json(202, { sent: true }) : json(201, { key });
      },
    },
    {
      tag,
      name: 'confirmSignUp',
      method: 'POST',
      path: '/account/sign-up/confirm',
      summary: 'Get the key of a verified sign-up',
      takes: ofVisitor,
      body: confirmRequest,
      example: { token: 'the token from the link' },
      answers: { 201: newKeyAnswer },
      errors: [403],
      before: (call) => checkSite(call, options),
      async handle(call) {
        const { token } = bodyOf(call, confirmRequest);
        return json(201, { key: await confirmSignUp(service, options, call, token) });
      },
    },
    {
      tag,
      name: 'key',
      method: 'GET',
      path: '/account/key',
      summary: 'Plan, restrictions and former keys of the key',
      answers: { 200: keyAnswer },
      access: { as: 'owner' },
      handle(call) {
        const { account, isFormer } = call.reserved!;
        const described = describeKey(service, call, account.key);
        if (!isFormer && hasCode(call, account.key)) return json(200, described);
        // A caller with a rotated key, or one of a web page, learns nothing of the current one, nor of its owner.
        return json(200, { ...described, key: keyOf(call)!.slice(0, displayLength), name: null, former_keys: [] });
      },
    },
    {
      tag,
      name: 'changeKey',
      method: 'PATCH',
      path: '/account/key',
      summary: 'Rename the key, or restrict it to origins or networks',
      ...byOwner,
      body: changeRequest,
      answers: { 200: keyAnswer },
      async handle(call) {
        const changes = bodyOf(call, changeRequest);
        const { key, code } = await refusing(async () => {
          const { networks } = readOptions(changes, keys.plans);
          if (networks) checkNetworks(networks.map(parseNetwork), addressOf(service, call));
          return keys.changeAsOwner(call.account!.key.id, changes, checkOf(call));
        });
        return json(200, { ...describeKey(service, call, key), ...(code === undefined ? {} : { owner_code: code }) });
      },
    },
    {
      tag,
      name: 'rotateKey',
      method: 'POST',
      path: '/account/key/rotate',
      summary: 'Get a new key for the same account',
      description: 'The former key stays valid for `grace_hours`; both share one quota.',
      ...byOwner,
      body: rotateRequest,
      answers: { 201: rotatedAnswer },
      async handle(call) {
        const { grace_hours: hours = 24 } = bodyOf(call, rotateRequest);
        const { text } = await keys.rotate(call.account!.key.id, hours * hourMs, 'owner', checkOf(call));
        return json(201, { key: text, former_valid_until: timeOf(call.now + hours * hourMs) });
      },
    },
    {
      tag,
      name: 'revokeKey',
      method: 'POST',
      path: '/account/key/revoke',
      summary: 'Revoke a key and its former keys at once',
      ...byOwner,
      body: emptyBody,
      answers: { 200: revokedAnswer },
      async handle(call) {
        bodyOf(call, emptyBody);
        await keys.revoke(call.account!.key.id, 'owner', checkOf(call));
        return json(200, { revoked: true });
      },
    },
  ];
}

/** A body of the described shape. Throws `invalid_body`. */
export function bodyOf<S extends TSchema>({ body }: Call, schema: S): Static<S> {
  const faults = schemaFaults(schema, body).map(({ instancePath, message }) => ({
    parameter: instancePath.slice(1).replaceAll('/', '.') || 'body',
    detail: `${instancePath.slice(1) || 'the body'} ${message}`,
  }));
  if (faults.length === 0) return body as Static<S>;
  throw new WhereaboutsError('invalid_body', faults.map(({ detail }) => detail).join('; '), { errors: faults });
}

/** What calls of an owner have in common that change a key: refused before their body is read, and checked again with the change. */
const byOwner = {
  needsOwner: true,
  access: { as: 'owner' },
  takes: ofKeyHolder,
  before: (call: Call) => checkOwner(call, call.account!.key),
} as const;

const checkOf =
  (call: Call): ChangeCheck =>
  (key) =>
    checkOwner(call, key);

/** Whether the text of a key is not enough to change it: who reads a page with a public one is not its owner. */
const needsCode = ({ origins, ownerHash }: KeyRecord): boolean => origins !== null || ownerHash !== null;

const hasCode = ({ request }: Call, key: KeyRecord): boolean => {
  const code = request.headers['x-owner-code'];
  return !needsCode(key) || (typeof code === 'string' && isOwner(key, code));
};

/**
 * Throws unless a call may change a key. A rotated key may not: it was rotated because others may have it. A public key
 * needs its owner's code too.
 */
function checkOwner(call: Call, key: KeyRecord): void {
  if (key.revokedAt !== null) throw refused('revoked');
  if (key.hash !== hashText(keyOf(call)!)) {
    throw new WhereaboutsError(
      'key_not_allowed',
      'this former key was replaced: it still answers requests for a while, but cannot change the account; use the new key',
    );
  }
  if (hasCode(call, key)) return;
  throw new WhereaboutsError(
    'key_not_allowed',
    'a key that is restricted to origins is public, so changes require its owner code in the header X-Owner-Code; where it was made with origins, it has none, and the operator changes it',
  );
}

/** Reports a wrong property of a key as a problem with the body. */
export async function refusing<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw error instanceof KeyOptionError ? bodyError(error.option, error.message) : error;
  }
}

function checkNetworks(networks: readonly Network[], from: string | undefined): void {
  const address = from === undefined ? undefined : parseAddress(from);
  if (address && isInside(address, networks)) return;
  throw bodyError(
    'networks',
    `none of the networks contains your own address ${from ?? '(unknown)'}, which would lock you out; add it`,
  );
}

export const bodyError = (parameter: string, detail: string) => invalidParameter(parameter, detail, 'invalid_body');

/** The properties of a key that its owner sees. */
function describeKey({ keys }: Service, { now }: Call, key: KeyRecord): Record<string, unknown> {
  const { name, plan, revoked: _, ...facts } = keyFacts(key);
  const { callsPerDay, callsPerSecond, burst } = keys.plans[plan] ?? keys.plans[fallbackPlan];
  return {
    key: key.display,
    name,
    plan,
    calls_per_day: callsPerDay,
    calls_per_second: callsPerSecond,
    burst,
    ...facts,
    former_keys: formerTexts(key, now).map(({ display, expiresAt }) => ({ key: display, until: timeOf(expiresAt) })),
    needs_owner_code: needsCode(key),
  };
}
