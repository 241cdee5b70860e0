/** The interfaces of other projects, with our keys and quotas: `/nominatim`, `/photon`, `/pelias`. */
import { ask } from '../../api/execute.ts';
import type { Operation } from '../../api/operation.ts';
import { whenFound } from '../../store/deferred.ts';
import { checkEndpoint } from '../access.ts';
import type { DropIn } from '../drop-in/drop-in.ts';
import { nominatim } from '../drop-in/nominatim.ts';
import { pelias } from '../drop-in/pelias.ts';
import { photon } from '../drop-in/photon.ts';
import { type Call, currentStore, type HttpAnswer, type Route, type Service } from '../service.ts';
import { CallContext } from './v1.ts';

type DropInName = 'nominatim' | 'photon' | 'pelias';
const interfaces: Readonly<Record<DropInName, DropIn>> = { nominatim, photon, pelias };

/** Every route of an interface, at its own path and, for clients that know no keys, behind `/key/{key}`. */
export function dropInRoutes(service: Service, name: DropInName, operations: readonly Operation[]): Route[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const dropIn = interfaces[name];
  const queryOf = ({ search }: Call) => new URLSearchParams(search);
  const { ending } = dropIn;
  const pathsOf = (path: string) =>
    [path, ...(ending === undefined ? [] : [path + ending])].flatMap((one) => [one, `/key/{key}${one}`]);
  return Object.entries(dropIn.routes).flatMap(([path, handle]) =>
    pathsOf(path).map(
      (written): Route => ({
        name,
        method: 'GET',
        path: written,
        access: { keyIn: 'parameter', callsOf: (call) => dropIn.callsOf?.(queryOf(call)) ?? 1 },
        handle(call) {
          const request = requestOf(service, call, queryOf(call), byName);
          return whenFound((): HttpAnswer => {
            const { status = 200, type, body } = handle(request);
            return { status, headers: ['Content-Type', type, 'Cache-Control', 'no-store'], body: textOf(body) };
          });
        },
        problem(call, error) {
          const { type, body } = dropIn.problem(error, { query: queryOf(call), path, version: service.version });
          return { type, body: textOf(body) };
        },
      }),
    ),
  );
}

function requestOf(service: Service, call: Call, query: URLSearchParams, operations: ReadonlyMap<string, Operation>) {
  const { version, builtAt } = currentStore(service).manifest;
  const account = call.account!;
  const context = new CallContext(service, call, account, 'default');
  return {
    query,
    acceptLanguage: call.request.headers['accept-language'],
    dataset: { version, builtAt },
    version: service.version,
    idOfObject(object: string) {
      const { pois, addresses } = currentStore(service);
      return pois?.idOfObject(object) ?? addresses?.idOfObject(object);
    },
    ask(endpoint: string, parameters: Readonly<Record<string, string | number | undefined>>) {
      checkEndpoint(account, endpoint);
      const present = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
      return ask(operations.get(endpoint)!, Object.fromEntries(present), context);
    },
  };
}

const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body));
