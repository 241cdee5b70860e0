/** How answers leave: the same headers on each, compressed where the client wants it, counted and logged. */
import { Readable } from 'node:stream';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, onSendHookHandler } from 'fastify';
import type { JsonText } from '../api/answer-body.ts';
import { listsTag } from '../api/caching.ts';
import type { WhereaboutsError } from '../errors.ts';
import type { Leases } from '../keys/leases.ts';
import { type Account, secondsToNextDay } from '../keys/meter.ts';
import { callerOf, queryMsOf } from './call.ts';
import { leavesUnread } from './connections.ts';
import type { Caller, Hold } from './fairness.ts';
import { Asset, type Call, type ContentEncoding, compress, type HttpAnswer, type Service } from './service.ts';

const encodings: ContentEncoding[] = ['br', 'gzip'];

const exposed =
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Parameters, X-Incomplete, X-RateLimit-Limit, ' +
  'X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

/** Longer bodies are bytes: Node copies a text that its client does not take at once, and V8 keeps it meanwhile. */
export const maxTextBytes = 32_768;

/** Bodies of fewer bytes are sent as they are. */
const minBytesToCompress = 1024;
/** Most bodies that are compressed at once: in all threads of the pool they would leave the main one a part of a core. Others are sent as they are. */
const maxCompressions = 2;
/** Most bytes of one alone, and of one beside another. */
const maxBytesToCompress = 6_291_456;
const maxBytesBeside = 1_048_576;
/** What compression takes, which is its caller's time. */
const compressedBytesPerMs = 30_000;

/** Brotli's and gzip's cost about the same time on our JSON; more would cost more than it saves. */
const levels: Record<ContentEncoding, number> = { br: 4, gzip: 6 };

/** Sends a handler's answer. `query_ms` of an object is the time until now. */
export function sendAnswer(
  call: Call,
  reply: FastifyReply,
  { status, headers, body }: HttpAnswer,
): FastifyReply | Promise<FastifyReply> {
  reply.code(status);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at], headers[at + 1]);
  if (body === undefined) return reply.send();
  if (body instanceof Asset) {
    // In memory once for everybody.
    call.held = 0;
    const encoding = encodingFor(call, body.bytes.length);
    if (encoding === undefined) return reply.send(body.bytes);
    return body.encodedAs(encoding).then((bytes) => reply.header('content-encoding', encoding).send(bytes));
  }
  if (body instanceof Readable) return reply.send(body);
  // As bytes, as Fastify adds a charset to texts.
  if (typeof body === 'string' || Buffer.isBuffer(body)) return reply.send(asBytes(body));
  if (isJsonText(body)) {
    // A character for each byte of the text in UTF-8.
    const bytes = body.bytes(queryMsOf(call));
    // A text goes out with its head in one write, which costs less than two but for long ones.
    if (typeof bytes === 'string' && bytes.length < maxTextBytes && Buffer.byteLength(bytes) === bytes.length)
      return reply.send(bytes);
    // Also a copy of an outline's bytes, over which the next is written.
    const buffer = Buffer.from(bytes as string, 'latin1');
    return reply.send(bytes.length < maxTextBytes ? buffer.toString() : buffer);
  }
  body.query_ms = queryMsOf(call);
  const text = JSON.stringify(body);
  return reply.send(text.length < maxTextBytes ? text : Buffer.from(text));
}

const asBytes = (payload: unknown): Buffer => (Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string));

/** A body of several parts, texts with a character for each byte; they follow each other where they are too many to be compressed, and are in memory once. */
export function bodyOf(parts: readonly (string | Buffer)[]): Buffer | Readable {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part));
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  return length > maxBytesToCompress ? Readable.from(bytes) : Buffer.concat(bytes, length);
}

const isJsonText = (body: JsonText | Record<string, unknown>): body is JsonText =>
  typeof (body as JsonText).bytes === 'function';

/** Answers with an asset, or 304 where the client has it; clients ask each time, so that a new version shows at once. */
export function assetAnswer(
  { request }: Call,
  asset: Asset,
  { status = 200, headers = [] }: { status?: number; headers?: readonly string[] } = {},
): HttpAnswer {
  const { type, tag } = asset;
  const known = request.headers['if-none-match'];
  const isKnown = status === 200 && known !== undefined && (known.trim() === '*' || listsTag(known, tag));
  const own = ['Content-Type', type, 'ETag', tag, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding', ...headers];
  return { status: isKnown ? 304 : status, headers: own, body: isKnown ? undefined : asset };
}

/**
 * Has the bytes of a large answer counted until its client has taken them, and closes the connection where it takes them too slowly;
 * answers 429 or 503 where there are too many.
 */
export const holdLarge =
  (service: Service): onSendHookHandler =>
  ({ call }, reply, payload, done) => {
    const { takenBytesPerSecond, requestTimeoutMs } = service.limits;
    const { response } = call;
    const length = lengthOf(payload);
    if (call.held === undefined && length >= takenBytesPerSecond) holdAnswer(service, call).add(length);
    const bytes = Number(reply.getHeader('content-length') ?? call.held ?? 0);
    if (bytes >= takenBytesPerSecond && !response.destroyed) {
      const ms = requestTimeoutMs + (bytes / takenBytesPerSecond) * 1000;
      const timer = setTimeout(() => response.destroy(), ms).unref();
      response.once('close', () => clearTimeout(timer));
    }
    done(null, payload);
  };

/**
 * Counts bytes of a call's answer for its caller until it is sent. `add` throws `rate_limited` or `unavailable` if too many are
 * counted already, and counts nothing for a client that has disconnected. Where others need the room, or it is sent, the parts that
 * are not sent yet are let go. In the first case its connection ends; but where it has parts that are not all there, what is not
 * done yet is refused instead, and `end` returns the refusal: a proxy would ask again where nothing of an answer was sent.
 */
export function holdAnswer({ answers, ...service }: Service, call: Call, parts?: unknown[]) {
  const { response } = call;
  const names: Caller = callerOf(service as Service, call);
  const holds: Hold[] = [];
  let isWhole = parts === undefined;
  let cutBy: WhereaboutsError | undefined;
  call.held = 0;
  const drop = () => {
    answers.release(...holds);
    if (parts) parts.length = 0;
  };
  response.once('close', drop);
  const cut: Hold['cut'] = (refusal) => {
    drop();
    if (isWhole) response.destroy();
    else call.refusal = cutBy = refusal;
  };
  return {
    add(bytes: number): void {
      if (response.destroyed) return;
      holds.push(answers.take(names, bytes, cut));
      call.held! += bytes;
    },
    /** Says that all parts are there. */
    end(): WhereaboutsError | undefined {
      isWhole = true;
      return cutBy;
    },
  };
}

const askedFor = new WeakMap<Call['response'], number>();

/**
 * Whether the client of an answer of many parts, each of which asks, has gone. One that closes ends its side of the connection, as
 * one does that still reads: only a second thing that is sent to it tells them apart. It is sent one at the 1st, 2nd, 4th, 8th part.
 */
export function hasGone({ request, response }: Call): boolean {
  // Behind other answers it would get between the head and the body of this one.
  if (request.socket.readableEnded && request.httpVersion === '1.1' && response.socket) {
    const times = (askedFor.get(response) ?? 0) + 1;
    askedFor.set(response, times);
    if ((times & (times - 1)) === 0) response.writeProcessing();
  }
  return response.destroyed;
}

/** Sets the headers that every answer has. */
export const commonHeaders =
  (service: Service): onSendHookHandler =>
  ({ call }, reply, payload, done) => {
    const { request, account } = call;
    reply
      .header('access-control-allow-origin', '*')
      .header('x-content-type-options', 'nosniff')
      .header('x-request-id', call.requestId);
    // Browsers send the origin whenever they read the answer.
    if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', exposed);
    if (account) rateLimitHeaders(service.keys.meter, account, call.now, reply);
    const isLast = service.isClosing || service.store.isStopping;
    // A request for another protocol ends the connection, as node:http drops what has arrived behind it.
    if (isLast || request.headers.upgrade !== undefined || leavesUnread(service, request))
      reply.header('connection', 'close');
    // Fastify closes after a body that is too large, and Node after one that came before it was asked for. Closed with bytes
    // unread, the connection would be reset, and answers on their way be lost (RFC 9112, 9.6): dropUnread has the rest read.
    else if (!/\bclose\b/i.test(request.headers.connection ?? '')) {
      if (reply.hasHeader('connection') || (request.complete && request.headers.expect !== undefined))
        reply.header('connection', 'keep-alive');
    }
    done(null, payload);
  };

/**
 * Compresses an answer on the thread pool, so that others are served meanwhile. No answer waits for
 * the compression of another.
 */
export const compressed = (service: Service): onSendHookHandler => {
  let count = 0;
  return ({ call }, reply, payload, done) => {
    const bytes = lengthOf(payload);
    const encoding =
      reply.hasHeader('content-encoding') || reply.statusCode === 206 ? undefined : encodingFor(call, bytes);
    const isTooMuch = count >= maxCompressions || bytes > (count > 0 ? maxBytesBeside : maxBytesToCompress);
    if (encoding === undefined || isTooMuch) return done(null, payload);
    count++;
    service.lanes.count(callerOf(service, call), bytes / compressedBytesPerMs);
    const settled = (error: Error | undefined, body: unknown) => {
      count--;
      if (!error) reply.header('content-encoding', encoding);
      done(null, body);
    };
    compress(asBytes(payload), encoding, levels[encoding]).then(
      (body) => settled(undefined, body),
      (error) => settled(error, payload),
    );
  };
};

/** The encoding that a client wants for a body. */
function encodingFor({ request }: Call, bytes: number): ContentEncoding | undefined {
  const wanted = request.headers['accept-encoding'];
  if (wanted === undefined || bytes < minBytesToCompress) return undefined;
  return (negotiate(String(wanted).toLowerCase(), encodings) as ContentEncoding | null) ?? undefined;
}

const lengthOf = (payload: unknown): number =>
  typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0;

/** Counts and logs an answer as it is sent. */
export const recorded =
  (service: Service): onSendHookHandler =>
  ({ call }, reply, payload, done) => {
    // A part of a batch, or of what a drop-in asks, may be so.
    if (call.isIncomplete)
      reply.headers({ 'x-incomplete': 'streets', 'cache-control': 'no-store' }).removeHeader('etag');
    service.record(call, reply.statusCode, performance.now() - call.startedAt);
    done(null, payload);
  };

/**
 * Sets the headers with the remaining quota of a key: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (policies `day` and `burst`), and the older `X-RateLimit-*` for the day.
 */
function rateLimitHeaders(meter: Leases, account: Account, now: number, reply: FastifyReply): void {
  const { plan } = account;
  const left = `${Math.max(0, plan.callsPerDay - meter.used(account, now))}`;
  const reset = `${secondsToNextDay(now)}`;
  const tokens = Math.floor(account.tokens);
  const refill = Math.ceil((plan.burst - account.tokens) / plan.callsPerSecond);
  const window = Math.max(1, Math.ceil(plan.burst / plan.callsPerSecond));
  reply
    .header('ratelimit-policy', `"day";q=${plan.callsPerDay};w=86400, "burst";q=${plan.burst};w=${window}`)
    .header('ratelimit', `"day";r=${left};t=${reset}, "burst";r=${tokens};t=${refill}`)
    .header('x-ratelimit-limit', `${plan.callsPerDay}`)
    .header('x-ratelimit-remaining', left)
    .header('x-ratelimit-reset', reset);
}
