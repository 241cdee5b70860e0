/** POST /mcp: the endpoints as tools of the Model Context Protocol, with the keys and quotas of /v1 and no sessions. */
import { ask, type Operation } from '../../api/execute.ts';
import { WhereaboutsError } from '../../errors.ts';
import type { Leases } from '../../keys/leases.ts';
import type { Account } from '../../keys/meter.ts';
import { StreetsUnavailable, whenFound } from '../../store/store.ts';
import { checkEndpoint, payFor, quotaExceeded, reserve } from '../access.ts';
import { callerOf } from '../call.ts';
import { defaultLimits } from '../limits.ts';
import { answerOf, endpointOf, type Tool, toolsOf } from '../mcp/tools.ts';
import { fetchedFor } from '../route.ts';
import { bodyOf, hasGone, holdAnswer } from '../send.ts';
import type { Call, HttpAnswer, Route, Service } from '../service.ts';
import { CallContext } from './v1.ts';

/** The caller, passed through the SDK. */
type Caller = { call: Call; account: Account; meter: Pick<Leases, 'count' | 'refund'> };
type Reply = { status: number; type: string | null; bytes: Buffer };
/** Answers one message, sent with the headers that the protocol's code examines. */
type Handler = (headers: [string, string][], message: unknown, caller: Caller) => Promise<Reply>;
type Message = {
  jsonrpc?: unknown;
  method?: unknown;
  id?: unknown;
  params?: { name?: unknown; arguments?: unknown };
} | null;

/** Beside the arguments of a tool: a message has a dozen values, and what is wrong with each is named, also where no call is paid for. */
const maxFreeValues = 200;
/** Of the id, method and name in a message, characters. */
const maxNameLength = 256;

/** The route of the protocol, whose code is loaded with the first request: it takes a tenth of a start, and few use it. */
export function mcpRoute(service: Service, operations: readonly Operation[]): Route {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const tools = toolsOf(Object.fromEntries(operations.map(({ name, endpoint }) => [name, endpoint])));
  let loading: Promise<Handler> | undefined;
  /** What fails once, as where no descriptor is left, is tried again by the next message. */
  const forget = (error: unknown) => {
    loading = undefined;
    throw error;
  };

  async function handle(call: Call): Promise<HttpAnswer> {
    const { body } = call;
    const account = call.account!;
    checkSize(body, account);
    const answerOf = await (loading ??= loadHandler(service, byName, tools).catch(forget));
    const sent = Object.entries(call.request.headers) as [string, string][];
    const headers = sent.filter(([name]) => protocolHeader.test(name));
    const { meter } = service.keys;
    /** What is paid for when all replies are there: those that are cut or refused for their size before cost nothing. */
    const paid: string[] = [];
    const caller: Caller = {
      call,
      account,
      meter: { count: (_, name) => void paid.push(name), refund: (...given) => meter.refund(...given) },
    };
    const lane = callerOf(service, call);
    const replies: Reply[] = [];
    const held = holdAnswer(service, call, replies);
    // The SDK answers all of a list in one turn, and refuses what is no message: it gets none, also not one within another.
    const messages =
      Array.isArray(body) && body.length > 0 ? body.map((each) => (Array.isArray(each) ? {} : each)) : [body];
    try {
      for (const message of messages.every(isMessage) ? messages : [messages.find((each) => !isMessage(each))]) {
        if (call.refusal) throw call.refusal;
        if (hasGone(call)) break;
        const reply = await service.lanes.run(
          () => lane,
          () => answerOf(headers, message, caller),
        );
        held.add(reply.bytes.length);
        replies.push(reply);
      }
      const refusal = held.end();
      if (refusal) throw refusal;
    } catch (error) {
      meter.refund(account, paid.length, call.now);
      throw error;
    }
    for (const name of paid) meter.count(account, name);
    // Notifications have an empty one.
    const refused = replies.find(({ status }) => status >= 400);
    const [first = { status: 202, type: null, bytes: undefined }, ...others] = refused
      ? [refused]
      : replies.filter(({ bytes }) => bytes.length > 0);
    const { status, type, bytes } = first;
    return {
      status,
      headers: [...(type === null ? [] : ['Content-Type', type]), 'Cache-Control', 'no-store'],
      body: bytes && bodyOf([bytes, ...others.map(({ bytes }) => bytes)]),
    };
  }
  return {
    name: 'mcp',
    method: 'POST',
    path: '/mcp',
    access: { keyIn: 'bearer' },
    takes: { maxBytes: service.limits.bodyBytes, expected: 'a message of JSON-RPC' },
    handle,
  };
}

/** Whether it is a request, a notification or a response. */
const isMessage = (message: Message): boolean =>
  message?.jsonrpc === '2.0' && (typeof message.method === 'string' || 'result' in message || 'error' in message);

async function loadHandler(
  service: Service,
  operations: ReadonlyMap<string, Operation>,
  tools: readonly Tool[],
): Promise<Handler> {
  const { createMcpHandler, createMcpServer } = await import('../mcp/server.ts');

  /** Takes one call from the quota. Throws `quota_exceeded`. */
  async function take({ call, account }: Caller): Promise<void> {
    if ((await reserve(service, call, 1)).granted === 0) throw quotaExceeded(account, call.now);
  }

  /** Answers one tool as its endpoint would; it costs one call as there, also where another endpoint helps out. */
  async function run(caller: Caller, tool: string, args: Record<string, unknown>): Promise<object> {
    const { call, account, meter } = caller;
    const name = endpointOf(tool)!;
    checkEndpoint(account, name);
    await take(caller);
    const context = new CallContext(service, call, 'default');
    const { endpoints } = account.key;
    const isOpen = (endpoint: string) => endpoint === name || !endpoints || endpoints.includes(endpoint);
    const find = () => {
      call.isIncomplete = false;
      const answer = answerOf(tool, args, (endpoint, parameters) =>
        isOpen(endpoint) ? ask(operations.get(endpoint)!, parameters, context) : { results: [] },
      );
      // A model does not see the header that says so.
      if (call.isIncomplete) throw new StreetsUnavailable('the answer would lack them', 1);
      return answer;
    };
    const inTurn = () =>
      service.lanes.run(
        () => callerOf(service, call),
        () => whenFound(find, fetchedFor(service, call, tool)),
        tool,
      );
    return payFor(meter, call, { name, calls: 1 }, inTurn);
  }

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo!.extra as Caller;
      const { endpoints } = caller.account.key;
      return createMcpServer({
        version: service.version,
        tools: endpoints ? tools.filter(({ name }) => endpoints.includes(endpointOf(name)!)) : tools,
        async beforeList() {
          await take(caller);
          caller.meter.count(caller.account, 'mcp');
        },
        call: (name, args) => run(caller, name, args),
        onBug: (error) =>
          service.log.error({ err: error, request_id: caller.call.requestId }, 'internal error, in MCP'),
      });
    },
    // A dataset has no changes to listen for, so no answer is a stream that stays open.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  );
  return async (headers, message, caller) => {
    // The address means nothing.
    const answer = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers }), {
      parsedBody: message,
      authInfo: { token: '', clientId: String(caller.account.key.id), scopes: [], extra: caller },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, type: answer.headers.get('content-type'), bytes };
  };
}

/**
 * Older versions of the protocol allow several messages in one request: no more of them than a batch has entries, and
 * but for calls of tools, which are paid for, one of each kind.
 */
function checkSize(body: unknown, { plan }: Account): void {
  const refuse = (what: string, expected: string) => {
    throw new WhereaboutsError('invalid_body', `the body has ${what}, at most ${expected}; send fewer`);
  };
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  if (messages.length > plan.batchSize) refuse(`${messages.length} messages`, `${plan.batchSize} are allowed`);
  const seen = new Set<string>();
  for (const message of messages) {
    // What is not known is named in the error, more than once.
    const names = [message?.id, message?.method, message?.params?.name];
    if (names.some((name) => typeof name === 'string' && name.length > maxNameLength))
      refuse('an id, method or name that is too long', `${maxNameLength} characters are allowed`);
    const given = message?.params?.arguments ?? {};
    // Of a text, a key would be made for each character.
    const argumentCount = typeof given === 'string' ? given.length : Object.keys(given).length;
    if (argumentCount > defaultLimits.parameters)
      refuse(`${argumentCount} arguments`, `${defaultLimits.parameters} are allowed`);
    if (Array.isArray(message)) continue;
    const method = message?.method;
    const values = countValues(message) - (method === 'tools/call' ? countValues(given) : 0);
    if (values > maxFreeValues)
      refuse(`a message of ${values} values`, `${maxFreeValues} are allowed beside the arguments of a tool`);
    // What names no method the protocol's code refuses.
    if (typeof method !== 'string' || method === 'tools/call') continue;
    if (seen.has(method)) refuse(`several messages ${JSON.stringify(method.slice(0, 60))}`, 'one is allowed');
    seen.add(method);
  }
}

/** The values within a value, its own lists and objects included. */
const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1)
    : 1;

/** Headers that the protocol has; others, which may hold secrets, go no further. */
const protocolHeader =
  /^(?:accept|content-type|last-event-id|mcp-(?:protocol-version|method|name|session-id|param-[\w-]+))$/;
