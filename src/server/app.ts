/** Composes the service: its routes and limits. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pino } from 'pino';
import { withFormat } from '../api/format.ts';
import { createOperation } from '../api/operation.ts';
import { endpoints } from '../endpoints/index.ts';
import { WhereaboutsError } from '../errors.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { parseNetwork } from '../keys/networks.ts';
import { callerOf } from './access.ts';
import { createBodyBudget } from './body-budget.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { type Call, startCall } from './call.ts';
import { createClientAddress, createIsProxy } from './client-address.ts';
import { createCompressor } from './compressor.ts';
import { guardConnections } from './connections.ts';
import { accountActions } from './faces/account.ts';
import { adminActions } from './faces/admin.ts';
import { batchAction } from './faces/batch.ts';
import { dropInRoutes } from './faces/drop-in.ts';
import { mcpRoute } from './faces/mcp.ts';
import { describeApi } from './faces/openapi.ts';
import type { BaseMapOptions } from './faces/portal/base-map.ts';
import { portalRoutes } from './faces/portal.ts';
import type { SignUpOptions } from './faces/sign-up.ts';
import { serviceActions } from './faces/status.ts';
import { tileActions, versionedTiles } from './faces/tiles.ts';
import { usageEndpoint } from './faces/usage.ts';
import { endpointRoute } from './faces/v1.ts';
import { createSendWhole } from './head.ts';
import { watchLateRequests } from './late-requests.ts';
import { defaultLimits, type Limits, serverOptions } from './limits.ts';
import { type ListenAt, listenOn } from './listen.ts';
import type { Metrics } from './metrics.ts';
import { createServer } from './node-http.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { readInRounds } from './reading.ts';
import { createRequestIds } from './request-id.ts';
import { createRequestLog, logBrokenRequest } from './request-log.ts';
import type { HttpAnswer, Route } from './route.ts';
import { createRouter } from './router.ts';
import type { Log, Service, StoreHolder } from './service.ts';
import { createTurns } from './turns.ts';
import { answerUnrouted } from './unrouted.ts';
import { write, writeProblem } from './write.ts';

export type AppOptions = {
  store: StoreHolder;
  keys: KeyStore;
  /** Version of the program. */
  version: string;
  /** Addresses or CIDR networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[];
  /** Base URL to which an error's code is appended as its `type`; our own page by default. */
  problemTypes?: string;
  /** Cache lifetime of answers that depend only on the data, seconds. */
  maxAgeSeconds?: number;
  limits?: Partial<Limits>;
  /** How people may sign up; not at all by default. */
  signUp?: SignUpOptions;
  /** Base map of the explorer, if not the service's own. */
  baseMap?: BaseMapOptions;
  /** Called for each answer as it is sent, with the time it took. */
  record?: Metrics['record'];
  /** Whether each answer is logged, and whether with the client's address. */
  logRequests?: { withAddresses: boolean };
  /** Epoch milliseconds. */
  now?: () => number;
  /** Minimum level of the log, and its destination; nothing is logged by default. */
  logger?: { level: string; stream?: { write(line: string): void } };
};

export type App = {
  readonly server: Server;
  readonly log: Log;
  /** Number of waiting requests, and the share of requests since the last call that were refused, 0 to 1. */
  load(): { waiting: number; refusedPart: number };
  /** Connections that are open. */
  readonly connections: number;
  /** Begins to listen. Rejects when it cannot. */
  listen(at: ListenAt): Promise<void>;
  /** Takes no more connections, and resolves when the requests in progress are answered. */
  close(): Promise<void>;
};

/** Makes the application; it does not listen yet. Throws when an option is wrong, naming it. */
export function createApp(options: AppOptions): App {
  const { trustedProxies = [] } = options;
  const service = createService(options);
  const { limits, turns } = service;
  const router = createRouter(routesOf(service, options), limits.urlLength);
  const unrouted = answerUnrouted(service, router);

  let requests = 0;
  let refused = 0;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const call = startCall(service, request, response, 'other', {}, '');
    requests++;
    if (turns.isFree()) {
      handle(call);
      turns.spend(performance.now() - call.startedAt);
      return;
    }
    const caller = callerOf(service, call);
    call.refusal = turns.refusal(caller);
    if (call.refusal !== undefined) refused++;
    // Refused requests wait in a separate lane, so that they are not delayed by the load for which they are refused.
    const lane = call.refusal === undefined ? caller : { network: caller.network, key: `refused at ${caller.network}` };
    turns.wait(lane, () => {
      if (!response.destroyed) handle(call);
    });
  }

  function handle(call: Call): void {
    const { method = '', url = '' } = call.request;
    try {
      checkHost(call.request);
      const found = url.length > limits.urlLength ? undefined : router.find(method, url);
      if (found) {
        call.endpoint = found.route.name;
        call.path = found.path;
        call.search = found.search;
      }
      const answered = found ? found.route.handle(call) : unrouted(call);
      if (answered instanceof Promise) {
        // Sending an answer takes time too, so it is scheduled like the request.
        const send = (later: HttpAnswer) => turns.run(callerOf(service, call), () => write(service, call, later));
        answered.then(send).catch((error) => writeProblem(service, call, error));
      } else write(service, call, answered);
    } catch (error) {
      writeProblem(service, call, error);
    }
  }

  const exempt = trustedProxies.map(parseNetwork);
  const server = createServer(serverOptions(limits));
  server.maxHeadersCount = limits.headerCount;
  // A client that half-closes the connection after its requests still gets their answers.
  (server as Server & { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  const lines = oneAtATime(answer, limits, exempt, (socket) => guard.closing(socket));
  const rounds = readInRounds(turns, limits);
  const isRead = (socket: Socket) => !socket.isPaused() && !rounds.isHeld(socket);
  const guard = guardConnections(server, limits, exempt, {
    answering: lines.isAnswering,
    busy: (socket) => lines.isAnswering(socket) || !isRead(socket),
  });
  let closeAll = (done: () => void): void => void server.close(done);
  server.on('request', lines.listener);
  // Node would answer 417 by itself, past every limit; an unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', lines.listener);
  server.on('connection', (socket) => {
    lines.guard(socket, (error) => abandon(socket, error));
    rounds.add(socket);
  });
  const abandon = (socket: Socket, error: Error) =>
    lines.afterAnswers(socket, () => {
      const { remoteAddress } = socket;
      const answered = answerBrokenRequest(error, socket, service.problemTypes, limits, rounds.end);
      if (!answered) return;
      options.record?.({ endpoint: 'other', profile: 'default' }, answered.status, 0);
      if (options.logRequests)
        logBrokenRequest(service.log, answered, options.logRequests.withAddresses, remoteAddress);
    });
  const watch = watchLateRequests(limits, lines.latest, isRead, abandon);
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') watch(socket);
    else abandon(socket, error);
  });
  return {
    server,
    log: service.log,
    load() {
      const refusedPart = requests === 0 ? 0 : refused / requests;
      requests = refused = 0;
      return { waiting: turns.waiting, refusedPart };
    },
    get connections() {
      return guard.count;
    },
    async listen(at) {
      closeAll = await listenOn(server, at, (address) => {
        turns.connected();
        // A service that stops ends each connection with its answer, so that clients have to connect for each request.
        return guard.refuses(address, service.store.isStopping === true);
      });
    },
    close: () =>
      new Promise((resolve) => {
        service.isClosing = true;
        closeAll(resolve);
      }),
  };
}

/** What the parts of an application share. */
function createService(options: AppOptions): Service {
  const limits = { ...defaultLimits, ...options.limits };
  const { trustedProxies = [], logger } = options;
  const service: Service = {
    store: options.store,
    keys: options.keys,
    limits,
    bodies: createBodyBudget(limits),
    answers: createBodyBudget({
      heldBodyBytes: limits.heldAnswerBytes,
      heldBodyBytesPerCaller: limits.heldAnswerBytesPerCaller,
    }),
    version: options.version,
    problemTypes: options.problemTypes ?? '/docs/errors/',
    cacheControl: `private, max-age=${options.maxAgeSeconds ?? 3600}`,
    compress: createCompressor(),
    sendWhole: createSendWhole(limits.keepAliveMs),
    now: options.now ?? Date.now,
    clientAddress: createClientAddress(trustedProxies),
    isProxy: createIsProxy(trustedProxies),
    nextRequestId: createRequestIds(),
    log: logger?.stream ? pino({ level: logger.level }, logger.stream) : pino({ level: logger?.level ?? 'silent' }),
    record: options.record,
    turns: createTurns(limits),
    isClosing: false,
  };
  if (options.logRequests) {
    const { record } = service;
    const log = createRequestLog(service, options.logRequests.withAddresses);
    service.record = (call, status, ms) => {
      record?.(call, status, ms);
      log(call, status, ms);
    };
  }
  return service;
}

/** Throws `malformed_request` unless a request names its host once (RFC 9112, 3.2); those of HTTP/1.0 need none. */
function checkHost({ rawHeaders, httpVersionMinor }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at].length === 4 && rawHeaders[at].toLowerCase() === 'host') hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return;
  throw new WhereaboutsError('malformed_request', `the request has ${hosts} Host headers, expected one`);
}

/** Everything that is served. */
function routesOf(service: Service, options: AppOptions): Route[] {
  const { signUp = { mode: 'closed' }, baseMap = { style: '', archive: '', origins: [] } } = options;
  const counted = Object.entries(endpoints).map(([name, endpoint]) => createOperation(name, withFormat(endpoint)));
  const usage = createOperation('usage', usageEndpoint(service));
  const served = [
    ...counted.map((operation) => ({ operation, isCounted: true })),
    { operation: usage, isCounted: false },
  ];
  const inBatch = served.map(({ operation, isCounted }) => ({
    ...endpointRoute(service, operation, isCounted),
    operation,
    isCounted,
  }));
  const batchRouter = createRouter(inBatch, service.limits.urlLength);
  const tiles = tileActions(service);
  const actions = [
    batchAction(service, (path) => {
      const found = batchRouter.find('GET', path);
      return found && { ...(found.route as (typeof inBatch)[number]), path: found.path };
    }),
    ...serviceActions(service),
    ...tiles,
    ...accountActions(service, signUp),
    ...adminActions(service),
  ];
  const api = describeApi(served, actions, service.version);
  return [
    ...inBatch,
    ...actions,
    mcpRoute(service, counted),
    ...dropInRoutes(service, counted),
    ...versionedTiles(tiles),
    ...portalRoutes(service, api, served, actions, baseMap),
  ];
}
