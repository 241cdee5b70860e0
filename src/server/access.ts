/** Access control: keys, their restrictions, rate and quota. */
import { clientNetwork } from '../core/ip/client-network.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Refusal, Reservation } from '../keys/known-keys.ts';
import type { Account, Meter } from '../keys/meter.ts';
import { secondsToNextDay } from '../keys/meter.ts';
import { isInside, parseAddress, parseNetwork } from '../keys/networks.ts';
import type { Soon } from '../keys/soon.ts';
import type { Call } from './call.ts';
import type { Service } from './service.ts';
import type { Caller } from './turns.ts';

/** Throws 503 or 429 if too much was already waiting when the call arrived. */
export function checkLoad({ refusal }: Call): void {
  if (refusal === undefined) return;
  const retry = { retryAfterSeconds: 2 };
  if (refusal === 'own') {
    throw new WhereaboutsError(
      'rate_limited',
      'too many requests with this key are waiting; send fewer at once',
      retry,
    );
  }
  throw new WhereaboutsError(
    'unavailable',
    'the service is overloaded; send fewer requests, or try again later',
    retry,
  );
}

const refusals: Record<Refusal, string> = {
  malformed: 'the X-API-Key header is not a valid key: expected "wab_" and 36 letters and digits; check it for a typo',
  unknown: 'the key is unknown; check that it belongs to this service',
  revoked: 'the key was revoked; use another one',
  expired: 'the key has expired; use another one',
};

/**
 * Finds the account of a call's key and takes calls from its quota; synchronous if everything is cached. Throws or
 * rejects 401, or 503 when a remote key store is unavailable.
 */
export function reserve({ keys }: Service, call: Call, calls: number): Soon<Reservation> {
  const text = call.request.headers['x-api-key'];
  if (typeof text !== 'string' || text === '') {
    throw new WhereaboutsError('missing_api_key', 'no key was sent; send one in the header X-API-Key');
  }
  const reserved = keys.reserve(text, calls, call.now);
  return reserved instanceof Promise ? reserved.then(valid) : valid(reserved);
}

function valid(reserved: Reservation | Refusal): Reservation {
  if (typeof reserved === 'string') throw refused(reserved);
  return reserved;
}

export const refused = (refusal: Refusal) => new WhereaboutsError('invalid_api_key', refusals[refusal]);

/** Counts a request against its account's rate, if the key may be used. Throws 403 or 429. */
export function admit(service: Service, call: Call, { account }: Reservation, endpoint: string | undefined): Account {
  if (account.key.isAdmin) {
    call.account = account;
    throw new WhereaboutsError('key_not_allowed', 'the key is valid for the admin API only; use another key');
  }
  return admitKey(service, call, account, endpoint, true);
}

function admitKey(
  service: Service,
  call: Call,
  account: Account,
  endpoint: string | undefined,
  isBoundToOrigins: boolean,
): Account {
  call.account = account;
  const { origins, networks, endpoints } = account.key;
  if ((origins && isBoundToOrigins) || networks) checkWhere(service, call, account, isBoundToOrigins);
  if (endpoints && endpoint !== undefined) checkEndpoint(account, endpoint);
  const wait = service.keys.meter.admit(account, call.now);
  if (wait > 0) {
    const { callsPerSecond, burst } = account.plan;
    throw new WhereaboutsError(
      'rate_limited',
      `the plan allows ${callsPerSecond} requests a second (${burst} at once); wait ${wait} s, or use /v1/batch`,
      { retryAfterSeconds: wait },
    );
  }
  return account;
}

/** Whether a failed call is refunded: a key is charged for answers 2xx and its own 4xx. */
const isFree = (error: unknown): boolean =>
  !(error instanceof WhereaboutsError) || error.status >= 500 || [401, 403, 429].includes(error.status);

/** What calls were reserved for. */
type Charge = {
  account: Account;
  now: number;
  /** The endpoint under which they are counted. */
  name: string;
  /** Calls that were taken. */
  calls: number;
  /**
   * Whether a result costs all of them; errors, and results for which this returns false, cost one. By default all do.
   */
  isWorth?: (result: unknown) => boolean;
};

/**
 * Runs a reserved operation, and awaits it if it is asynchronous: its calls are counted, or refunded if it ends in an
 * error that costs nothing.
 */
export function charge<T>({ keys: { meter } }: Service, cost: Charge, run: () => Soon<T>): Soon<T> {
  let result: Soon<T>;
  try {
    result = run();
  } catch (error) {
    return failed(meter, cost, error);
  }
  return result instanceof Promise
    ? result.then(
        (later) => counted(meter, cost, later),
        (error) => failed(meter, cost, error),
      )
    : counted(meter, cost, result);
}

function counted<T>(meter: Meter, { account, now, name, calls, isWorth }: Charge, result: T): T {
  meter.count(account, name);
  if (calls > 1 && isWorth?.(result) === false) meter.refund(account, calls - 1, now);
  return result;
}

function failed(meter: Meter, cost: Charge, error: unknown): never {
  if (isFree(error)) meter.refund(cost.account, cost.calls, cost.now);
  else counted(meter, cost, undefined);
  throw error;
}

/**
 * Finds the account of a call about the account itself: networks and rate apply, origins do not, as the portal's own is
 * seldom among them. Throws 401, 403, 429, or 503 when a remote key store is unavailable.
 */
export async function admitOwner(service: Service, call: Call): Promise<Reservation> {
  const reserved = await reserve(service, call, 0);
  admitKey(service, call, reserved.account, undefined, false);
  return reserved;
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
      const got = origin === undefined ? 'a request without the header Origin' : `the origin ${origin}`;
      throw new WhereaboutsError(
        'key_not_allowed',
        `the key may not be used from ${got}; its owner can allow more origins`,
      );
    }
  }
  if (key.networks) {
    const from = addressOf(service, call);
    const address = from === undefined ? undefined : parseAddress(from);
    if (!address || !isInside(address, key.networks.map(parseNetwork))) {
      throw new WhereaboutsError(
        'key_not_allowed',
        `the key may not be used from the address ${from ?? '(unknown)'}; its owner can allow more networks`,
      );
    }
  }
}

/** The caller's address. */
export function addressOf(service: Service, { request }: Call): string | undefined {
  const forwarded = request.headers['x-forwarded-for'];
  return service.clientAddress(request.socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join() : forwarded);
}

/** The caller for fair sharing of time; determined before the key is looked up. */
export function callerOf(service: Service, call: Call): Caller {
  const { headers, url = '' } = call.request;
  const text = headers['x-api-key'] ?? (keyElsewhere.exec(url) ?? keyElsewhere.exec(headers.authorization ?? ''))?.[0];
  const key = typeof text === 'string' && text.length <= maxKeyLength ? text : '';
  return { network: clientNetwork(addressOf(service, call)), key };
}

const maxKeyLength = 64;
/** A key in a parameter, a path or "Bearer", for clients that cannot send the header. */
const keyElsewhere = /\bwab_\w+/;

/** The error when a day's quota is used up. */
export function quotaExceeded({ plan }: Account, now: number): WhereaboutsError {
  const wait = secondsToNextDay(now);
  return new WhereaboutsError(
    'quota_exceeded',
    `the ${plan.callsPerDay} calls of this UTC day are used up; wait ${wait} s for the next day, or use a larger plan`,
    { retryAfterSeconds: wait },
  );
}
