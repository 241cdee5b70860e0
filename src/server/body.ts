/** Bodies: which are read, how much of them, and how they are parsed, after a key was checked. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { invalidParameter, type UsageError, WhereaboutsError } from '../errors.ts';
import { callerOf } from './call.ts';
import {
  freeChunks,
  isTooFine,
  mayBeLarge,
  minMeanBytes,
  noteFlood,
  readBytesPerMs,
  sendContinue,
  smallBytes,
} from './connections.ts';
import type { Hold } from './fairness.ts';
import type { BodyRule, Call, Service } from './service.ts';

/** What a value takes once it is parsed: of objects whose names are indexes V8 makes 300 bytes for two. */
const bytesPerValue = 192;
/** Of a body: a hundred entries with thirty parameters each have fewer. */
const mostValues = 5_000;
/** Of a body that is not read yet a value is expected in so many: else each would be smaller than its like that are parsed. */
const bytesOfValue = 16;
const maxDepth = 32;
const formType = 'application/x-www-form-urlencoded';

/**
 * The hook before a body is read. Answers 415 unless it is uncompressed JSON in UTF-8 or a type that is streamed, 413 over the
 * rule's size. Only now does a client that waits for "100 Continue" get it.
 */
export const checkBody =
  (service: Service, { maxBytes, streamed, hasForms }: BodyRule): preParsingHookHandler =>
  ({ headers }, reply, payload, done) => {
    const type = checkType(headers, hasForms ? [formType] : streamed?.types);
    const most = streamed?.types.includes(type) ? streamed.maxBytes : maxBytes;
    if (Number(headers['content-length']) > most) throw tooLarge(most);
    if (headers.expect !== undefined && service.sendsContinue) sendContinue(reply.raw);
    done(null, payload);
  };

/** Has an instance read bodies as its routes say, whose types were checked before; nobody reads those of other routes. */
export function readBodies(app: FastifyInstance): void {
  const { whereabouts: service } = app;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async ({ call, headers }: FastifyRequest, payload: Readable) => {
    const { takes } = call.route!;
    if (!takes || takes.streamed) return takes && payload;
    return collect(service, call, payload, takes.maxBytes, (body, hold) => {
      if (typeOf(headers)[0] === formType) return Object.fromEntries(new URLSearchParams(body.toString()));
      if (body.length === 0) throw emptyBody(call);
      const parsedBytes = checkBounds(body) * bytesPerValue;
      if (body.length + parsedBytes > smallBytes) hold(parsedBytes);
      return parseJson(body);
    });
  });
}

/** What is left to do of a body that was read; parsing much takes milliseconds, so its handler has that done in its turn. */
export type ReadBody = () => unknown;

/**
 * Reads a body into one buffer of the announced length, or that grows with it: kept one by one, chunks of a byte would take a
 * hundred each. One that may be large is started in a turn of its caller, as reading it and collecting what that leaves takes longer than many
 * an answer. Resolves to the call of `read`, which counts by `hold` what it takes beside its bytes. Rejects as turns are refused, with 413 over
 * the rule's size, 400 where chunks are too small, 429 or 503 where too many bytes are held already: of an announced length, before any of it is
 * read. They count until the request is answered: where others need them later, `call.refusal` is set.
 */
async function collect(
  service: Service,
  call: Call,
  payload: Readable,
  maxBytes: number,
  read: (body: Buffer, hold: (bytes: number) => void) => unknown,
): Promise<ReadBody> {
  const holds: Hold[] = [];
  const hold = (bytes: number, cut: Hold['cut'], valueBytes = 0): Hold => {
    if (call.response.destroyed) throw interrupted();
    if (holds.length === 0) call.response.once('close', () => service.bodies.release(...holds));
    const held = service.bodies.take(callerOf(service, call), bytes, cut, bytes + valueBytes);
    holds.push(held);
    return held;
  };
  const refuse: Hold['cut'] = (refusal) => void (call.refusal = refusal);
  const holdParsed = (bytes: number) => void (hold(bytes, refuse).isInUse = true);
  let buffer = Buffer.alloc(0);
  let bytes = 0;
  let chunks = 0;
  const take = () => {
    const body = buffer.subarray(0, bytes);
    buffer = Buffer.alloc(0);
    return read(body, holdParsed);
  };
  // Node ends it by itself where the head announces none.
  if (payload.readableEnded) return take;
  const announced = Number(call.request.headers['content-length'] ?? 0);
  checkArrived(service, call, { bytes: announced, chunks, maxBytes });
  if (mayBeLarge(call.request)) {
    const caller = callerOf(service, call);
    const refusal = service.lanes.refusal(caller);
    if (refusal) throw refusal;
    await service.lanes.turn(caller);
    if (call.response.destroyed) throw interrupted();
  }
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      // Whether the rest is read is decided once that is answered.
      payload.off('data', add).off('end', whole).pause();
      buffer = Buffer.alloc(0);
      reject(error);
    };
    const grow = (size: number) => {
      if (size > smallBytes) {
        const more = size - (holds.length === 0 ? 0 : buffer.length);
        const values = Math.min(mostValues, size / bytesOfValue);
        hold(more, end, values * bytesPerValue);
        service.lanes.count(callerOf(service, call), more / readBytesPerMs);
      }
      const grown = Buffer.allocUnsafeSlow(size);
      buffer.copy(grown, 0, 0, bytes);
      buffer = grown;
    };
    const add = (chunk: Buffer) => {
      const least = bytes + chunk.length;
      chunks++;
      try {
        checkArrived(service, call, { bytes: least, chunks, maxBytes });
        if (least > buffer.length) grow(Math.min(maxBytes, Math.max(least, 2 * buffer.length)));
        bytes += chunk.copy(buffer, bytes);
      } catch (error) {
        end(error as Error);
      }
    };
    const whole = () => {
      for (const hold of holds) Object.assign(hold, { cut: refuse, isInUse: true });
      resolve(take);
    };
    // An exception rejects.
    grow(announced);
    payload
      .on('data', add)
      .once('error', () => end(interrupted()))
      .once('end', whole);
    payload.resume();
  });
}

/** The error of a body that is empty, or was not sent. */
export const emptyBody = ({ route }: Call) =>
  new WhereaboutsError('invalid_body', `the body is empty, expected ${route?.takes?.expected}`);

const tooLarge = (maxBytes: number) =>
  new WhereaboutsError('body_too_large', `the body has more than ${maxBytes} bytes; send fewer requests in one batch`);

/** The client disconnected, which is not our error: nobody reads this answer. */
export const interrupted = () =>
  new WhereaboutsError('malformed_request', 'the connection was closed before the whole body had arrived');

/** Throws 413 over a size, 400 where chunks are too small. */
export function checkArrived(
  service: Service,
  { request }: Call,
  { bytes, chunks, maxBytes }: Record<'bytes' | 'chunks' | 'maxBytes', number>,
): void {
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  if (!isTooFine(bytes, chunks)) return;
  noteFlood(service, request.socket);
  throw new WhereaboutsError(
    'malformed_request',
    `the body has more than ${freeChunks} chunks of less than ${minMeanBytes} bytes on average; send larger ones`,
  );
}

/** A text alone is refused: it would be read as an object with a name for each character. */
export function parseJson(body: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new WhereaboutsError('invalid_body', `the body is not JSON in UTF-8: ${(error as Error).message}`);
  }
  if (typeof value === 'string') throw refused('is a text, expected an object');
  return value;
}

/** The type that a head says, and its parameters. */
const typeOf = (headers: FastifyRequest['headers']) =>
  (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());

function checkType(headers: FastifyRequest['headers'], others: readonly string[] = []): string {
  const [type, ...parameters] = typeOf(headers);
  if (type !== 'application/json' && !others.includes(type)) {
    const got = type === '' ? 'no Content-Type was sent' : `the Content-Type is ${JSON.stringify(type.slice(0, 60))}`;
    throw new WhereaboutsError(
      'unsupported_media_type',
      `${got}, expected ${['application/json', ...others].join(' or ')}`,
    );
  }
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new WhereaboutsError('unsupported_media_type', `the charset is ${charset.slice(0, 60)}, expected utf-8`);
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new WhereaboutsError(
      'unsupported_media_type',
      `the Content-Encoding is ${encoding.slice(0, 60)}, expected an uncompressed body`,
    );
  }
  return type;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

/**
 * Counts the values of a text. Throws `invalid_body` if it is nested too deeply or has too many: parsing one of a megabyte can
 * take 0.5 s, this takes 2 ms. Does not check whether it is JSON.
 */
export function checkBounds(text: Uint8Array, maxValues = mostValues): number {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      for (at++; at < text.length && text[at] !== quote; at++) if (text[at] === backslash) at++;
    } else if (byte === comma) values++;
    // Brackets and braces.
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      depth++;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > maxDepth) throw refused(`nests deeper than ${maxDepth} levels`);
    if (values > maxValues)
      throw refused(`has more than ${maxValues} values; send fewer, for instance fewer entries at once`);
  }
  return values;
}

export const refused = (what: string) => invalidParameter('body', `the body ${what}`, 'invalid_body');

/** A wrong use of the command `geocode`, whose options are named as those of a body are, but for one. */
export const wrongUse = ({ message }: UsageError) =>
  new WhereaboutsError('invalid_body', message.replaceAll('--columns', 'map').replaceAll('--', ''));
