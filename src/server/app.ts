/** Composes the service: hooks in their order, then a plugin for each face. */
import type { Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { parseNetwork } from '../core/ip/address.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { boundRequests, checkKey, fairTurns, settle } from './access.ts';
import { readBodies } from './body.ts';
import { addressOf, createRequestIds } from './call.ts';
import {
  afterArrivals,
  boundPipelines,
  checkHead,
  dropUnread,
  guardConnections,
  onceBroken,
  smallBytes,
} from './connections.ts';
import { createFaces, type FaceName, type FaceOptions, faceNames } from './faces/index.ts';
import { heldBytes, recentUse, sharedTime } from './fairness.ts';
import { type JobOptions, jobRunner } from './jobs/runner.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { places } from './places.ts';
import { answerBrokenRequest, loggedPath, sendProblem } from './problem.ts';
import { face } from './route.ts';
import { commonHeaders, compressed, holdLarge, recorded } from './send.ts';
import { type Call, type Service, type StoreHolder, startCall } from './service.ts';
import { answerUnrouted, routedUrl } from './unrouted.ts';

// An `import` would load what is never used, as listeners.ts says.
const { createServer } = process.getBuiltinModule('node:http');

/** Rounds of look-ups at other machines at a time, and waiting for that. */
const maxLookUps = 16;
const maxWaitingLookUps = 256;

export type AppOptions = FaceOptions & {
  store: StoreHolder;
  keys: KeyStore;
  /** Version of the program. */
  version: string;
  /** The faces that are served; all of them by default. */
  faces?: readonly FaceName[];
  /** Where jobs are kept; none by default. */
  jobs?: JobOptions;
  /** Addresses or CIDR networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[];
  limits?: Partial<Limits>;
  /** Called for each answer as it is sent, with the time it took. */
  record?(
    call: Pick<Call, 'endpoint' | 'profile'> & Partial<Pick<Call, 'account' | 'isIncomplete'>>,
    status: number,
    ms: number,
  ): void;
  /** Whether each answer is logged, and whether with the client's address. */
  logRequests?: { withAddresses: boolean };
  /** Epoch milliseconds. */
  now?: () => number;
  /** Minimum level of the log, and its destination; nothing is logged by default. */
  logger?: { level: string; stream?: { write(line: string): void } };
};

/** Makes the application; it does not listen yet. Throws or, when it is made ready, rejects where an option is wrong. */
export function createApp(options: AppOptions): FastifyInstance {
  const service = createService(options);
  const { limits } = service;
  const httpOptions = {
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs / 4, 2_500),
    // Answered with a problem document, by checkHead.
    requireHostHeader: false,
    // Each chunk counts as its bytes, also one of a byte, which takes a hundred: fewer are kept until the body is read.
    highWaterMark: smallBytes,
    // GET has no body to wait for.
    optimizeEmptyRequests: true,
  };
  const app: FastifyInstance = fastify({
    bodyLimit: limits.bodyBytes,
    serverFactory: (handle) => createServer(httpOptions, boundRequests(service, handle)),
    routerOptions: {
      ignoreTrailingSlash: true,
      // What is longer than a URL may be is answered by checkHead.
      maxParamLength: limits.headerBytes,
      // Parameters are read by the endpoints, which detect repeated and undecodable ones.
      querystringParser: () => noQuery,
    },
    rewriteUrl: routedUrl,
    // None is known that gets here, before the hooks: its connection ends.
    frameworkErrors: (_error, { raw }) => void raw.socket.destroy(),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // The error itself has a copy of what was read.
    clientErrorHandler: ({ code, message }, socket) =>
      onceBroken(socket, () => answerBrokenRequest(service, { code, message }, socket)),
  });
  const { server } = app;
  server.setTimeout(limits.stalledMs);
  server.requestTimeout = limits.requestTimeoutMs;
  server.maxHeadersCount = limits.headerCount;
  // A client that half-closes the connection after its requests still gets their answers.
  (server as Server & { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  // Node would send 100 to whom a key is refused, and answer 417 by itself; an unknown expectation may be ignored (RFC 9110, 10.1.1).
  service.sendsContinue = true;
  for (const expectation of ['checkContinue', 'checkExpectation']) {
    server.on(expectation, (request, response) => server.emit('request', request, response));
  }
  guardConnections(server, service);
  app.decorate('whereabouts', service);
  app.register(whereabouts, options);
  return app;
}

const noQuery = {};

/** The service, or the faces of it that are chosen, as a plugin of any Fastify application; see docs/http.md. */
export async function whereabouts(app: FastifyInstance, options: AppOptions): Promise<void> {
  if (!app.hasDecorator('whereabouts')) app.decorate('whereabouts', createService(options));
  const service = app.whereabouts;
  app.decorateRequest('call');
  readBodies(app);

  app.addHook('onRequest', (request, reply, done) => {
    request.call = startCall(service, request, reply);
    done();
  });
  app.addHook('onRequest', boundPipelines(service));
  app.addHook('onRequest', dropUnread(service));
  app.addHook('onRequest', fairTurns(service));
  // Behind its turn, as to refuse costs too.
  app.addHook('onRequest', checkHead(service));
  app.addHook('onRequest', answerUnrouted(app));
  app.addHook('onRequest', checkKey(service));

  app.addHook('onSend', holdLarge(service));
  app.addHook('onSend', settle(service));
  app.addHook('onSend', commonHeaders(service));
  app.addHook('onSend', recorded(service));
  app.addHook('onSend', compressed(service));

  app.addHook('preClose', (done) => {
    service.isClosing = true;
    done();
  });
  app.setErrorHandler((error, { call }, reply) => sendProblem(service, call, reply, error));
  app.setNotFoundHandler(() => {});

  service.jobs = options.jobs && jobRunner(service, options.jobs);
  app.addHook('onReady', async () => service.jobs?.start());
  app.addHook('onClose', async () => service.jobs?.close());
  const faces = createFaces(service, options);
  for (const name of options.faces ?? faceNames) app.register(face(faces[name]));
}

/** What the parts of the service share. */
function createService(options: AppOptions): Service {
  const limits = { ...defaultLimits, ...options.limits };
  const { trustedProxies = [], logger, record, logRequests } = options;
  const lanes = sharedTime(limits, { nextTurn: (run) => afterArrivals(service, run) });
  const service: Service = {
    store: options.store,
    keys: options.keys,
    limits,
    lanes,
    lookUps: places(maxLookUps, lanes.shareOf, maxWaitingLookUps),
    floods: recentUse(),
    bodies: heldBytes('bodies', { all: limits.heldBodyBytes, each: limits.heldBodyBytesPerCaller }, lanes.shareOf),
    answers: heldBytes(
      'answers',
      { all: limits.heldAnswerBytes, each: limits.heldAnswerBytesPerCaller },
      lanes.shareOf,
    ),
    version: options.version,
    now: options.now ?? Date.now,
    proxies: trustedProxies.map(parseNetwork),
    nextRequestId: createRequestIds(),
    log: logger?.stream ? pino({ level: logger.level }, logger.stream) : pino({ level: logger?.level ?? 'silent' }),
    // Neither the key nor the query is logged, as both are personal data; the client's address only where it is requested.
    record(call, status, ms) {
      record?.(call, status, ms);
      if (!logRequests) return;
      const { method, url = '' } = call.request;
      service.log.info(
        {
          request_id: call.requestId,
          method,
          path: loggedPath(url),
          endpoint: call.endpoint,
          status,
          ms: Math.round(ms * 1000) / 1000,
          key_id: call.account?.key.id,
          ...(logRequests.withAddresses ? { address: addressOf(service, call) } : {}),
        },
        'answered',
      );
    },
    recordBroken(status, requestId, address) {
      record?.({ endpoint: 'other', profile: 'default' }, status, 0);
      if (!logRequests) return;
      const from = logRequests.withAddresses ? { address } : {};
      service.log.info({ request_id: requestId, endpoint: 'other', status, ...from }, 'answered');
    },
    arrived: 0,
    refused: 0,
    connections: 0,
    accepted: 0,
    sendsContinue: false,
    isClosing: false,
  };
  return service;
}
