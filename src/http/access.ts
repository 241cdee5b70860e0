/** Who may call: keys, their restrictions, rate and quota. */
import { WhereaboutsError } from '../errors.ts';
import type { Refusal } from '../keys/keys.ts';
import type { Account } from '../keys/meter.ts';
import { secondsToNextDay } from '../keys/meter.ts';
import { isInside, parseAddress, parseNetwork } from '../keys/networks.ts';
import type { Call } from './call.ts';
import type { Service } from './service.ts';

const refusals: Record<Refusal, string> = {
  malformed:
    'the X-API-Key header holds no key of ours: expected "wab_" and 36 letters and digits; check it for a typo',
  unknown: 'no such key; check that it belongs to this service',
  revoked: 'the key was revoked; use another one',
  expired: 'the key has expired; use another one',
};

/**
 * Calls `then` once all that the call's key needs is at hand: at once where keys are kept on this machine. Calls it with
 * an error when keys are kept elsewhere and cannot be had. `calls` is what will be taken of the quota.
 */
export function whenReady({ keys }: Service, call: Call, calls: number, then: (error?: unknown) => void): void {
  const text = call.request.headers['x-api-key'];
  if (keys.prepare === undefined || typeof text !== 'string' || keys.prepare(text, calls, call.now, then)) then();
}

/** The same for those that can wait; other requests may have taken what is left before they go on. */
export function ready(service: Service, call: Call, calls: number): Promise<void> {
  return new Promise((resolve, reject) => {
    whenReady(service, call, calls, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Takes up to so many calls from the day's quota, wherever it is kept; gives how many were granted. */
export function takeCalls(service: Service, call: Call, account: Account, calls: number): Promise<number> {
  return new Promise((resolve, reject) => {
    whenReady(service, call, calls, (error) => {
      if (error === undefined) resolve(service.keys.meter.take(account, calls, call.now));
      else reject(error);
    });
  });
}

/** Finds the account of a call's key, and takes the request from its rate. Throws 401, 403 or 429. */
export function admit(service: Service, call: Call, endpoint: string | undefined): Account {
  return admitKey(service, call, endpoint, true);
}

function admitKey(service: Service, call: Call, endpoint: string | undefined, isBoundToOrigins: boolean): Account {
  const text = call.request.headers['x-api-key'];
  if (typeof text !== 'string' || text === '') {
    throw new WhereaboutsError('missing_api_key', 'no key was sent; put it into the X-API-Key header');
  }
  const account = service.keys.authenticate(text, call.now);
  if (typeof account === 'string') throw new WhereaboutsError('invalid_api_key', refusals[account]);
  call.account = account;
  const { origins, networks, endpoints } = account.key;
  if ((origins && isBoundToOrigins) || networks) checkWhere(service, call, account, isBoundToOrigins);
  if (endpoints && endpoint !== undefined) checkEndpoint(account, endpoint);
  const wait = service.keys.meter.admit(account, call.now);
  if (wait > 0) {
    const { callsPerSecond, burst } = account.plan;
    throw new WhereaboutsError(
      'rate_limited',
      `more than ${callsPerSecond} requests a second (${burst} at once); wait ${wait} s, or use /v1/batch`,
      { retryAfterSeconds: wait },
    );
  }
  return account;
}

/**
 * Finds the account of a call about the account itself: networks and rate hold as elsewhere, origins do not, as the
 * portal's own is seldom among them. Throws 401, 403, 429, or 503 when keys are kept elsewhere and cannot be had.
 */
export async function admitOwner(service: Service, call: Call): Promise<Account> {
  await ready(service, call, 0);
  return admitKey(service, call, undefined, false);
}

/** Throws 403 when a key may not call an endpoint. */
export function checkEndpoint({ key }: Account, endpoint: string): void {
  if (!key.endpoints || key.endpoints.includes(endpoint)) return;
  throw new WhereaboutsError(
    'key_not_allowed',
    `the key may not call ${endpoint}, only ${key.endpoints.join(', ')}; use another key`,
  );
}

function checkWhere(service: Service, call: Call, { key }: Account, isBoundToOrigins: boolean): void {
  if (key.origins && isBoundToOrigins) {
    const { origin } = call.request.headers;
    if (origin === undefined || !key.origins.includes(origin)) {
      const got = origin === undefined ? 'a request without Origin header' : `the origin ${origin}`;
      throw new WhereaboutsError('key_not_allowed', `the key is not for ${got}; its owner may allow other origins`);
    }
  }
  if (key.networks) {
    const from = addressOf(service, call);
    const address = from === undefined ? undefined : parseAddress(from);
    if (!address || !isInside(address, key.networks.map(parseNetwork))) {
      throw new WhereaboutsError(
        'key_not_allowed',
        `the key is not for the address ${from ?? '(unknown)'}; its owner may allow other networks`,
      );
    }
  }
}

/** The caller's address. */
export function addressOf(service: Service, { request }: Call): string | undefined {
  const forwarded = request.headers['x-forwarded-for'];
  return service.clientAddress(request.socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join() : forwarded);
}

/** The error of a day's quota that is used up. */
export function quotaExceeded({ plan }: Account, now: number): WhereaboutsError {
  const wait = secondsToNextDay(now);
  return new WhereaboutsError(
    'quota_exceeded',
    `the ${plan.callsPerDay} calls of this UTC day are used up; the next day begins in ${wait} s, or take a larger plan`,
    { retryAfterSeconds: wait },
  );
}
