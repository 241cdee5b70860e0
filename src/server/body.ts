/** Bodies: which are read, how much of them, and how they are parsed. Fastify reads them, after a key was checked. */
import type { FastifyInstance, preParsingHookHandler } from 'fastify';
import { WhereaboutsError } from '../errors.ts';
import { type Call, callerOf } from './call.ts';
import { sendContinue } from './connections.ts';
import type { Hold } from './held.ts';
import type { Service } from './service.ts';

/** What a route takes: `expected` is what the sender of an empty body reads. */
export type BodyRule = {
  maxBytes: number;
  expected: string;
  /** Maximum number of values of the JSON; 20,000 by default: a hundred entries with a hundred parameters each are fewer. */
  maxValues?: number;
  /** Types besides JSON whose bodies the handler gets as streams; it counts the bytes of those without a length. */
  streamed?: { types: string[]; maxBytes: number };
};

/** Bodies up to this size are not counted, so that small ones always pass; bytes. */
const smallBytes = 8_192;
const maxDepth = 32;
/** This many chunks of a body may have any length; behind them they need this many bytes on average. */
const freeChunks = 512;
const minMeanBytes = 16;

/**
 * The hook before a body is read. Answers 415 unless it is uncompressed JSON in UTF-8, 413 over the rule's size, 429 or 503
 * where too many bytes are held already. Only now does a client that waits for "100 Continue" get it.
 */
export const checkBody =
  (service: Service, { maxBytes, streamed }: BodyRule): preParsingHookHandler =>
  (request, reply, payload, done) => {
    const { call, headers } = request;
    const type = checkType(headers, streamed?.types);
    const isStreamed = streamed?.types.includes(type) ?? false;
    const most = isStreamed ? streamed!.maxBytes : maxBytes;
    if (Number(headers['content-length']) > most) throw tooLarge(most);
    if (headers.expect !== undefined && service.sendsContinue) sendContinue(reply.raw);
    if (isStreamed) return done(null, payload);
    const names = callerOf(service, call);
    let bytes = 0;
    let chunks = 0;
    let booked = 0;
    const holds: Hold[] = [];
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks++;
      try {
        if (chunks > freeChunks && bytes < chunks * minMeanBytes) throw tooFine();
        if (bytes <= smallBytes || bytes <= booked) return;
        const more = Math.min(maxBytes, Math.max(bytes, 2 * booked)) - booked;
        if (holds.length === 0) reply.raw.once('close', () => service.bodies.releaseAll(holds));
        holds.push(service.bodies.take(names, more, () => void reply.send(crowdedOut())));
        booked += more;
      } catch (error) {
        payload.off('data', count);
        reply.send(error);
      }
    };
    payload.on('data', count);
    done(null, payload);
  };

/** Has an instance read JSON as its routes say, and nothing else. */
export function readJson(app: FastifyInstance): void {
  const { lanes } = app.whereabouts;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { call } = request;
    // DELETE may come with a body, which nobody reads.
    if (!call.route!.takes) return done(null, undefined);
    const { maxValues } = call.route!.takes;
    const parse = () => {
      if (body.length === 0) throw emptyBody(call);
      if (body.length > smallBytes) checkBounds(body, maxValues);
      return parseJson(body);
    };
    try {
      // Parsing much takes milliseconds, so it is scheduled like other work.
      const parsed = body.length <= smallBytes ? parse() : lanes.run(() => callerOf(app.whereabouts, call), parse);
      if (parsed instanceof Promise) parsed.then((value) => done(null, value), done);
      else done(null, parsed);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Has an instance hand on bodies of some types as they arrive. */
export function readStreams(app: FastifyInstance, types: string[]): void {
  app.addContentTypeParser(types, (_request, body, done) => done(null, body));
}

/** The error of a body that is empty, or was not sent. */
export const emptyBody = ({ route }: Call) =>
  new WhereaboutsError('invalid_body', `the body is empty, expected ${route?.takes?.expected}`);

export const tooLarge = (maxBytes: number | undefined) =>
  new WhereaboutsError('body_too_large', `the body has more than ${maxBytes} bytes; send fewer requests in one batch`);

const crowdedOut = () =>
  new WhereaboutsError('unavailable', 'the bodies of all concurrent requests are too large; try again in a moment', {
    retryAfterSeconds: 1,
  });

const tooFine = () =>
  new WhereaboutsError(
    'malformed_request',
    `the body has more than ${freeChunks} chunks of less than ${minMeanBytes} bytes on average; send larger ones`,
  );

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new WhereaboutsError('invalid_body', `the body is not JSON in UTF-8: ${(error as Error).message}`);
  }
}

function checkType(headers: Call['request']['headers'], others: readonly string[] = []): string {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
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
 * Throws `invalid_body` if a text is nested too deeply or has too many values: parsing one of a megabyte can take 0.5 s,
 * this takes 2 ms. Does not check whether it is JSON.
 */
function checkBounds(text: Uint8Array, maxValues = 20_000): void {
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
}

const refused = (what: string) => new WhereaboutsError('invalid_body', `the body ${what}`);
