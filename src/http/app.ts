/** Puts the service together: routes, limits, and what happens to requests that match none. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { endpoints } from '../endpoints/index.ts';
import { WhereaboutsError } from '../errors.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { parseNetwork } from '../keys/networks.ts';
import { admit, reserve } from './access.ts';
import { addAccountRoutes } from './account.ts';
import { answer, checkUrl } from './api.ts';
import { answerBatch } from './batch.ts';
import { createBodyBudget } from './body-budget.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { beginCall, send, sendProblem } from './call.ts';
import { createClientAddress } from './client-address.ts';
import { guardConnections } from './connections.ts';
import { dateLines, keepAliveLines } from './head.ts';
import { createLimitedServer } from './limited-server.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createMcp } from './mcp.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { openRoutes } from './open-routes.ts';
import { createOperation, createPathMatcher, type Operation } from './operation.ts';
import { missingPage, wantsPage } from './portal.ts';
import { createRequestIds } from './request-id.ts';
import { createRequestLog } from './request-log.ts';
import type { Service, StoreHolder } from './service.ts';
import type { SignUpOptions } from './sign-up.ts';
import { usageEndpoint } from './usage.ts';

export type AppOptions = {
  store: StoreHolder;
  keys: KeyStore;
  /** Version of the program. */
  version: string;
  /** Addresses or CIDR networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[];
  /** Address that an error's code is put behind to give its `type`; our own page by default. */
  problemTypes?: string;
  /** How long a client may keep an answer that depends on the data only, seconds. */
  maxAgeSeconds?: number;
  limits?: Partial<Limits>;
  /** How people may sign up; not at all by default. */
  signUp?: SignUpOptions;
  /** Told of each answer as it is sent, with the time it took. */
  record?: Service['record'];
  /** Whether each answer is logged, and whether with the client's address. */
  logRequests?: { withAddresses: boolean };
  /** Refuses requests when there are too many. */
  load?: Service['load'];
  /** Epoch milliseconds. */
  now?: () => number;
  logger?: FastifyServerOptions['logger'];
};

const allowedGet = 'GET, HEAD, OPTIONS';
const allowedPost = 'POST, OPTIONS';
const corsHeaders = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, OPTIONS',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, X-API-Key, X-API-Variant, ' +
    'X-Request-Id',
  'Access-Control-Max-Age',
  '86400',
];

/** Makes the application; it does not listen yet. Throws when an option is wrong, naming it. */
export function createApp(options: AppOptions): FastifyInstance {
  const limits = { ...defaultLimits, ...options.limits };
  const { trustedProxies = [] } = options;
  let routed: RequestListener;
  const lines = oneAtATime(
    (request, response) => direct(request, response) || routed(request, response),
    limits.pipelinedRequests,
  );
  const app = Fastify({
    logger: options.logger ?? false,
    logController: new LogController({ disableRequestLogging: true }),
    // The service logs by itself and names the request; a logger for each request would be made in vain.
    childLoggerFactory: (logger) => logger,
    exposeHeadRoutes: false,
    // Requests that arrive on open connections while we stop are still answered.
    return503OnClosing: false,
    serverFactory: (listener) => {
      routed = listener;
      const server = createLimitedServer(limits, lines.listener);
      guardConnections(server, limits, trustedProxies.map(parseNetwork));
      return server;
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: limits.urlLength,
      // The query is read by the operation, which tells repeated and undecodable parameters apart.
      querystringParser: (text: string) => ({ text }),
    },
    clientErrorHandler: (error, socket) =>
      lines.afterAnswers(socket, () => answerBrokenRequest(error, socket, service.problemTypes, limits)),
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      sendProblem(service, beginCall(service, request.raw, reply.raw), frameworkError(error, request.raw));
    },
  });
  const service: Service = {
    store: options.store,
    keys: options.keys,
    limits,
    bodies: createBodyBudget(limits),
    version: options.version,
    problemTypes: options.problemTypes ?? '/docs/errors/',
    maxAgeSeconds: options.maxAgeSeconds ?? 3600,
    dateLine: dateLines(),
    keepAliveLines: keepAliveLines(limits.keepAliveMs),
    now: options.now ?? Date.now,
    clientAddress: createClientAddress(trustedProxies),
    nextRequestId: createRequestIds(),
    log: app.log,
    record: options.record,
    load: options.load,
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
  app.addHook('preClose', (done) => {
    service.isClosing = true;
    done();
  });

  // Bodies are read by the batch alone, once its key is known.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const operations: Operation[] = [
    ...Object.entries(endpoints).map(([name, endpoint]) => createOperation(name, endpoint, true)),
    createOperation('usage', usageEndpoint(service), false),
  ];
  for (const operation of operations) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/v1${operation.endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      handler(request, reply) {
        reply.hijack();
        const search = (request.query as { text: string }).text ?? '';
        answer(service, operation, request.raw, reply.raw, request.params as Record<string, string>, search);
      },
    });
  }
  const match = createPathMatcher(operations);

  /**
   * Answers what is plainly a question to an endpoint without the framework's router, request and reply, which were
   * 7% of a cheap request. Gives false for everything else, and the routes below decide.
   */
  function direct(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/v1/')) return false;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url.slice(3) : url.slice(3, mark);
    const found = path.includes('%') || url.includes('#') ? undefined : match(path);
    if (!found) return false;
    answer(service, found.operation, request, response, found.path, mark < 0 ? '' : url.slice(mark + 1));
    return true;
  }

  app.post('/v1/batch', (request, reply) => {
    reply.hijack();
    answerBatch(service, match, request.raw, reply.raw, (request.query as { text: string }).text ?? '');
  });

  const mcp = createMcp(service, operations);
  app.post('/mcp', (request, reply) => {
    reply.hijack();
    mcp(request.raw, reply.raw);
  });

  const open = openRoutes(service, operations);
  for (const [url, handler] of Object.entries(open)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler(request, reply) {
        reply.hijack();
        const call = beginCall(service, request.raw, reply.raw);
        try {
          checkUrl(service, request.raw);
          handler(call);
        } catch (error) {
          sendProblem(service, call, error);
        }
      },
    });
  }

  const account = addAccountRoutes(app, service, options.signUp ?? { mode: 'closed' });

  /** The methods of a path, undefined when there is no such path. */
  const allowed = (path: string) => {
    const bare = path.length > 1 ? path.replace(/\/$/, '') : path;
    if (bare === '/v1/batch' || bare === '/mcp') return allowedPost;
    if (Object.hasOwn(account, bare)) return account[bare];
    return Object.hasOwn(open, bare) || (bare.startsWith('/v1/') && match(bare.slice(3))) ? allowedGet : undefined;
  };
  const pathOf = (request: IncomingMessage) => request.url!.split('?', 1)[0];

  app.options('*', (request, reply) => {
    reply.hijack();
    const call = beginCall(service, request.raw, reply.raw);
    send(service, call, 204, ['Allow', allowed(pathOf(request.raw)) ?? allowedGet, ...corsHeaders], undefined);
  });

  const missing = missingPage(service);
  /** Answers a request for which there is no route: no such path, or not with this method. */
  async function refuse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = beginCall(service, request, response);
    const path = pathOf(request);
    const methods = allowed(path);
    try {
      checkUrl(service, request);
      if (path.startsWith('/v1/')) admit(service, call, await reserve(service, call, 0), undefined);
      if (methods) {
        throw new WhereaboutsError('method_not_allowed', `${request.method} is not for ${path}; use ${methods}`);
      }
      if (!path.startsWith('/v1/') && wantsPage(request)) {
        missing(call);
        return;
      }
      const shown = JSON.stringify(path.slice(0, 100));
      throw new WhereaboutsError('not_found', `there is no path ${shown}; /openapi.json lists those there are`);
    } catch (error) {
      sendProblem(service, call, error, methods ? ['Allow', methods] : []);
    }
  }

  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    refuse(request.raw, reply.raw);
  });

  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    // Raised before routing ends, for QUERY alone, which no path has.
    if ((error as { code?: string }).code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') refuse(request.raw, reply.raw);
    else sendProblem(service, beginCall(service, request.raw, reply.raw), frameworkError(error, request.raw));
  });
  return app;
}

/** What the framework found wrong, in our own words. */
function frameworkError(error: unknown, request: IncomingMessage): unknown {
  switch ((error as { code?: string }).code) {
    case 'FST_ERR_BAD_URL': {
      const shown = JSON.stringify(request.url!.slice(0, 100));
      return new WhereaboutsError('malformed_request', `the path ${shown} is not percent-encoded UTF-8`);
    }
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new WhereaboutsError('uri_too_long', 'a part of the path is too long');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return new WhereaboutsError('unsupported_media_type', 'the Content-Type is not a media type');
    default:
      return error;
  }
}
