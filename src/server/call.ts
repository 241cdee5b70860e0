/** What is read of a call: its query, its key and the address of its caller. */
import { randomBytes } from 'node:crypto';
import { clientNetworks, formatIp, isInside, type Network, parseAddress, parseNetwork } from '../core/ip/address.ts';
import { type ParameterError, WhereaboutsError } from '../errors.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import type { Caller } from './fairness.ts';
import type { Call, ParsedQuery, RawQuery, Service } from './service.ts';

/** Creates request ids: a random part per process and a counter. A random id per request would cost as much as its parameters. */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

/** The time a call took so far, whole milliseconds. */
export const queryMsOf = (call: Call): number => Math.round(performance.now() - call.startedAt);

/** The query parameters of a call, read once; what takes one of them away takes it from all. */
export const queryOf = (call: Call): ParsedQuery => (call.parsed ??= parseQuery(call.search));

/** The same of a route that reads it as a whole. Throws what is wrong in it. */
export function wellFormedQuery(call: Call): RawQuery {
  const { query, errors } = queryOf(call);
  if (!errors) return query;
  throw new WhereaboutsError('invalid_parameter', errors.map(({ detail }) => detail).join('; '), { errors });
}

/**
 * A caller's address: the socket's peer, unless that is one of the trusted proxies; then the hops of `X-Forwarded-For` are
 * followed from the right to the first untrusted one. A hop that is not an address stops the walk at the last one understood.
 * IPv4-mapped IPv6 is given as IPv4; ports and brackets are dropped.
 */
export function addressOf({ proxies }: Service, { request }: Pick<Call, 'request'>): string | undefined {
  const { remoteAddress } = request.socket;
  let current = remoteAddress === undefined ? undefined : parseAddress(remoteAddress);
  if (!current) return undefined;
  // Without a proxy, nothing is read of what anybody may send.
  const hops = proxies.length === 0 ? [] : String(request.headers['x-forwarded-for'] ?? '').split(',');
  while (hops.length > 0 && isInside(current, proxies)) {
    const hop = parseAddress(hops.pop()!);
    if (!hop) break;
    current = hop;
  }
  return formatIp(current);
}

/** Parameters that carry a key. */
export const keyParameters = ['key', 'api_key'] as const;

/**
 * The text of a call's key: the header X-API-Key, or where the route says that its clients cannot send one; undefined for
 * none. The one reader of keys: what a caller is counted under is what it has access with.
 */
export function keyOf(call: Call): string | undefined {
  const { headers } = call.request;
  const header = headers['x-api-key'];
  if (header !== undefined) return String(header) || undefined;
  const keyIn = call.route?.access?.keyIn;
  if (keyIn === 'bearer') return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (keyIn !== 'parameter') return undefined;
  // A key in the path is always used, even if malformed, so that a typo is reported.
  if (call.path.key !== undefined) return call.path.key;
  const { query } = queryOf(call);
  const texts = keyParameters.map((name) => [query[name]].flat()[0]);
  return texts.find((text) => text?.startsWith('wab_'));
}

/** The name that the use of a key's text is counted under. */
export const keyName = (text: string) => `key ${text}`;

const maxKeyLength = 64;

/**
 * The names that a call's use is counted under; determined before the key is looked up, and again once it is found. The text of a key stands
 * in web pages where it has origins: what others are refused for is not its time, or they would make its users wait.
 */
export const callerOf = (service: Service, call: Call): Caller => (call.caller ??= namesOf(service, call));

function namesOf(service: Service, call: Call): Caller {
  const key = keyOf(call);
  const networks = clientNetworks(addressOf(service, call));
  if (key === undefined || key.length > maxKeyLength) return networks;
  const known = service.keys.knownAs(key);
  return known && strangeTo(service, call, known) ? networks : [...networks, keyName(key)];
}

/** Networks of keys, taken apart. */
const parsedNetworks = new WeakMap<readonly string[], Network[]>();

/** What of a call's origin and address its key may not be used from, and what would allow it; undefined where it may. */
export function strangeTo(service: Service, call: Call, { origins, networks }: KeyRecord) {
  const { origin } = call.request.headers;
  // The portal's own origin is seldom among those of a key that its owner looks at there.
  const isBoundToOrigins = origins && call.route?.access?.as === undefined;
  if (isBoundToOrigins && (origin === undefined || !origins.includes(origin)))
    return {
      from: origin === undefined ? 'a request without the header Origin' : `the origin ${origin}`,
      by: 'origins',
    };
  if (!networks) return undefined;
  const from = addressOf(service, call);
  const address = from === undefined ? undefined : parseAddress(from);
  // Read before a request has a place in the queue: twenty networks of IPv6 take 0.1 ms.
  const parsed = parsedNetworks.getOrInsertComputed(networks, () => networks.map(parseNetwork));
  if (address && isInside(address, parsed)) return undefined;
  return { from: `the address ${from ?? '(unknown)'}`, by: 'networks' };
}

/** Whether a peer is one of the trusted proxies, whose other `X-Forwarded-` headers are trusted too. */
export function isProxy({ proxies }: Service, peer: string | undefined): boolean {
  const address = peer === undefined ? undefined : parseAddress(peer);
  return address !== undefined && isInside(address, proxies);
}

// Objects without inherited names, so that `__proto__` and `constructor` are names like any other; instances of a class
// because those are several times faster to make and read than Object.create(null).
class Query {
  [name: string]: string | string[];
}
Reflect.deleteProperty(Query.prototype, 'constructor');
Object.setPrototypeOf(Query.prototype, null);

/** Faults that are named; what stands behind them is not read. */
const maxFaults = 20;

/**
 * Takes a query string apart (without `?`; `+` is a blank). What is not percent-encoded UTF-8 is listed in `errors`
 * and left out.
 */
export function parseQuery(text: string): ParsedQuery {
  const query: RawQuery = new Query();
  let errors: ParameterError[] | undefined;
  for (const part of text.split('&')) {
    if (part === '') continue;
    const [written] = part.split('=', 1);
    const name = decode(written);
    const value = decode(part.slice(written.length + 1));
    if (name === undefined || value === undefined) {
      const got = JSON.stringify(part.slice(0, 60));
      const detail = `${got} is not percent-encoded UTF-8; encode "%" itself as %25`;
      (errors ??= []).push({ parameter: name ?? written, detail });
      // Each costs an exception, before its request waits for a turn: the key may stand here.
      if (errors.length >= maxFaults) break;
      continue;
    }
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return { query, errors };
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
