/** POST /mcp: the endpoints as tools of the Model Context Protocol, with the keys and quotas of /v1 and no sessions. */
import type { IncomingMessage } from 'node:http';
import { ask } from '../api/execute.ts';
import type { Operation } from '../api/operation.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Account } from '../keys/meter.ts';
import { endpointOf, parametersOf, shortened, type Tool, toolsOf } from '../mcp/tools.ts';
import { whenFound } from '../store/deferred.ts';
import { admit, callerOf, charge, checkEndpoint, checkLoad, quotaExceeded, reserve } from './access.ts';
import { maxParameters } from './batch-schema.ts';
import type { Call } from './call.ts';
import { CallContext } from './endpoint-route.ts';
import { readJsonBody } from './request-body.ts';
import type { HttpAnswer, Route } from './route.ts';
import type { Service } from './service.ts';

/** Who calls, on its way through the protocol's own code. `last`: settled when the tools asked for so far are answered. */
type Caller = { call: Call; account: Account; last: Promise<unknown> };
type Handler = (request: Request, body: unknown, caller: Caller) => Promise<Response>;

/** The route of the protocol, whose code is loaded with the first request. */
export function mcpRoute(service: Service, operations: readonly Operation[]): Route {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const tools = toolsOf(Object.fromEntries(operations.map(({ name, endpoint }) => [name, endpoint])));
  let loading: Promise<Handler> | undefined;

  async function handle(call: Call): Promise<HttpAnswer> {
    checkLoad(call);
    takeBearer(call.request);
    const account = admit(service, call, await reserve(service, call, 0), undefined);
    const body = await readJsonBody(service, call);
    checkSize(body, account);
    const answerOf = await (loading ??= loadHandler(service, byName, tools));
    const caller = { call, account, last: Promise.resolve() };
    const answer = await service.turns.run(callerOf(service, call), () =>
      answerOf(webRequest(call.request), body, caller),
    );
    const type = answer.headers.get('content-type');
    const text = await answer.text();
    return {
      status: answer.status,
      headers: [...(type === null ? [] : ['Content-Type', type]), 'Cache-Control', 'no-store'],
      body: text === '' ? undefined : text,
    };
  }
  return { name: 'mcp', method: 'POST', path: '/mcp', handle };
}

async function loadHandler(
  service: Service,
  operations: ReadonlyMap<string, Operation>,
  tools: readonly Tool[],
): Promise<Handler> {
  const { createMcpHandler, createMcpServer } = await import('../mcp/server.ts');
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo!.extra as Caller;
      const { endpoints } = caller.account.key;
      return createMcpServer({
        version: service.version,
        tools: endpoints ? tools.filter(({ name }) => endpoints.includes(endpointOf(name)!)) : tools,
        beforeList: async () => {
          await pay(service, caller);
          service.keys.meter.count(caller.account, 'mcp');
        },
        call: async (name, args) =>
          shortened(
            await inOrder(caller, () =>
              run(service, operations.get(endpointOf(name)!)!, caller, parametersOf(name, args)),
            ),
          ),
        onBug: (error) =>
          service.log.error({ err: error, request_id: caller.call.requestId }, 'an error of ours, in MCP'),
      });
    },
    // A dataset has no changes to listen for, so no answer is a stream that stays open.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  );
  return (request, body, caller) =>
    handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: '', clientId: String(caller.account.key.id), scopes: [], extra: caller },
    });
}

/** Runs a tool after those before it: the protocol's code would start all messages of a request at once. */
function inOrder<T>(caller: Caller, run: () => Promise<T>): Promise<T> {
  const answer = caller.last.then(run);
  caller.last = answer.catch(() => {});
  return answer;
}

/** Takes one call from the quota. Throws `quota_exceeded`. */
async function pay(service: Service, { call, account }: Caller): Promise<void> {
  if ((await reserve(service, call, 1)).granted === 0) throw quotaExceeded(account, call.now);
}

/** Answers one tool as its endpoint would; it costs one call as there. */
async function run(
  service: Service,
  operation: Operation,
  caller: Caller,
  raw: Record<string, unknown>,
): Promise<object> {
  const { call, account } = caller;
  checkEndpoint(account, operation.name);
  await pay(service, caller);
  const context = new CallContext(service, call, account, 'default');
  const cost = { account, now: call.now, name: operation.name, calls: 1 };
  return service.turns.run(callerOf(service, call), () =>
    charge(service, cost, () => whenFound(() => ask(operation, raw, context))),
  );
}

/** Many programs that speak the protocol can send a key only as `Authorization: Bearer`. */
function takeBearer({ headers }: IncomingMessage): void {
  if (headers['x-api-key'] !== undefined) return;
  const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined) headers['x-api-key'] = token;
}

/**
 * Older versions of the protocol allow several messages in one request: no more of them than a batch has entries, and
 * but for calls of tools, which are paid for and take turns, one of each kind.
 */
function checkSize(body: unknown, { plan }: Account): void {
  const refuse = (what: string, expected: string) => {
    throw new WhereaboutsError('invalid_body', `the body has ${what}, at most ${expected}; send them one by one`);
  };
  for (const message of Array.isArray(body) ? body : [body]) {
    const names = Object.keys(message?.params?.arguments ?? {}).length;
    if (names > maxParameters) refuse(`${names} arguments`, `${maxParameters} are taken`);
  }
  if (!Array.isArray(body)) return;
  if (body.length > plan.batchSize) refuse(`${body.length} messages`, `${plan.batchSize} are taken`);
  const seen = new Set<unknown>();
  for (const message of body) {
    const method = message?.method;
    if (method === 'tools/call') continue;
    if (seen.has(method)) refuse(`several messages ${JSON.stringify(method)?.slice(0, 60)}`, 'one is taken');
    seen.add(method);
  }
}

/** What the protocol's code looks at; the address in it means nothing. */
function webRequest({ headers }: IncomingMessage): Request {
  const named = Object.entries(headers).filter(([name]) =>
    /^(accept|content-type|last-event-id|mcp-[\w-]+)$/.test(name),
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: named as [string, string][] });
}
