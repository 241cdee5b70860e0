/** The account of a key, below /account: what it is, and what its owner may change. The key in the header is the login. */
import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { UsageError, WhereaboutsError } from '../errors.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import { formerTexts, isOwner } from '../keys/key-rules.ts';
import { isInside, parseAddress, parseNetwork } from '../keys/networks.ts';
import { fallbackPlan } from '../keys/plans.ts';
import { schemaFaults } from '../schema-faults.ts';
import { addressOf, admitOwner } from './access.ts';
import { changeRequest, confirmRequest, revokeRequest, rotateRequest, signUpRequest } from './account-requests.ts';
import { checkUrl } from './api.ts';
import { beginCall, type Call, jsonType, noStore, queryMsOf, send, sendProblem } from './call.ts';
import { readJsonBody } from './request-body.ts';
import type { Service } from './service.ts';
import { confirmSignUp, type SignUpOptions, signUp, signUpModeOf } from './sign-up.ts';

const hourMs = 3_600_000;
type Handler = (call: Call) => Promise<[status: number, body: object]> | [status: number, body: object];

/** Adds the routes; gives the methods of each path, for answers to requests that match none. */
export function addAccountRoutes(
  app: FastifyInstance,
  service: Service,
  signUpOptions: SignUpOptions,
): Record<string, string> {
  const routes: Record<string, Record<string, Handler>> = {
    '/account/sign-up': {
      GET: (call) => [200, { mode: signUpModeOf(signUpOptions, call) }],
      async POST(call) {
        const key = await signUp(service, signUpOptions, call, await bodyOf(service, call, signUpRequest));
        return key === undefined ? [202, { sent: true }] : [201, { key }];
      },
    },
    '/account/sign-up/confirm': {
      async POST(call) {
        const { token } = await bodyOf(service, call, confirmRequest);
        return [201, { key: await confirmSignUp(service, signUpOptions, call, token) }];
      },
    },
    '/account/key': {
      GET: async (call) => [200, describe(service, call, (await admitOwner(service, call)).account.key)],
      async PATCH(call) {
        const key = await ownerOf(service, call);
        return [200, await change(service, call, key, await bodyOf(service, call, changeRequest))];
      },
    },
    '/account/key/rotate': {
      async POST(call) {
        const { id } = await ownerOf(service, call);
        const { grace_hours: hours = 24 } = await bodyOf(service, call, rotateRequest);
        const { text } = await service.keys.rotate(id, hours * hourMs, 'owner');
        return [201, { key: text, former_valid_until: timeOf(call.now + hours * hourMs) }];
      },
    },
    '/account/key/revoke': {
      async POST(call) {
        const { id } = await ownerOf(service, call);
        await bodyOf(service, call, revokeRequest);
        await service.keys.revoke(id, 'owner');
        return [200, { revoked: true }];
      },
    },
  };
  for (const [url, handlers] of Object.entries(routes)) {
    for (const [method, handler] of Object.entries(handlers)) {
      app.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url,
        async handler(request, reply) {
          reply.hijack();
          const call = beginCall(service, request.raw, reply.raw);
          try {
            checkUrl(service, request.raw);
            const [status, body] = await handler(call);
            const text = JSON.stringify({ ...body, query_ms: queryMsOf(call) });
            send(service, call, status, ['Content-Type', jsonType, ...noStore], text);
          } catch (error) {
            sendProblem(service, call, error);
          }
        },
      });
    }
  }
  const named = (methods: string[]) => methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return Object.fromEntries(
    Object.entries(routes).map(([url, handlers]) => [url, [...named(Object.keys(handlers)), 'OPTIONS'].join(', ')]),
  );
}

/** A body of the described shape. Throws 400, 413 or 415. */
async function bodyOf<S extends TSchema>(service: Service, call: Call, schema: S) {
  const body = await readJsonBody(service, call, Math.min(service.limits.bodyBytes, 16_384), '{}');
  const faults = schemaFaults(schema, body).map(({ instancePath, message }) => ({
    parameter: instancePath.slice(1).replaceAll('/', '.') || 'body',
    detail: `${instancePath.slice(1) || 'the body'} ${message}`,
  }));
  if (faults.length === 0) return body as Static<S>;
  throw new WhereaboutsError('invalid_body', faults.map(({ detail }) => detail).join('; '), { errors: faults });
}

/**
 * The key of a call that is to change something. A key that was rotated away may not: it is rotated because others may
 * have it. A key that others see needs its owner's code too. Throws 401, 403, 429 or 503.
 */
async function ownerOf(service: Service, call: Call): Promise<KeyRecord> {
  const { account, isFormer } = await admitOwner(service, call);
  if (isFormer) {
    throw new WhereaboutsError(
      'key_not_allowed',
      'the key was rotated away: until its grace is over it answers requests, and changes nothing; use the new key',
    );
  }
  const code = call.request.headers['x-owner-code'];
  if (account.key.ownerHash === null || (typeof code === 'string' && isOwner(account.key, code))) return account.key;
  throw new WhereaboutsError(
    'key_not_allowed',
    "a key that is restricted to origins is public, so changes need its owner's code in the header X-Owner-Code",
  );
}

async function change(
  service: Service,
  call: Call,
  { id, ownerHash }: KeyRecord,
  given: Static<typeof changeRequest>,
): Promise<object> {
  const origins = given.origins?.map(originOf) ?? given.origins;
  if (given.networks) checkNetworks(given.networks, addressOf(service, call));
  let key: KeyRecord;
  try {
    const { name, networks } = given;
    const wanted = Object.entries({ name, origins, networks }).filter(([, value]) => value !== undefined);
    key = await service.keys.change(id, Object.fromEntries(wanted), 'owner');
  } catch (error) {
    if (error instanceof UsageError) throw bodyError(given.networks ? 'networks' : 'name', error.message);
    throw error;
  }
  let code: string | undefined;
  if (origins && ownerHash === null) ({ code, key } = await service.keys.protect(id, 'owner'));
  if (origins === null && ownerHash !== null) key = await service.keys.unprotect(id, 'owner');
  return { ...describe(service, call, key), ...(code === undefined ? {} : { owner_code: code }) };
}

/** An origin as browsers send it. */
function originOf(text: string): string {
  const written = text.trim();
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.origin === written.replace(/\/$/, '').toLowerCase())
    return url.origin;
  throw bodyError('origins', `${JSON.stringify(text)} is no origin, expected one such as https://example.org`);
}

function checkNetworks(networks: readonly string[], from: string | undefined): void {
  const parsed = networks.map((network) => {
    try {
      return parseNetwork(network);
    } catch (error) {
      throw bodyError('networks', (error as Error).message);
    }
  });
  const address = from === undefined ? undefined : parseAddress(from);
  if (address && isInside(address, parsed)) return;
  throw bodyError(
    'networks',
    `your own address ${from ?? '(unknown)'} is in none of them, which would lock you out; add it`,
  );
}

const bodyError = (parameter: string, detail: string) =>
  new WhereaboutsError('invalid_body', detail, { errors: [{ parameter, detail }] });

const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** What an owner sees of a key. */
function describe({ keys }: Service, { now }: Call, key: KeyRecord): object {
  const plan = keys.plans[key.plan] ?? keys.plans[fallbackPlan];
  return {
    key: key.display,
    name: key.name,
    plan: key.plan,
    calls_per_day: plan.callsPerDay,
    calls_per_second: plan.callsPerSecond,
    burst: plan.burst,
    profile: key.profile,
    created: timeOf(key.createdAt),
    expires: timeOf(key.expiresAt),
    origins: key.origins,
    networks: key.networks,
    endpoints: key.endpoints,
    former_keys: formerTexts(key, now).map(({ display, expiresAt }) => ({ key: display, until: timeOf(expiresAt) })),
    needs_owner_code: key.ownerHash !== null,
  };
}
