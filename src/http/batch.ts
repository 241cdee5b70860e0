/** POST /v1/batch: many requests in one, each answered as it would be alone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requireLayers } from '../endpoints/ask.ts';
import type { Profile } from '../endpoints/endpoint.ts';
import { invalidParameter, WhereaboutsError } from '../errors.ts';
import type { Account } from '../keys/meter.ts';
import { admit, checkEndpoint, isFree, quotaExceeded, reserve } from './access.ts';
import { CallContext, checkLoad, checkUrl, ignoredHeader } from './api.ts';
import { type BatchEntry, readBatch } from './batch-schema.ts';
import { beginCall, type Call, jsonType, noStore, queryMsOf, send, sendProblem } from './call.ts';
import type { createPathMatcher, Operation } from './operation.ts';
import { problemBody } from './problem.ts';
import { profileOf } from './profile.ts';
import { parseQuery } from './query-string.ts';
import { readJsonBody } from './request-body.ts';
import { currentStore, type Service } from './service.ts';

type Match = ReturnType<typeof createPathMatcher>;
type Target = ReturnType<Match> | WhereaboutsError;
type EntryAnswer = { status: number; body: string; isFree: boolean };

/** Answers one batch. `search` is the query string, where only `variant` means something. */
export async function answerBatch(
  service: Service,
  match: Match,
  request: IncomingMessage,
  response: ServerResponse,
  search: string,
): Promise<void> {
  const call = beginCall(service, request, response, 'batch');
  try {
    checkLoad(service);
    checkUrl(service, request);
    const account = admit(service, call, await reserve(service, call, 0), 'batch');
    const { variant, ...others } = parseQuery(search).query;
    const profile = profileOf(request.headers['x-api-variant'], variant, account.key.profile);
    const entries = readBatch(await readJsonBody(service, call), account.plan.batchSize);
    const targets = entries.map(({ endpoint }) => targetOf(match, endpoint));
    const costs = targets.map((target) => (isCounted(target) ? 1 : 0));
    const wanted = costs.reduce<number>((sum, cost) => sum + cost, 0);
    const { granted } = await reserve(service, call, wanted);
    if (wanted > 0 && granted === 0) throw quotaExceeded(account, call.now);

    const answers: EntryAnswer[] = [];
    let left = granted;
    let sliceEnd = performance.now() + service.limits.batchSliceMs;
    for (const [index, entry] of entries.entries()) {
      const isPaid = costs[index] <= left;
      left -= isPaid ? costs[index] : 0;
      const result = isPaid
        ? answerEntry(service, call, account, profile, targets[index], entry)
        : problem(service, call, quotaExceeded(account, call.now));
      if (isPaid && costs[index] > 0) {
        const { meter } = service.keys;
        if (result.isFree) meter.refund(account, 1, call.now);
        else meter.count(account, nameOf(targets[index]));
      }
      answers.push(result);
      if (performance.now() > sliceEnd) {
        await nextTurn();
        sliceEnd = performance.now() + service.limits.batchSliceMs;
      }
    }
    const headers = ['Content-Type', jsonType, ...noStore];
    const ignored = Object.keys(others);
    if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredHeader(ignored));
    send(service, call, 200, headers, writeBatch(answers, profile, queryMsOf(call)));
  } catch (error) {
    sendProblem(service, call, error);
  }
}

/** What an entry's path means: an operation, an error, or undefined for what does not exist. */
function targetOf(match: Match, endpoint: string): Target {
  const path = `/${endpoint.replace(/^\//, '').replace(/^v1\//, '').replace(/\/$/, '')}`;
  if (path === '/batch') {
    return new WhereaboutsError('invalid_parameter', 'endpoint is batch, and a batch cannot hold another batch', {
      errors: [{ parameter: 'endpoint', detail: 'endpoint is batch, and a batch cannot hold another batch' }],
    });
  }
  const found = match(path);
  if (!found) return undefined;
  try {
    for (const name in found.path) found.path[name] = decodeURIComponent(found.path[name]);
    return found;
  } catch {
    return undefined;
  }
}

const isCounted = (target: Target) => target === undefined || !('operation' in target) || target.operation.isCounted;

/** What an entry is counted as. */
const nameOf = (target: Target) => (target && 'operation' in target ? target.operation.name : 'batch');

function answerEntry(
  service: Service,
  call: Call,
  account: Account,
  profile: Profile,
  target: Target,
  { endpoint, params }: BatchEntry,
): EntryAnswer {
  try {
    if (target instanceof WhereaboutsError) throw target;
    if (!target) {
      const shown = JSON.stringify(endpoint.slice(0, 60));
      const hint = endpoint.includes('?')
        ? '; put what follows "?" into params'
        : '; /openapi.json lists the endpoints';
      throw new WhereaboutsError('not_found', `there is no endpoint ${shown}${hint}`);
    }
    const { operation, path } = target;
    checkEndpoint(account, operation.name);
    return {
      status: 200,
      isFree: false,
      body: run(service, call, account, profile, operation, { ...params, ...path }),
    };
  } catch (error) {
    return problem(service, call, error);
  }
}

function run(
  service: Service,
  call: Call,
  account: Account,
  profile: Profile,
  operation: Operation,
  params: Record<string, unknown>,
): string {
  const startedAt = performance.now();
  const store = currentStore(service);
  const isCountry = (iso2: string) => store.countries.get(iso2)?.isAssigned === true;
  const { parameters } = operation.read[profile](params, isCountry);
  requireLayers(operation.endpoint, store);
  const { format = 'json' } = parameters;
  if (format !== 'json') {
    throw invalidParameter('format', `format is ${format}, and a batch answers JSON; ask the endpoint itself for it`);
  }
  const found = operation.endpoint.handle(parameters as never, new CallContext(service, call, account, profile, store));
  return operation.serialiser(profile)(found, Math.round(performance.now() - startedAt));
}

function problem(service: Service, call: Call, thrown: unknown): EntryAnswer {
  let error: WhereaboutsError;
  if (thrown instanceof WhereaboutsError) error = thrown;
  else {
    service.log.error({ err: thrown, request_id: call.requestId }, 'an error of ours, in a batch');
    error = new WhereaboutsError(
      'internal',
      `an error on our side; name the request ${call.requestId} when you report it`,
    );
  }
  const body = problemBody(error, service.problemTypes, call.requestId, queryMsOf(call));
  return { status: error.status, isFree: isFree(thrown), body };
}

function writeBatch(answers: readonly EntryAnswer[], profile: Profile, queryMs: number): string {
  const results =
    profile === 'b'
      ? answers.map(({ status, body }) => `{"status":${status},"body":${body}}`)
      : answers.map(({ status, body }, index) => `{"index":${index},"status":${status},"data":${body}}`);
  const total = answers.length;
  const successful = answers.filter(({ status }) => status === 200).length;
  const sums = `"total":${total},"successful":${successful},"failed":${total - successful}`;
  const counts = { default: `${sums},"count":${total}`, a: sums, b: `"count":${total}` }[profile];
  return `{"results":[${results.join()}],${counts},"query_ms":${queryMs}}`;
}
