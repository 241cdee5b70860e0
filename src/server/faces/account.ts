/** The account of a key, below /account: what it is, and what its owner may change. The key in the header is the login. */
import type { Static, TSchema } from 'typebox';
import { WhereaboutsError } from '../../errors.ts';
import { timeOf } from '../../keys/key-facts.ts';
import { displayLength } from '../../keys/key-format.ts';
import type { KeyRecord } from '../../keys/key-record.ts';
import { hashText, isOwner } from '../../keys/key-rules.ts';
import type { ChangeCheck } from '../../keys/key-store.ts';
import { schemaFaults } from '../../schema-faults.ts';
import { admitOwner, refused } from '../access.ts';
import type { Action } from '../action.ts';
import type { Call } from '../call.ts';
import { readJsonBody } from '../request-body.ts';
import { json } from '../route.ts';
import type { Service } from '../service.ts';
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
import { confirmSignUp, type SignUpOptions, signUp, signUpModeOf } from './sign-up.ts';

const hourMs = 3_600_000;
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
      isOpen: true,
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
      isOpen: true,
      body: signUpRequest,
      answers: { 201: newKeyAnswer, 202: sentAnswer },
      errors: [...ofBody, 403],
      async handle(call) {
        const key = await signUp(service, options, call, await bodyOf(service, call, signUpRequest));
        return key === undefined ? json(202, { sent: true }) : json(201, { key });
      },
    },
    {
      tag,
      name: 'confirmSignUp',
      method: 'POST',
      path: '/account/sign-up/confirm',
      summary: 'Get the key of a verified sign-up',
      isOpen: true,
      body: confirmRequest,
      example: { token: 'the token from the link' },
      answers: { 201: newKeyAnswer },
      errors: [...ofBody, 403],
      async handle(call) {
        const { token } = await bodyOf(service, call, confirmRequest);
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
      errors: ofKey,
      async handle(call) {
        const { account, isFormer } = await admitOwner(service, call);
        const described = describeKey(service, call, account.key);
        // A caller with a rotated key learns nothing of the current one.
        if (!isFormer) return json(200, described);
        return json(200, { ...described, key: displayOf(call.request.headers['x-api-key']), former_keys: [] });
      },
    },
    {
      tag,
      name: 'changeKey',
      method: 'PATCH',
      path: '/account/key',
      summary: 'Rename the key, or restrict it to origins or networks',
      needsOwner: true,
      body: changeRequest,
      answers: { 200: keyAnswer },
      errors: [...ofBody, ...ofKey],
      async handle(call) {
        const { key, check } = await ownerOf(service, call);
        return json(200, await changeKey(service, call, key, await bodyOf(service, call, changeRequest), check));
      },
    },
    {
      tag,
      name: 'rotateKey',
      method: 'POST',
      path: '/account/key/rotate',
      summary: 'Get a new key for the same account',
      description: 'The former key stays valid for `grace_hours`; both share one quota.',
      needsOwner: true,
      body: rotateRequest,
      answers: { 201: rotatedAnswer },
      errors: [...ofBody, ...ofKey],
      async handle(call) {
        const { key, check } = await ownerOf(service, call);
        const { grace_hours: hours = 24 } = await bodyOf(service, call, rotateRequest);
        const { text } = await keys.rotate(key.id, hours * hourMs, 'owner', check);
        return json(201, { key: text, former_valid_until: timeOf(call.now + hours * hourMs) });
      },
    },
    {
      tag,
      name: 'revokeKey',
      method: 'POST',
      path: '/account/key/revoke',
      summary: 'Revoke a key and its former keys at once',
      needsOwner: true,
      body: revokeRequest,
      answers: { 200: revokedAnswer },
      errors: [...ofBody, ...ofKey],
      async handle(call) {
        const { key, check } = await ownerOf(service, call);
        await bodyOf(service, call, revokeRequest);
        await keys.revoke(key.id, 'owner', check);
        return json(200, { revoked: true });
      },
    },
  ];
}

/** The displayed start of a key that was sent. */
const displayOf = (text: string | string[] | undefined) => String(text).slice(0, displayLength);

/** A body of the described shape. Throws 400, 413 or 415. */
export async function bodyOf<S extends TSchema>(service: Service, call: Call, schema: S) {
  const body = await readJsonBody(service, call, {
    maxBytes: Math.min(service.limits.bodyBytes, 16_384),
    expected: '{}',
  });
  const faults = schemaFaults(schema, body).map(({ instancePath, message }) => ({
    parameter: instancePath.slice(1).replaceAll('/', '.') || 'body',
    detail: `${instancePath.slice(1) || 'the body'} ${message}`,
  }));
  if (faults.length === 0) return body as Static<S>;
  throw new WhereaboutsError('invalid_body', faults.map(({ detail }) => detail).join('; '), { errors: faults });
}

/**
 * The key of a modifying call, and the check that it may modify, which is repeated when the key is changed. Throws 401,
 * 403, 429 or 503.
 */
async function ownerOf(service: Service, call: Call): Promise<{ key: KeyRecord; check: ChangeCheck }> {
  const { account } = await admitOwner(service, call);
  const check = (key: KeyRecord) => checkOwner(call, key);
  check(account.key);
  return { key: account.key, check };
}

/**
 * Throws unless a call may change a key. A rotated key may not: it was rotated because others may have it. A public key
 * needs its owner's code too.
 */
function checkOwner({ request: { headers } }: Call, key: KeyRecord): void {
  if (key.revokedAt !== null) throw refused('revoked');
  if (key.hash !== hashText(String(headers['x-api-key']))) {
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
