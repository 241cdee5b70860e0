/** Access control: keys, their restrictions, rate and quota. One hook checks and takes, one settles what an answer costs. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { onRequestHookHandler, onSendHookHandler } from 'fastify';
import { clientNetworks } from '../core/ip/address.ts';
import { WhereaboutsError } from '../errors.ts';
import { defaultPlans, type Plan } from '../keys/key-record.ts';
import type { Refusal, Reservation } from '../keys/key-store.ts';
import type { Leases } from '../keys/leases.ts';
import { type Account, type Soon, secondsToNextDay } from '../keys/meter.ts';
import { addressOf, callerOf, isProxy, keyName, keyOf, strangeTo } from './call.ts';
import { mayBeLarge } from './connections.ts';
import { refuseAhead } from './problem.ts';
import type { Access, Call, Service } from './service.ts';

/** Lets a request through when it is its turn. Answers 429 or 503 where too much of its caller waits already. */
export const fairTurns = (service: Service): onRequestHookHandler => {
  const { lanes } = service;
  return ({ call }, _reply, done) => {
    service.arrived++;
    if (lanes.isFree(call.route)) return void lanes.run(() => laneOf(service, call), done, call.route);
    const caller = laneOf(service, call);
    const refuse = (error: WhereaboutsError) => {
      service.refused++;
      done(error);
    };
    try {
      const refusal = lanes.refusal(caller);
      if (refusal) throw refusal;
      holdHead(service, call);
      lanes.wait(caller, () => !call.response.destroyed && done(), refuse, call.route);
    } catch (refusal) {
      letGo(call.request);
      lanes.refuse(caller, () => refuse(refusal as WhereaboutsError));
    }
  };
};

/**
 * Refuses at once, as nginx does, what a client behind a proxy has in progress beyond its share: thousands cost little then. One with a
 * large body goes on to where that is bounded.
 */
export function boundRequests(service: Service, handle: RequestListener): RequestListener {
  const counts = new Map<string, number>();
  return (request, response) => {
    // What was read of a connection before it was closed is parsed all the same, and answered to nobody.
    if (request.socket.destroyed) return;
    const address = addressOf(service, { request });
    if (isProxy(service, request.socket.remoteAddress) && !isProxy(service, address)) {
      const [name] = clientNetworks(address);
      const count = counts.get(name) ?? 0;
      if (count >= service.limits.proxiedRequestsPerAddress && !mayBeLarge(request) && !service.isClosing) {
        letGo(request);
        request.resume();
        return service.lanes.refuse([name], () => refuseAhead(service, response, address));
      }
      counts.set(name, count + 1);
      response.once('close', () => {
        const left = counts.get(name)! - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      });
    }
    handle(request, response);
  };
}

/** Heads that take no more than this are not counted; characters. */
const smallHead = 2_048;
/** How often a head is in memory while its request waits. */
const headCopies = 3;

/** What an answer depends on. */
const answerHeader =
  /^(accept-encoding|connection|content-length|expect|origin|transfer-encoding|upgrade|x-forwarded-for)$/;

/** Thousands may wait for their refusals, which need nothing else of their requests. Of a body that has not come whole dropUnread decides. */
function letGo(request: IncomingMessage): void {
  request.rawHeaders = [];
  for (const name in request.headers) if (!answerHeader.test(name)) delete request.headers[name];
  if (request.complete) request.resume();
}

/** Counts a large head with the bodies, until its request is answered. Throws where there is no room, as they do. */
function holdHead(service: Service, call: Call): void {
  const { rawHeaders, url = '' } = call.request;
  const length = rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  if (length <= smallHead) return;
  const hold = service.bodies.take(callerOf(service, call), headCopies * length, (refusal) => {
    call.refusal = refusal;
  });
  hold.isInUse = true;
  call.response.once('close', () => service.bodies.release(hold));
}

/** Whose time a request takes. A probe must not wait for what else its network asks, which it is to report, but for other probes. */
const laneOf = (service: Service, call: Call) => {
  const caller = callerOf(service, call);
  return call.route?.isVital ? caller.map((name) => `${name} probes`) : caller;
};

/** Checks the key of a request and takes its calls from the quota; answers 401, 403, 429, or 503 without a server of keys. */
export const checkKey = (service: Service): onRequestHookHandler => {
  return ({ call }, _reply, done) => {
    const { access, before } = call.route ?? {};
    if (!access && !before) return done();
    try {
      const keyed = access && admitCall(service, call, access);
      const admitted = keyed instanceof Promise ? keyed.then(() => before?.(call)) : before?.(call);
      if (admitted instanceof Promise) {
        // Many that waited for the same calls go on together: each in its turn.
        admitted.then(() => service.lanes.run(() => callerOf(service, call), done, call.route)).catch(done);
      } else done();
    } catch (error) {
      done(error as Error);
    }
  };
};

/** Counts what an answer costs, before its headers state what is left: nothing where the failure is ours or the key's. */
export const settle = (service: Service): onSendHookHandler => {
  const { meter } = service.keys;
  return ({ call }, reply, payload, done) => {
    const { charged, account } = call;
    if (charged && account) {
      call.charged = undefined;
      if (isFree(reply.statusCode)) meter.refund(account, charged.calls, call.now);
      else {
        charged.onCounted?.();
        meter.count(account, charged.name);
        if (charged.calls > charged.worth) meter.refund(account, charged.calls - charged.worth, call.now);
      }
    }
    done(null, payload);
  };
};

/** Admits a call by its key and takes its calls from the quota. Throws or rejects 401, 403, 429 or 503. */
export function admitCall(service: Service, call: Call, access: Access): Soon<void> {
  const calls = access.callsOf?.(call) ?? 0;
  const admit = (reserved: Reservation): void => {
    const { account, granted, isFormer } = reserved;
    call.reserved = reserved;
    call.account = account;
    call.caller = undefined;
    if (calls > 0) call.charged = { name: access.endpoint ?? call.endpoint, calls: granted, worth: granted };
    admitKey(service, call, account, access);
    if (access.as === 'admin' && (!account.key.isAdmin || isFormer)) {
      throw new WhereaboutsError(
        'key_not_allowed',
        'the key is not an admin key; an operator creates one with "whereabouts keys create --admin"',
      );
    }
    if (granted < calls) throw quotaExceeded(account, call.now);
  };
  const reserved = reserve(service, call, calls);
  return reserved instanceof Promise ? reserved.then(admit) : admit(reserved);
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
export function reserve({ keys, lanes }: Service, call: Call, calls: number): Soon<Reservation> {
  const text = keyOf(call);
  if (text === undefined) {
    throw new WhereaboutsError('missing_api_key', 'no key was sent; send one in the header X-API-Key');
  }
  const checked = (reserved: Reservation | Refusal): Reservation => {
    const isRefused = typeof reserved === 'string';
    lanes.setShare(keyName(text), isRefused ? 1 : shareOfPlan(reserved.account.plan));
    if (isRefused) throw refused(reserved);
    return reserved;
  };
  const reserved = keys.reserve(text, calls, call.now);
  return reserved instanceof Promise ? reserved.then(checked) : checked(reserved);
}

/** A plan has a share of the thread as of calls a second, no more than so many times that of the plan free, or of who has no key. */
const maxShare = 16;

export const shareOfPlan = ({ callsPerSecond }: Plan) =>
  Math.max(1, Math.min(callsPerSecond / defaultPlans.free.callsPerSecond, maxShare));

export const refused = (refusal: Refusal) => new WhereaboutsError('invalid_api_key', refusals[refusal]);

/** Counts a request against its account's rate, if the key may be used for it. Throws 403 or 429. */
function admitKey(service: Service, call: Call, account: Account, { as, endpoint }: Access): void {
  const { endpoints, isAdmin } = account.key;
  if (isAdmin && as === undefined) {
    throw new WhereaboutsError('key_not_allowed', 'the key is valid for the admin API only; use another key');
  }
  const strange = strangeTo(service, call, account.key);
  if (strange) {
    const detail = `the key may not be used from ${strange.from}; its owner can allow more ${strange.by}`;
    throw new WhereaboutsError('key_not_allowed', detail);
  }
  if (endpoints && endpoint !== undefined) checkEndpoint(account, endpoint);
  const wait = service.keys.meter.admit(account, call.now);
  if (wait === 0) return;
  const { callsPerSecond, burst } = account.plan;
  throw new WhereaboutsError(
    'rate_limited',
    `the plan allows ${callsPerSecond} requests a second (${burst} at once); wait ${wait} s, or use /v1/batch`,
    { retryAfterSeconds: wait },
  );
}

/** Whether an answer costs nothing: a key is charged for 2xx, 3xx and its own 4xx. */
const isFree = (status: number) => status >= 500 || status === 401 || status === 403 || status === 429;

/**
 * Pays for a part of a request: an entry of a batch, a tool. Its calls are counted, or refunded if it ends in an error that
 * costs nothing; a result of which `isWorth` says so costs one of them.
 */
export function payFor<T>(
  meter: Pick<Leases, 'count' | 'refund'>,
  call: Call,
  { name, calls, isWorth }: { name: string; calls: number; isWorth?: (result: T) => boolean },
  run: () => Soon<T>,
): Soon<T> {
  const { now } = call;
  const account = call.account!;
  const count = (left: number) => {
    meter.count(account, name);
    if (left > 0) meter.refund(account, left, now);
  };
  const paid = (result: T): T => {
    count(isWorth?.(result) === false ? calls - 1 : 0);
    return result;
  };
  const failed = (error: unknown): never => {
    if (isFree(error instanceof WhereaboutsError ? error.status : 500)) meter.refund(account, calls, now);
    else count(calls - 1);
    throw error;
  };
  let result: Soon<T>;
  try {
    result = run();
  } catch (error) {
    return failed(error);
  }
  return result instanceof Promise ? result.then(paid, failed) : paid(result);
}

/** Throws 403 when a key may not call an endpoint. */
export function checkEndpoint({ key }: Account, endpoint: string): void {
  if (!key.endpoints || key.endpoints.includes(endpoint)) return;
  throw new WhereaboutsError(
    'key_not_allowed',
    `the key may not call ${endpoint}, only ${key.endpoints.join(', ')}; use another key`,
  );
}

/** The error when a day's quota is used up. */
export function quotaExceeded({ plan }: Account, now: number): WhereaboutsError {
  const wait = secondsToNextDay(now);
  return new WhereaboutsError(
    'quota_exceeded',
    `the ${plan.callsPerDay} calls of this UTC day are used up; wait ${wait} s for the next day, or use a larger plan`,
    { retryAfterSeconds: wait },
  );
}
