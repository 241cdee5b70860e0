/** Endpoints below /v1: reads their requests and charges their calls. */
import { type Answer, execute, type Input, type Operation, variesByLanguage } from '../../api/execute.ts';
import { type Context, defineEndpoint, type Profile, profiles } from '../../endpoints/endpoint.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { invalidParameter, type ParameterError, type WhereaboutsError } from '../../errors.ts';
import { type Account, dayMs, dayOf } from '../../keys/meter.ts';
import { Type } from '../../schema.ts';
import { type Store, whenFound } from '../../store/store.ts';
import { addressOf, queryOf } from '../call.ts';
import { fetchedFor } from '../route.ts';
import { type Call, currentStore, type Service, tagOf } from '../service.ts';
import { type EndpointRoute, requiredByProfile } from './openapi.ts';

/** `Vary` of answers to callers with a key; and of those with names in the language that the caller prefers. */
export const varying = 'Accept-Encoding, Origin, X-API-Key, X-API-Variant';
const varyingByLanguage = 'Accept-Encoding, Accept-Language, Origin, X-API-Key, X-API-Variant';

/** The context of a handler. The caller's address is computed only for the few that need it. */
export class CallContext implements Context {
  readonly profile: Profile;
  readonly now: number;
  /** Undefined for the portal's own pages. */
  readonly account: Account | undefined;
  readonly acceptLanguage: string | undefined;
  readonly #service: Service;
  readonly #call: Call;
  readonly #isWhole: boolean;

  /** `isWhole`: of a whole request, not of a part of one, so that its answer carries a tag where it depends on the data only. */
  constructor(service: Service, call: Call, profile: Profile, acceptLanguage?: string, isWhole = false) {
    this.profile = profile;
    this.now = call.now;
    this.account = call.account;
    this.acceptLanguage = acceptLanguage;
    this.#service = service;
    this.#call = call;
    this.#isWhole = isWhole;
  }

  /** That of the turn: another one may be served, and this one closed, while a request waits. */
  get store(): Store {
    return currentStore(this.#service);
  }

  onIncomplete(): void {
    this.#call.isIncomplete = true;
  }

  get clientAddress(): string | undefined {
    return addressOf(this.#service, this.#call);
  }

  get caching() {
    if (!this.#isWhole) return undefined;
    return { tag: tagOf(this.store, this.#service.version), known: this.#call.request.headers['if-none-match'] };
  }
}

/** An endpoint as it is declared; where it is counted, a request to it costs a call, and two if it explains itself. */
export function endpointRoute(service: Service, operation: Operation): EndpointRoute {
  const { name, endpoint, isCounted } = operation;
  const { summary, description, dependencies = [], response } = endpoint;
  return {
    name,
    method: 'GET',
    path: `/v1${endpoint.path}`,
    tag: isCounted ? 'Data' : 'Service',
    summary,
    description,
    hasProfiles: true,
    dependencies: [...dependencies, ...requiredByProfile(endpoint)],
    answers: { 200: response },
    errors: isCounted ? [400, 404] : [400],
    operation,
    access: { endpoint: name, callsOf: (call) => operation.callsOf(queryOf(call).query) },
    handle(call) {
      const { charged } = call;
      if (charged) charged.worth = 1;
      const { profile, input } = readRequest(call);
      call.profile = profile;
      const context = new CallContext(service, call, profile, call.request.headers['accept-language'], true);
      const vary = variesByLanguage(operation, input.parameters, profile) ? varyingByLanguage : varying;
      return whenFound(
        () => {
          const answer = execute(operation, input, context);
          if (charged && charged.calls > 1 && isExplained(answer, profile)) charged.worth = charged.calls;
          answer.headers.push('Vary', vary);
          return answer;
        },
        fetchedFor(service, call),
      );
    },
  };
}

/** Whether an answer explains itself, where that was requested: otherwise it costs a call like others. */
const isExplained = (answer: Answer, profile: Profile): boolean =>
  answer.status === 200 && profile === 'default' && typeof answer.body === 'object';

/** Profile and raw parameters of a request, with what is wrong with either so far. */
function readRequest(call: Call): { profile: Profile; input: Input } {
  const { query, errors } = queryOf(call);
  const { request, path, account } = call;
  let faults: ParameterError[] | undefined = errors;
  const { variant } = query;
  if (variant !== undefined) delete query.variant;
  let profile: Profile = 'default';
  try {
    profile = profileOf(request.headers['x-api-variant'], variant, account?.key.profile ?? null);
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

const byName = new Map<string, Profile>(profiles.map((profile) => [profile, profile]));

/**
 * The profile of a request: its header `X-API-Variant` or its parameter `variant`, in any case, else the key's own
 * setting, else `default`. Throws `invalid_parameter` for any other value, and when the two differ.
 */
export function profileOf(header: string | string[] | undefined, parameter: unknown, ofKey: Profile | null): Profile {
  if (header === undefined && parameter === undefined) return ofKey ?? 'default';
  const fromHeader = header === undefined ? undefined : read(header, 'the header X-API-Variant');
  const fromParameter = parameter === undefined ? undefined : read(parameter, 'variant');
  if (fromHeader !== undefined && fromParameter !== undefined && fromHeader !== fromParameter) {
    throw invalidParameter(
      'variant',
      `variant is ${fromParameter} and the header X-API-Variant is ${fromHeader}; send one of them`,
    );
  }
  return (fromParameter ?? fromHeader)!;
}

function read(got: unknown, what: string): Profile {
  const profile = typeof got === 'string' ? byName.get(got.toLowerCase()) : undefined;
  if (profile) return profile;
  const shown = typeof got === 'string' ? JSON.stringify(got.slice(0, 60)) : 'given more than once';
  throw invalidParameter('variant', `${what} is ${shown}, expected one of a, b, default`);
}

const shownDays = 30;

const response = Type.Object({
  plan: Type.String('Plan of the key.'),
  limit: Type.Integer('Calls allowed per UTC day.'),
  used: Type.Integer('Calls used this UTC day.'),
  remaining: Type.Integer('Calls left this UTC day.'),
  reset: Type.String({ format: 'date-time', description: 'Start of the next UTC day.' }),
  reset_seconds: Type.Integer('Seconds until then.'),
  calls_per_second: Type.Integer('Requests allowed per second; a batch is one request.'),
  burst: Type.Integer('Number of requests that may come at once after a pause.'),
  batch_size: Type.Integer('Maximum number of entries in a batch.'),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'UTC day.' }),
      calls: Type.Integer(),
    }),
    { description: `Calls of each of the last ${shownDays} UTC days, today first.` },
  ),
  ...queryMs,
});
const parameters = Type.Object({});
const dateOf = (day: number) => new Date(day * dayMs).toISOString();

/** The key's own use. It is declared like an endpoint, but belongs to the service and not to a dataset. */
export function usageEndpoint(service: Pick<Service, 'keys'>) {
  return defineEndpoint({
    path: '/usage',
    summary: 'Plan and usage of the key',
    description:
      'The plan of the key, the calls used and left today, when the quota resets, and the calls of the last 30 days. ' +
      'Costs no call.',
    parameters: { default: parameters, a: parameters, b: parameters },
    response: { default: response, a: response, b: response },
    layers: [],
    isCacheable: () => false,
    handle(_parameters, context) {
      const { account, now } = context as CallContext;
      const { plan, key } = account!;
      const today = dayOf(now);
      const used = service.keys.meter.used(account!, now);
      const calls = service.keys.usageSince(account!, today - shownDays + 1, now);
      return {
        plan: key.plan,
        limit: plan.callsPerDay,
        used,
        remaining: Math.max(0, plan.callsPerDay - used),
        reset: dateOf(today + 1),
        reset_seconds: Math.ceil(((today + 1) * dayMs - now) / 1000),
        calls_per_second: plan.callsPerSecond,
        burst: plan.burst,
        batch_size: plan.batchSize,
        days: Array.from({ length: shownDays }, (_, back) => ({
          date: dateOf(today - back).slice(0, 10),
          calls: calls.get(today - back) ?? 0,
        })),
      };
    },
  });
}
