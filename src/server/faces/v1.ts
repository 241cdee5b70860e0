/** Endpoints below /v1: reads their requests and charges their calls. */
import { type Answer, execute, type Input, variesByLanguage } from '../../api/execute.ts';
import type { Operation } from '../../api/operation.ts';
import type { Context, Profile } from '../../endpoints/endpoint.ts';
import type { ParameterError, WhereaboutsError } from '../../errors.ts';
import type { Account } from '../../keys/meter.ts';
import { whenFound } from '../../store/deferred.ts';
import type { Store } from '../../store/store.ts';
import { addressOf, type Call, queryOf } from '../call.ts';
import { profileOf } from '../profile.ts';
import type { parseQuery } from '../query-string.ts';
import type { Route } from '../route.ts';
import { currentStore, type Service, tagOf } from '../service.ts';

type ParsedQuery = ReturnType<typeof parseQuery>;

/** `Vary` of answers to callers with a key; and of those with names in the language that the caller prefers. */
export const varying = 'Accept-Encoding, Origin, X-API-Key, X-API-Variant';
const varyingByLanguage = 'Accept-Encoding, Accept-Language, Origin, X-API-Key, X-API-Variant';

/** The context of a handler. The caller's address is computed only for the few that need it. */
export class CallContext implements Context {
  readonly store: Store;
  readonly profile: Profile;
  readonly now: number;
  readonly account: Account;
  readonly acceptLanguage: string | undefined;
  readonly #service: Service;
  readonly #call: Call;

  constructor(service: Service, call: Call, account: Account, profile: Profile, acceptLanguage?: string) {
    this.store = currentStore(service);
    this.profile = profile;
    this.now = call.now;
    this.account = account;
    this.acceptLanguage = acceptLanguage;
    this.#service = service;
    this.#call = call;
  }

  get clientAddress(): string | undefined {
    return addressOf(this.#service, this.#call);
  }
}

/** A request's own context: its answer carries a tag where it depends on the data only. */
class CachingContext extends CallContext {
  readonly caching: { tag: string; control: string; known: string | undefined };

  constructor(service: Service, call: Call, account: Account, profile: Profile) {
    super(service, call, account, profile, call.request.headers['accept-language']);
    const known = call.request.headers['if-none-match'];
    this.caching = { tag: tagOf(this.store, service.version), control: service.cacheControl, known };
  }
}

/** The route of an endpoint; where it is counted, a request to it costs a call, and two if it explains itself. */
export function endpointRoute(service: Service, operation: Operation, isCounted: boolean): Route {
  const { name } = operation;
  return {
    name,
    method: 'GET',
    path: `/v1${operation.endpoint.path}`,
    access: {
      endpoint: name,
      ...(isCounted ? { callsOf: (call) => operation.callsOf(queryOf(call).query) } : {}),
    },
    handle(call) {
      const { account, charged } = call;
      if (charged) charged.worth = 1;
      const { profile, input } = readRequest(call, queryOf(call), account!.key.profile);
      call.profile = profile;
      const context = new CachingContext(service, call, account!, profile);
      const vary = variesByLanguage(operation, input.parameters, profile) ? varyingByLanguage : varying;
      return whenFound(() => {
        const answer = execute(operation, input, context);
        if (charged && charged.calls > 1 && isExplained(answer, profile)) charged.worth = charged.calls;
        answer.headers.push('Vary', vary);
        return answer;
      });
    },
  };
}

/** Whether an answer explains itself, where that was requested: otherwise it costs a call like others. */
const isExplained = (answer: Answer, profile: Profile): boolean =>
  answer.status === 200 && profile === 'default' && typeof answer.body === 'object';

/** Profile and raw parameters of a request, with what is wrong with either so far. */
function readRequest(
  { request, path }: Call,
  { query, errors }: ParsedQuery,
  ofKey: Profile | null,
): { profile: Profile; input: Input } {
  let faults: ParameterError[] | undefined = errors;
  const { variant } = query;
  if (variant !== undefined) delete query.variant;
  let profile: Profile = 'default';
  try {
    profile = profileOf(request.headers['x-api-variant'], variant, ofKey);
  } catch (error) {
    faults = [...(faults ?? []), ...((error as WhereaboutsError).errors ?? [])];
  }
  // A path parameter wins over a query parameter of its name, which is then one that is ignored.
  let ignored: string[] | undefined;
  for (const name in path) {
    if (name in query) (ignored ??= []).push(name);
    query[name] = path[name] as string;
  }
  return { profile, input: { parameters: query, faults, ignored } };
}
