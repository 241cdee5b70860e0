/** POST /v1/batch: many requests in one, each answered as it would be alone. */
import type { Static } from 'typebox';
import { bytesOf, JsonBody } from '../../api/answer-body.ts';
import { execute, ignoredHeader, type Operation } from '../../api/execute.ts';
import type { Profile } from '../../endpoints/endpoint.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { invalidParameter, type ParameterError, WhereaboutsError } from '../../errors.ts';
import type { Account, Soon } from '../../keys/meter.ts';
import { Type } from '../../schema.ts';
import { whenFound } from '../../store/store.ts';
import { checkEndpoint, payFor, quotaExceeded, reserve } from '../access.ts';
import { callerOf, queryMsOf, queryOf } from '../call.ts';
import { defaultLimits } from '../limits.ts';
import { errorOf, problemBody } from '../problem.ts';
import { fetchedFor, json, routerPath } from '../route.ts';
import { bodyOf, hasGone, holdAnswer, maxTextBytes } from '../send.ts';
import type { Call, HttpAnswer, Service } from '../service.ts';
import { createPaths } from '../unrouted.ts';
import type { ApiRoute, EndpointRoute } from './openapi.ts';
import { CallContext, profileOf } from './v1.ts';

/** Maximum number of characters of an endpoint's path: all of a body are looked up in one turn. */
const maxPath = 1_000;

/** The body of a batch, for the API's description; readBatch checks it. */
const batchRequest = Type.Object({
  requests: Type.Array(
    Type.Object({
      endpoint: Type.String({
        description: 'Path of a GET endpoint, with or without the leading slash and /v1.',
        examples: ['search', '/country/DE'],
      }),
      params: Type.Record(Type.String(), Type.Unsafe<unknown>({}), {
        description:
          'Its query parameters, texts, numbers and booleans; may be empty. The answer of the entry says what is wrong with them.',
      }),
    }),
    { maxItems: 100 },
  ),
});
type BatchEntry = Static<typeof batchRequest>['requests'][number];

const index = Type.Integer('Position in the request.');
const status = Type.Integer('HTTP status of the entry; 200 is success.');
const data = Type.Object({}, { description: "The endpoint's answer, or a problem document." });
const total = Type.Integer('Number of requests.');
const successful = Type.Integer('Entries with status 200.');
const failed = Type.Integer('All other entries.');
const count = Type.Integer('Number of entries.');

const results = Type.Array(Type.Object({ index, status, data }));
const sums = { total, successful, failed };

/** The answer to a batch in each profile. */
const batchResponse = {
  default: Type.Object({ results, ...sums, count, ...queryMs }),
  a: Type.Object({ results, ...sums, ...queryMs }),
  b: Type.Object({ results: Type.Array(Type.Object({ status, body: data })), count, ...queryMs }),
} satisfies Record<Profile, unknown>;

const maxNamed = 20;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const kindOf = (value: unknown) => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
};

/** The entries of a batch's body. Throws `invalid_body` naming everything that has not the described shape. */
function readBatch(body: unknown, maxEntries: number): BatchEntry[] {
  const errors: ParameterError[] = [];
  const wrong = (parameter: string, value: unknown, expected: string) => {
    errors.push({ parameter, detail: `${parameter} is ${kindOf(value)}, expected ${expected}` });
  };
  const requests = isObject(body) ? body.requests : undefined;
  if (!isObject(body)) wrong('body', body, 'an object with the array "requests"');
  else if (!Array.isArray(requests)) wrong('requests', requests, 'an array of {"endpoint": "...", "params": {...}}');
  else if (requests.length > maxEntries) {
    const detail = `requests has ${requests.length} entries, at most ${maxEntries} are allowed; send several batches`;
    errors.push({ parameter: 'requests', detail });
  } else {
    for (const [position, entry] of requests.entries()) {
      if (errors.length >= maxNamed) break;
      const name = `requests[${position}]`;
      if (!isObject(entry)) {
        wrong(name, entry, 'an object with "endpoint" and "params"');
        continue;
      }
      if (typeof entry.endpoint !== 'string') wrong(`${name}.endpoint`, entry.endpoint, 'a string such as "search"');
      if (!isObject(entry.params)) wrong(`${name}.params`, entry.params, 'an object, which may be empty');
      else if (Object.keys(entry.params).length > defaultLimits.parameters) {
        const detail = `${name}.params has ${Object.keys(entry.params).length} names, at most ${defaultLimits.parameters} are allowed`;
        errors.push({ parameter: `${name}.params`, detail });
      }
    }
  }
  if (errors.length === 0) return requests as BatchEntry[];
  throw new WhereaboutsError('invalid_body', errors.map(({ detail }) => detail).join('; '), { errors });
}

/** An operation below /v1 and its path parameters, or what is wrong with the path. */
type Target = { operation: Operation; path: Record<string, string | undefined> } | WhereaboutsError;
type FindTarget = (entry: BatchEntry) => Target;
/** `json` is the entry's body, as `JsonText` has it; bytes where it is long. */
type EntryAnswer = { status: number; json: string | Buffer };

/** The batch as it is declared. */
export function batchRoute(service: Service, endpoints: readonly EndpointRoute[]): ApiRoute {
  const paths = createPaths();
  for (const { path, operation } of endpoints) paths.on('GET', routerPath(path), () => {}, operation);
  const find: FindTarget = ({ endpoint }) => {
    const path = `/${endpoint.replace(/^\//, '').replace(/^v1\//, '').replace(/\/$/, '')}`;
    if (path === '/batch')
      return invalidParameter('endpoint', 'endpoint is batch, but a batch cannot contain another batch');
    // What is not percent-encoded is not a path.
    const isPath = endpoint.length <= maxPath && !/[?#]/.test(endpoint);
    const found = isPath ? paths.find('GET', `/v1${path}`) : null;
    if (found) return { operation: found.store as Operation, path: found.params };
    const shown = JSON.stringify(endpoint.slice(0, 60));
    const hint = endpoint.includes('?')
      ? '; put the part after "?" into params'
      : '; /openapi.json lists the endpoints';
    return new WhereaboutsError('not_found', `there is no endpoint ${shown}${hint}`);
  };
  return {
    name: 'batch',
    method: 'POST',
    path: '/v1/batch',
    tag: 'Data',
    summary: 'Up to 100 requests in one',
    description:
      'Answers the entries in order, each as its endpoint would. An invalid entry does not affect the others. Each entry costs one ' +
      'call. Entries beyond the quota have status 429. The profile of the batch applies to its entries.',
    hasProfiles: true,
    access: { endpoint: 'batch' },
    takes: { maxBytes: service.limits.bodyBytes, expected: '{"requests": [...]}' },
    body: batchRequest,
    example: {
      requests: [
        { endpoint: 'country/DE', params: {} },
        { endpoint: '/distance', params: { from_lat: 52.52, from_lng: 13.41, to_lat: 48.85, to_lng: 2.35 } },
      ],
    },
    answers: { 200: batchResponse },
    handle: (call) => answerBatch(service, find, call),
  };
}

async function answerBatch(service: Service, find: FindTarget, call: Call): Promise<HttpAnswer> {
  const account = call.account!;
  const { variant, ...others } = queryOf(call).query;
  const profile = profileOf(call.request.headers['x-api-variant'], variant, account.key.profile);
  const entries = readBatch(call.body, account.plan.batchSize);
  const targets = entries.map(find);
  /** In calls: what each would cost alone, nothing where it names no endpoint. */
  const costs = targets.map((target, index) =>
    target instanceof WhereaboutsError ? 0 : target.operation.callsOf(entries[index].params),
  );
  const wanted = costs.reduce<number>((sum, cost) => sum + cost, 0);
  const { granted } = await reserve(service, call, wanted);
  if (wanted > 0 && granted === 0) throw quotaExceeded(account, call.now);

  const answers: EntryAnswer[] = [];
  let left = granted;
  const context = new CallContext(service, call, profile, call.request.headers['accept-language']);
  const caller = callerOf(service, call);
  const held = holdAnswer(service, call, answers);
  /** Counts an entry's answer towards the memory limit until the batch is sent, before it is copied; beyond the limit, the entry fails. */
  const hold = (json: string | Buffer): EntryAnswer => {
    try {
      held.add(json.length);
    } catch (refusal) {
      call.refusal = refusal as WhereaboutsError;
      throw refusal;
    }
    // As a text it would stay in memory beside the bytes that are sent.
    const isShort = typeof json === 'string' && json.length < maxTextBytes;
    return { status: 200, json: isShort ? json : Buffer.from(json as string, 'latin1') };
  };
  const run = (index: number): Soon<EntryAnswer> => {
    const target = targets[index];
    const { params } = entries[index];
    if (target instanceof WhereaboutsError) throw target;
    const { operation, path } = target;
    checkEndpoint(account, operation.name);
    if ('variant' in params)
      throw invalidParameter('variant', 'variant is that of the whole batch; send it as a parameter of /v1/batch');
    const startedAt = performance.now();
    const parameters = Object.keys(path).length === 0 ? params : { ...params, ...path };
    return whenFound(
      () => {
        const { body } = execute(operation, { parameters }, context);
        if (body instanceof JsonBody && (params.format ?? 'json') === 'json')
          return hold(body.bytes(Math.round(performance.now() - startedAt)));
        const got = JSON.stringify(params.format).slice(0, 60);
        throw invalidParameter('format', `format is ${got}, but a batch returns JSON; send a separate request for it`);
      },
      fetchedFor(service, call, operation),
    );
  };
  const failed = (thrown: unknown): EntryAnswer => {
    const error = errorOf(service, call, thrown);
    const body = problemBody(error, call.requestId);
    return { status: error.status, json: bytesOf(JSON.stringify({ ...body, query_ms: queryMsOf(call) })) };
  };
  const { meter } = service.keys;
  const names: string[] = [];
  /** Entries are paid when the batch is whole: one whose answers are cut before costs nothing. */
  const entryMeter = {
    count: (_: Account, name: string) => void names.push(name),
    refund: (_: Account, calls: number) => void (left += calls),
  };
  // An explanation, which only this profile has, costs two calls.
  const isWorth = () => profile === 'default';
  const answerNext = (index: number): Soon<EntryAnswer> => {
    // What is refused costs its caller nothing, so that it may not cost us the work either.
    if (call.refusal) return failed(call.refusal);
    const cost = costs[index];
    const isPaid = cost <= left;
    left -= isPaid ? cost : 0;
    try {
      if (!isPaid) throw quotaExceeded(account, call.now);
      // What costs something is an endpoint.
      const nameOf = () => (targets[index] as Exclude<Target, WhereaboutsError>).operation.name;
      const answer =
        cost === 0 ? run(index) : payFor(entryMeter, call, { name: nameOf(), calls: cost, isWorth }, () => run(index));
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (thrown) {
      return failed(thrown);
    }
  };
  for (const [index, target] of targets.entries()) {
    if (hasGone(call)) break;
    const kind = target instanceof WhereaboutsError ? undefined : target.operation;
    const next = () => answerNext(index);
    const answer = call.refusal ? failed(call.refusal) : service.lanes.run(() => caller, next, kind);
    answers.push(answer instanceof Promise ? await answer : answer);
  }
  const cutBy = held.end();
  // An entry that costs two calls may have found only one left.
  const back = cutBy ? granted : left;
  if (back > 0) meter.refund(account, back, call.now);
  if (cutBy) throw cutBy;
  for (const name of names) meter.count(account, name);
  const whole = json(200, bodyOf(batchBody(answers, profile, queryMsOf(call))));
  const ignored = Object.keys(others);
  if (ignored.length > 0) whole.headers.push('X-Ignored-Parameters', ignoredHeader(ignored));
  return whole;
}

/** The body of a batch in parts, from the texts of its entries: parsing them again took as long as answering them. */
function batchBody(answers: readonly EntryAnswer[], profile: Profile, queryMs: number): (string | Buffer)[] {
  const parts: (string | Buffer)[] = [];
  let text = '{"results":[';
  let successful = 0;
  for (const [index, { status, json }] of answers.entries()) {
    text += `${index > 0 ? ',' : ''}{${profile === 'b' ? '' : `"index":${index},`}"status":${status},"${profile === 'b' ? 'body' : 'data'}":`;
    if (typeof json === 'string') text += json;
    else {
      parts.push(text, json);
      text = '';
    }
    text += '}';
    if (status === 200) successful++;
  }
  const total = answers.length;
  const sums = { total, successful, failed: total - successful };
  const others = { default: { ...sums, count: total }, a: sums, b: { count: total } }[profile];
  return [...parts, `${text}],${JSON.stringify({ ...others, query_ms: queryMs }).slice(1)}`];
}
