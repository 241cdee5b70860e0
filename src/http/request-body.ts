import type { IncomingMessage } from 'node:http';
import { WhereaboutsError } from '../errors.ts';

/** A body over the limit is read and dropped up to this many bytes, so that its sender gets to read the answer. */
const mostDropped = 16 * 1024 * 1024;

/**
 * Reads a JSON body. Throws `unsupported_media_type` unless it is uncompressed `application/json` in UTF-8,
 * `body_too_large` over the limit, `invalid_body` when it is no JSON; `expected` says there what was.
 */
export async function readJsonBody(
  request: IncomingMessage,
  mostBytes: number,
  expected = '{"requests": [...]}',
): Promise<unknown> {
  checkType(request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else if (bytes > mostDropped) break;
    }
  } catch (error) {
    // The sender went away, which is no error of ours: nobody reads this answer, and it is not logged.
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
    throw new WhereaboutsError('malformed_request', 'the connection was closed before the whole body had come');
  }
  if (bytes > mostBytes) {
    throw new WhereaboutsError(
      'body_too_large',
      `the body has more than ${mostBytes} bytes; send less, such as fewer requests in one batch`,
    );
  }
  if (bytes === 0) throw new WhereaboutsError('invalid_body', `the body is empty, expected ${expected}`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    throw new WhereaboutsError('invalid_body', `the body is not JSON in UTF-8: ${(error as Error).message}`);
  }
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
