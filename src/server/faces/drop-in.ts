/** The interfaces of other projects, with our keys and quotas: `/nominatim`, `/photon`, `/pelias`. */
import { ask, type Operation } from '../../api/execute.ts';
import { WhereaboutsError } from '../../errors.ts';
import { Deferred, type LookUps, whenFound } from '../../store/store.ts';
import { checkEndpoint } from '../access.ts';
import { callerOf } from '../call.ts';
import type { DropIn } from '../drop-in/drop-in.ts';
import { nominatim } from '../drop-in/nominatim.ts';
import { pelias } from '../drop-in/pelias.ts';
import { photon } from '../drop-in/photon.ts';
import { defaultLimits } from '../limits.ts';
import { fetchedFor } from '../route.ts';
import { type BodyRule, type Call, currentStore, type HttpAnswer, type Route, type Service } from '../service.ts';
import { CallContext } from './v1.ts';

type DropInName = 'nominatim' | 'photon' | 'pelias';
const interfaces: Readonly<Record<DropInName, DropIn>> = { nominatim, photon, pelias };

/** Every route of an interface, at its own path and, for clients that know no keys, behind `/key/{key}`. */
export function dropInRoutes(service: Service, name: DropInName, operations: readonly Operation[]): Route[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const dropIn = interfaces[name];
  const callsOf = (query: URLSearchParams) => dropIn.callsOf?.(query) ?? 1;
  const pathsOf = (path: string) =>
    [path, ...(dropIn.alsoAt?.(path) ?? [])].flatMap((one) => [one, `/key/{key}${one}`]);
  /** A request, which is answered from its beginning again with the answers so far, by their questions, when its further searches have their turn. */
  function requestOf(call: Call, query: URLSearchParams, known: Map<string, ReturnType<typeof ask>>) {
    const { version, builtAt } = currentStore(service).manifest;
    const { lanes } = service;
    const account = call.account!;
    const caller = callerOf(service, call);
    const anotherTurn: LookUps = {
      async fetch() {},
      within: (search) => lanes.perform(() => caller, search, 0, call.route),
    };
    const startedAt = performance.now();
    let asked = 0;
    const context = new CallContext(service, call, 'default');
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
        const question = JSON.stringify([version, endpoint, present]);
        if (!known.has(question)) {
          if (asked++ > 0 && performance.now() - startedAt > turnMs) throw new Deferred(anotherTurn);
          known.set(question, ask(byName.get(endpoint)!, Object.fromEntries(present), context));
        }
        return known.get(question)!;
      },
    };
  }

  return Object.entries(dropIn.routes).flatMap(([path, handle]) => {
    function answer(call: Call, query: URLSearchParams) {
      const known = new Map<string, ReturnType<typeof ask>>();
      return whenFound(
        (): HttpAnswer => {
          const { status = 200, type, body } = handle(requestOf(call, query, known));
          return { status, headers: ['Content-Type', type, 'Cache-Control', 'no-store'], body: textOf(body) };
        },
        fetchedFor(service, call),
      );
    }
    return pathsOf(path).flatMap((written): Route[] => {
      const shared: Omit<Route, 'method' | 'handle'> = {
        name,
        path: written,
        access: { keyIn: 'parameter', callsOf: (call) => callsOf(queryOf(call)) },
        problem(call, error) {
          const { type, body } = dropIn.problem(error, { query: queryOf(call), path, version: service.version });
          return { type, body: textOf(body) };
        },
      };
      return [
        { ...shared, method: 'GET', handle: (call) => answer(call, queryOf(call)) },
        { ...shared, method: 'POST', takes: form, handle: (call) => answer(call, formOf(call, callsOf)) },
      ];
    });
  });
}

const form: BodyRule = { maxBytes: 8_192, expected: 'a form with the parameters of the query', hasForms: true };

function queryOf({ search, path: { q } }: Call): URLSearchParams {
  const query = new URLSearchParams(search);
  if (q !== undefined) query.set('q', q);
  return query;
}

/** The query with the parameters of a form or of a JSON object. What it costs was charged by the address alone. */
function formOf(call: Call, callsOf: (query: URLSearchParams) => number): URLSearchParams {
  const query = queryOf(call);
  const charged = callsOf(query);
  const fields = Object.entries(call.body ?? {});
  if (fields.length > defaultLimits.parameters)
    throw new WhereaboutsError(
      'invalid_body',
      `the form has ${fields.length} parameters, at most ${defaultLimits.parameters} are allowed`,
    );
  for (const [name, value] of fields) {
    if (typeof value === 'object') throw new WhereaboutsError('invalid_body', `${name.slice(0, 60)} is no text`);
    query.set(name, String(value));
  }
  if (callsOf(query) <= charged) return query;
  throw new WhereaboutsError(
    'invalid_body',
    'the form asks for several countries, several identifiers or an explanation, which cost further calls; send these parameters in the address',
  );
}

/** How long the searches of one request have the thread before they wait for another turn, ms. */
const turnMs = 2;

const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body));
