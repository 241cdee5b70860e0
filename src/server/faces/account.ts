/** The account of a key, below /account: what it is, and what its owner may change. The key in the header is the login. */
import type { Static, TSchema } from 'typebox';
import { WhereaboutsError } from '../../errors.ts';
import { displayLength } from '../../keys/key-format.ts';
import { type KeyRecord, timeOf } from '../../keys/key-record.ts';
import { hashText, isOwner } from '../../keys/key-rules.ts';
import type { ChangeCheck } from '../../keys/key-store.ts';
import { schemaFaults } from '../../schema.ts';
import { refused } from '../access.ts';
import { keyOf } from '../call.ts';
import { json } from '../route.ts';
import type { Call, Service } from '../service.ts';
import { changeKey, describeKey } from './account-key.ts';
import {
  changeRequest,
  confirmRequest,
  keyAnswer,
  newKeyAnswer,
  revokedAnswer,
  revokeRequest,
  rotatedAnswer,
  rotateRequest,
  sentAnswer,
  signUpModeAnswer,
  signUpRequest,
} from './account-schemas.ts';
import type { Action } from './openapi.ts';
import { checkSite, checkVisitor, confirmSignUp, type SignUpOptions, signUp, signUpModeOf } from './sign-up.ts';

const hourMs = 3_600_000;
/** Bodies of those without a key hold no more than an e-mail address or a token. */
const ofVisitor = { maxBytes: 1_024, expected: '{}' };
export const ofKeyHolder = { maxBytes: 16_384, expected: '{}' };
const ofKey = [401, 403, 429, 503];
const ofBody = [400, 413, 415, 429, 503];

/** Signing up, and the account of the key in the header. */
export function accountActions(service: Service, options: SignUpOptions): Action[] {
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
      errors: [],
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
      errors: [...ofBody, 403],
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
      errors: [...ofBody, 403],
      before: (call) => checkSite(call, options),
      async handle(call) {
        const { token } = bodyOf(call, confirmRequest);
        return json(201, { key: await confirmSignUp(service, options, token) });
      },
    },
    {
      tag,
      name: 'key',
      method: 'GET',
      path: '/account/key',
      summary: 'Plan, restrictions and former keys of the key',
      answers: { 200: keyAnswer },
      errors: ofKey,
      access: { as: 'owner' },
      handle(call) {
        const { account, isFormer } = call.reserved!;
        const described = describeKey(service, call, account.key);
        // A caller with a rotated key learns nothing of the current one.
        if (!isFormer) return json(200, described);
        return json(200, { ...described, key: keyOf(call)!.slice(0, displayLength), former_keys: [] });
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
      errors: [...ofBody, ...ofKey],
      async handle(call) {
        const { key } = call.account!;
        return json(200, await changeKey(service, call, key, bodyOf(call, changeRequest), checkOf(call)));
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
      errors: [...ofBody, ...ofKey],
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
      body: revokeRequest,
      answers: { 200: revokedAnswer },
      errors: [...ofBody, ...ofKey],
      async handle(call) {
        bodyOf(call, revokeRequest);
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

/**
 * Throws unless a call may change a key. A rotated key may not: it was rotated because others may have it. A public key
 * needs its owner's code too.
 */
function checkOwner(call: Call, key: KeyRecord): void {
  const { headers } = call.request;
  if (key.revokedAt !== null) throw refused('revoked');
  if (key.hash !== hashText(keyOf(call)!)) {
    throw new WhereaboutsError(
      'key_not_allowed',
      'this former key was replaced: it still answers requests for a while, but cannot change the account; use the new key',
    );
  }
  const code = headers['x-owner-code'];
  if (key.ownerHash === null || (typeof code === 'string' && isOwner(key, code))) return;
  throw new WhereaboutsError(
    'key_not_allowed',
    'a key that is restricted to origins is public, so changes require its owner code in the header X-Owner-Code',
  );
}
