/** Bodies: which are read, how much of them, and how they are parsed, after a key was checked. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { WhereaboutsError } from '../errors.ts';
import { callerOf } from './call.ts';
import { sendContinue } from './connections.ts';
import type { Hold } from './fairness.ts';
import type { BodyRule, Call, Service } from './service.ts';

/** Bodies up to this size are not counted, so that small ones always pass; bytes. */
const smallBytes = 8_192;
/** Most bytes of a body that nobody reads. */
const maxUnreadBytes = 1_024;
const maxDepth = 32;
const formType = 'application/x-www-form-urlencoded';
/** This many chunks of a body may have any length; behind them they need this many bytes on average. */
const freeChunks = 512;
const minMeanBytes = 16;

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

/** Has an instance read JSON as its routes say, and nothing else. */
export function readJson(app: FastifyInstance): void {
  const { whereabouts: service } = app;
  app.removeAllContentTypeParsers();
  // Where a route takes a body other types were refused before; elsewhere nobody reads it.
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.addContentTypeParser('application/json', async ({ call }: FastifyRequest, payload: Readable) => {
    const { takes } = call.route!;
    const body = await collect(service, call, payload, takes?.maxBytes ?? maxUnreadBytes);
    // DELETE may come with a body, which nobody reads.
    if (!takes) return undefined;
    if (body.length === 0) throw emptyBody(call);
    if (body.length <= smallBytes && !takes.hasTable) return parseJson(body);
    // Parsing much takes milliseconds, so it is scheduled like other work.
    return service.lanes.run(
      () => callerOf(service, call),
      () => {
        const { text, ...table } = takes.hasTable ? cutTable(body) : { text: body };
        checkBounds(text, takes.maxValues);
        const parsed = parseJson(text);
        return Object.keys(table).length > 0 ? { ...(parsed as object), ...table } : parsed;
      },
    );
  });
}

/**
 * Reads a body into one buffer that grows with it: kept one by one, chunks of a byte would take a hundred each. Rejects
 * with 413 over the rule's size, 400 where chunks are too small, 429 or 503 where too many bytes are held already.
 */
function collect(service: Service, call: Call, payload: Readable, maxBytes: number): Promise<Buffer> {
  const holds: Hold[] = [];
  let buffer = Buffer.alloc(0);
  let bytes = 0;
  let chunks = 0;
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      // The rest flows on, to nobody.
      payload.off('data', add);
      buffer = Buffer.alloc(0);
      reject(error);
    };
    const add = (chunk: Buffer) => {
      const from = bytes;
      bytes += chunk.length;
      chunks++;
      try {
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        if (chunks > freeChunks && bytes < chunks * minMeanBytes) throw tooFine();
        if (bytes > buffer.length) {
          const size = Math.min(maxBytes, Math.max(bytes, 2 * buffer.length));
          if (size > smallBytes) {
            if (holds.length === 0) call.response.once('close', () => service.bodies.releaseAll(holds));
            const booked = holds.length === 0 ? 0 : buffer.length;
            holds.push(service.bodies.take(callerOf(service, call), size - booked, () => end(crowdedOut())));
          }
          const grown = Buffer.allocUnsafeSlow(size);
          buffer.copy(grown, 0, 0, from);
          buffer = grown;
        }
        chunk.copy(buffer, from);
      } catch (error) {
        end(error as Error);
      }
    };
    payload
      .on('data', add)
      .once('error', () => end(interrupted()))
      .once('end', () => resolve(buffer.subarray(0, bytes)));
    payload.resume();
  });
}

/** Has an instance read forms as objects, where its routes take them. */
export function readForms(app: FastifyInstance): void {
  const { whereabouts: service } = app;
  app.addContentTypeParser(formType, async ({ call }: FastifyRequest, payload: Readable) => {
    const { takes } = call.route!;
    if (!takes?.hasForms) return undefined;
    const body = await collect(service, call, payload, takes.maxBytes);
    return Object.fromEntries(new URLSearchParams(body.toString()));
  });
}

/** Has an instance hand on bodies of some types as they arrive. */
export function readStreams(app: FastifyInstance, types: string[]): void {
  app.addContentTypeParser(types, (_request, body, done) => done(null, body));
}

/** The error of a body that is empty, or was not sent. */
const emptyBody = ({ route }: Call) =>
  new WhereaboutsError('invalid_body', `the body is empty, expected ${route?.takes?.expected}`);

const tooLarge = (maxBytes: number) =>
  new WhereaboutsError('body_too_large', `the body has more than ${maxBytes} bytes; send fewer requests in one batch`);

const crowdedOut = () =>
  new WhereaboutsError('unavailable', 'the bodies of all concurrent requests are too large; try again in a moment', {
    retryAfterSeconds: 1,
  });

/** The client disconnected, which is not our error: nobody reads this answer. */
export const interrupted = () =>
  new WhereaboutsError('malformed_request', 'the connection was closed before the whole body had arrived');

const tooFine = () =>
  new WhereaboutsError(
    'malformed_request',
    `the body has more than ${freeChunks} chunks of less than ${minMeanBytes} bytes on average; send larger ones`,
  );

/** A text alone is refused: it would be read as an object with a name for each character. */
function parseJson(body: Buffer): unknown {
  const value = parseValue(body);
  if (typeof value === 'string') throw refused('is a text, expected an object');
  return value;
}

function parseValue(text: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
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

const [quote, backslash, comma, newline, carriageReturn] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d];
/** Most bytes of a body besides its table, and of a name there that is looked at, each of whose characters may be an escape. */
const maxOtherBytes = 131_072;
const maxNameBytes = 32;

/**
 * What an object has as its array `rows`, an element a line, or as its text `csv`, as it stands between the quotes, and the rest of
 * the body: parsing all of 8 MB takes more than a second if each row has names of its own. Does not check whether it is JSON.
 */
function cutTable(body: Buffer): { text: Buffer; rows?: Buffer; csv?: Buffer } {
  const tooMuch = () => refused(`has more than ${maxOtherBytes} bytes besides rows and csv; send less`);
  const without = (start: number, end: number) => {
    const text = start < end ? Buffer.concat([body.subarray(0, start), body.subarray(end)]) : body;
    if (text.length <= maxOtherBytes) return { text };
    throw tooMuch();
  };
  let depth = 0;
  let name: string | undefined;
  /** Where the array begins, and the element in it. */
  let [start, from] = [-1, 0];
  for (let at = 0; at < body.length; at++) {
    if (start < 0 && at > maxOtherBytes) throw tooMuch();
    const byte = body[at];
    if (byte === quote) {
      const opened = at + 1;
      for (at++; at < body.length && body[at] !== quote; at++) {
        if (body[at] === backslash) at++;
        else if (body[at] === newline) body[at] = carriageReturn;
      }
      if (depth !== 1) continue;
      if (name === 'csv') return { ...without(opened, at), csv: body.subarray(opened, at) };
      name = at - opened > maxNameBytes ? '' : plain(body.toString('latin1', opened, at));
    } else if (byte === newline) {
      // Both are blanks outside of strings, and neither may stand in one.
      body[at] = carriageReturn;
    } else if (byte === comma) {
      if (depth === 1) name = undefined;
      // Of two commas the second stays, so that the row that is missing is no row rather than none.
      if (start < 0 || depth !== 2 || at === from) continue;
      body[at] = newline;
      from = at + 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (depth === 1 && byte === 0x5b && name === 'rows') start = from = at + 1;
      depth++;
    } else if (byte === 0x5d || byte === 0x7d) {
      if (--depth === 1 && start >= 0) return { ...without(start, at), rows: body.subarray(start, at) };
    }
  }
  return without(0, 0);
}

/** A name whose letters may be written as escapes. */
const plain = (name: string) =>
  name.replace(/\\u(00[0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** The text of a string of JSON in pieces of about so many bytes, as it stands between the quotes. Throws `invalid_body`. */
export function* unescaped(text: Buffer, bytes: number): Generator<Buffer> {
  for (let from = 0, at = 0; from < text.length; from = at) {
    // Only one second half: escapes may be nothing else.
    while (at < text.length && (at - from < bytes || (at - from < bytes + escapeBytes && isSecondHalf(text, at)))) {
      at += text[at] !== backslash ? 1 : text[at + 1] === 0x75 ? escapeBytes : 2;
    }
    yield Buffer.from(parseValue(Buffer.concat([quotes, text.subarray(from, at), quotes])) as string);
  }
}

const quotes = Buffer.from('"');
/** Bytes of `\u0416`; a character in UTF-8 has fewer. */
const escapeBytes = 6;

/** Whether a character began before: in UTF-8, or as the first of two escapes. */
const isSecondHalf = (text: Buffer, at: number) =>
  (text[at] & 0xc0) === 0x80 || (text[at] === backslash && /^.ud[c-f]/i.test(text.toString('latin1', at, at + 4)));

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

const refused = (what: string) => {
  const detail = `the body ${what}`;
  return new WhereaboutsError('invalid_body', detail, { errors: [{ parameter: 'body', detail }] });
};
