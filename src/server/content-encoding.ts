/** Compression of answers: which encoding a client wants, and the encoding itself. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type ContentEncoding = 'br' | 'gzip';

/** Bodies of fewer bytes are sent as they are. */
export const minBytesToCompress = 1024;

// Brotli's quality 4 and gzip's level 6 cost about the same time on our JSON; more would cost more than it saves.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressWith = {
  br: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
};

/** Compresses on the thread pool, so that other requests are served meanwhile; see compressor.ts. */
export function compress(body: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  return compressWith[encoding](body);
}

/**
 * The supported encoding that an `Accept-Encoding` header prefers, brotli if both are equal; undefined for none (RFC
 * 9110, 12.5.3).
 */
export function preferredEncoding(header: string | undefined): ContentEncoding | undefined {
  if (!header) return undefined;
  let br: number | undefined;
  let gzipped: number | undefined;
  let others = 0;
  for (const item of header.toLowerCase().split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (!(weight >= 0 && weight <= 1)) continue;
    if (name === 'br') br = weight;
    else if (name === 'gzip' || name === 'x-gzip') gzipped = weight;
    else if (name === '*') others = weight;
  }
  br ??= others;
  gzipped ??= others;
  if (br === 0 && gzipped === 0) return undefined;
  return br >= gzipped ? 'br' : 'gzip';
}
