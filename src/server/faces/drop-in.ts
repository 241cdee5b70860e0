/** The interfaces of other projects, with our keys and quotas: `/nominatim`, `/photon`, `/pelias`. */
import { ask } from '../../api/execute.ts';
import type { Operation } from '../../api/operation.ts';
import type { Account } from '../../keys/meter.ts';
import { whenFound } from '../../store/deferred.ts';
import { admit, callerOf, charge, checkEndpoint, checkLoad, quotaExceeded, reserve } from '../access.ts';
import type { Call } from '../call.ts';
import type { DropIn } from '../drop-in/drop-in.ts';
import { nominatim } from '../drop-in/nominatim.ts';
import { pelias } from '../drop-in/pelias.ts';
import { photon } from '../drop-in/photon.ts';
import { keyParameters, takeKey } from '../key-parameter.ts';
import { errorOf, problemAnswer } from '../problem.ts';
import type { HttpAnswer, Route } from '../route.ts';
import { currentStore, type Service } from '../service.ts';
import { CallContext } from './v1.ts';

const interfaces: Readonly<Record<string, DropIn>> = { nominatim, photon, pelias };

/** Every route of every interface, at its own path and, for clients that know no keys, behind `/key/{key}`. */
export function dropInRoutes(service: Service, operations: readonly Operation[]): Route[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return Object.entries(interfaces).flatMap(([name, dropIn]) =>
    Object.entries(dropIn.routes).flatMap(([path, handle]) =>
      ['', '/key/{key}'].map(
        (prefix): Route => ({
          name,
          method: 'GET',
          path: prefix + path,
          async handle(call) {
            const query = new URLSearchParams(call.search);
            try {
              checkLoad(call);
              // A key in the path is always used, even if malformed, so that a typo is reported.
              if (call.path.key !== undefined) call.request.headers['x-api-key'] ??= call.path.key;
              takeKey(
                call,
                keyParameters.map((name) => query.get(name)),
              );
              const calls = dropIn.callsOf?.(query) ?? 1;
              const reserved = await reserve(service, call, calls);
              const { account, granted } = reserved;
              const run = () => {
                admit(service, call, reserved, undefined);
                if (granted < calls) throw quotaExceeded(account, call.now);
                const request = requestOf(service, call, query, account, byName);
                return whenFound((): HttpAnswer => {
                  const { status = 200, type, body } = handle(request);
                  return { status, headers: ['Content-Type', type, 'Cache-Control', 'no-store'], body: textOf(body) };
                });
              };
              const cost = { account, now: call.now, name, calls: granted };
              return await service.turns.run(callerOf(service, call), () => charge(service, cost, run));
            } catch (thrown) {
              return problemOf(service, call, dropIn, { query, path }, thrown);
            }
          },
        }),
      ),
    ),
  );
}

function requestOf(
  service: Service,
  call: Call,
  query: URLSearchParams,
  account: Account,
  operations: ReadonlyMap<string, Operation>,
) {
  const { version, builtAt } = currentStore(service).manifest;
  const context = new CallContext(service, call, account, 'default');
  return {
    query,
    acceptLanguage: call.request.headers['accept-language'],
    dataset: { version, builtAt },
    version: service.version,
    ask(endpoint: string, parameters: Readonly<Record<string, string | number | undefined>>) {
      checkEndpoint(account, endpoint);
      const present = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
      return ask(operations.get(endpoint)!, Object.fromEntries(present), context);
    },
  };
}

/** A problem in the project's own form, with the status and headers of ours. */
function problemOf(
  service: Service,
  call: Call,
  dropIn: DropIn,
  { query, path }: { query: URLSearchParams; path: string },
  thrown: unknown,
): HttpAnswer {
  const error = errorOf(service, call, thrown);
  const { status, headers } = problemAnswer(service, call, error);
  const { type, body } = dropIn.problem(error, { query, path, version: service.version });
  return { status, headers: headers.with(headers.indexOf('Content-Type') + 1, type), body: textOf(body) };
}

const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body));
