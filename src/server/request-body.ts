import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../core/ip/client-network.ts';
import { WhereaboutsError } from '../errors.ts';
import { addressOf, callerOf } from './access.ts';
import type { Call } from './call.ts';
import { checkJsonBounds } from './json-bounds.ts';
import type { Service } from './service.ts';

/** `expected`: what an empty body's sender reads that was expected; `maxValues`: see checkJsonBounds. */
type BodyOptions = { maxBytes?: number; maxValues?: number; expected?: string };

/**
 * Reads a JSON body. Throws `unsupported_media_type` unless it is uncompressed `application/json` in UTF-8,
 * `body_too_large` over `maxBytes`, `invalid_body` when it is not JSON or too intricate, and `rate_limited` or
 * `unavailable` where too much is held already. The rest of the body is left to the answer.
 */
export async function readJsonBody(
  service: Service,
  call: Call,
  { maxBytes = service.limits.bodyBytes, maxValues, expected = '{"requests": [...]}' }: BodyOptions = {},
): Promise<unknown> {
  checkType(call.request);
  const body = await readBytes(service, call, maxBytes);
  if (body.length === 0) throw new WhereaboutsError('invalid_body', `the body is empty, expected ${expected}`);
  if (body.length <= service.limits.smallBodyBytes) return parseJson(body);
  // Parsing takes milliseconds, so it is scheduled like other work.
  return service.turns.run(callerOf(service, call), () => {
    checkJsonBounds(body, maxValues);
    return parseJson(body);
  });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new WhereaboutsError('invalid_body', `the body is not JSON in UTF-8: ${(error as Error).message}`);
  }
}

/** Reads into one growing buffer, as a body may arrive in pieces of one byte; its size is reserved until the answer. */
function readBytes(service: Service, call: Call, maxBytes: number): Promise<Buffer> {
  const { request, response, account } = call;
  // Both, because one sender may have many keys, and many senders may share a key.
  const callers = [clientNetwork(addressOf(service, call)), ...(account ? [`key ${account.key.id}`] : [])];
  let held = Buffer.alloc(0);
  let bytes = 0;
  let booked = 0;
  response.once('close', () => service.bodies.release(callers, booked));

  function add(chunk: Buffer): void {
    const needed = bytes + chunk.length;
    if (needed > maxBytes) {
      throw new WhereaboutsError(
        'body_too_large',
        `the body has more than ${maxBytes} bytes; send fewer requests in one batch`,
      );
    }
    if (needed > held.length) {
      const grown = Math.min(maxBytes, Math.max(needed, 2 * held.length));
      // Small bodies are always accepted; the number of connections limits them.
      if (grown > service.limits.smallBodyBytes) {
        service.bodies.take(callers, grown - booked);
        booked = grown;
      }
      held = Buffer.concat([held], grown);
    }
    chunk.copy(held, bytes);
    bytes = needed;
  }

  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      try {
        add(chunk);
      } catch (error) {
        request.off('data', onData);
        reject(error);
      }
    };
    // The client disconnected, which is not our error: nobody reads this answer, and it is not logged.
    const onGone = () =>
      reject(new WhereaboutsError('malformed_request', 'the connection was closed before the whole body had arrived'));
    const onEnd = () => {
      // Every request closes: an error of which nobody hears took as long as three entries of a batch.
      request.off('close', onGone);
      resolve(held.subarray(0, bytes));
    };
    request.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone);
  });
}

function checkType({ headers }: IncomingMessage): void {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') {
    const got = type === '' ? 'no Content-Type was sent' : `the Content-Type is ${JSON.stringify(type.slice(0, 60))}`;
    throw new WhereaboutsError('unsupported_media_type', `${got}, expected application/json`);
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
}
