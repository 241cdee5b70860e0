/**
 * What the portal's own pages ask without a key: the GET endpoints and the tiles, below `/portal`, by an allowance for each
 * address. Anybody can send what a page sends, its `Origin` too: this bounds the rate, it is no access control.
 */
import { clientNetworks } from '../../../core/ip/address.ts';
import { RecentCache } from '../../../core/recent-cache.ts';
import { WhereaboutsError } from '../../../errors.ts';
import { takeToken } from '../../../keys/meter.ts';
import { addressOf, queryOf } from '../../call.ts';
import type { Call, Route, Service } from '../../service.ts';
import type { ApiRoute, EndpointRoute } from '../openapi.ts';

const defaultRequestsPerMinute = 300;
/** A map of several layers loads a hundred tiles at once. */
const tilesPerRequest = 16;
/** Half of the most addresses whose use is kept; beyond them those that asked longest ago are forgotten. */
const keptAddresses = 10_000;

/** The routes of the pages; with 0 requests a minute they answer that a key is needed. */
export function openApi(
  service: Service,
  endpoints: readonly EndpointRoute[],
  tiles: readonly ApiRoute[],
  perMinute = defaultRequestsPerMinute,
): Route[] {
  const admit = allowance(service, perMinute);
  const admitTile = allowance(service, perMinute * tilesPerRequest);
  const open = ({ path, handle }: Route, before: Route['before']): Route => ({
    name: 'portal',
    method: 'GET',
    path: `/portal${path}`,
    before,
    handle,
  });
  return [
    ...endpoints.map((route) => open(route, (call) => admit(call, route.operation.callsOf(queryOf(call).query)))),
    ...tiles.map((route) => open(route, (call) => admitTile(call, 1))),
  ];
}

/**
 * Takes the calls of a request from what an address may send: a minute's worth at once, and as many in each minute; of IPv6 the
 * /56 twice and the /48 four times as many. Throws 401 or 429.
 */
function allowance(service: Service, perMinute: number): (call: Call, calls: number) => void {
  const used = new RecentCache<string, Parameters<typeof takeToken>[0]>(keptAddresses);
  return (call, calls) => {
    if (perMinute === 0) {
      throw new WhereaboutsError('missing_api_key', 'the pages of this portal need a key, as every program does');
    }
    let wait = 0;
    // The narrowest first: what it is refused the wider ones do not pay.
    for (const [wider, name] of clientNetworks(addressOf(service, call)).entries()) {
      const burst = perMinute * 2 ** wider;
      const plan = { burst, callsPerSecond: burst / 60 };
      const own = used.getOrInsertComputed(name, () => ({ plan, tokens: burst, tokensAt: call.now }));
      for (let taken = 0; taken < calls && wait === 0; taken++) wait = takeToken(own, call.now);
    }
    if (wait === 0) return;
    throw new WhereaboutsError(
      'rate_limited',
      `without a key the pages of the portal send ${perMinute} requests a minute from one address; wait ${wait} s, or use a key`,
      { retryAfterSeconds: wait },
    );
  };
}
