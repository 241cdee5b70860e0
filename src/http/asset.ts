/** Bodies that are the same for everybody: held in memory with a tag, compressed once when first asked for. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Store } from '../store/store.ts';
import type { ContentEncoding } from './content-encoding.ts';

export type Asset = {
  type: string;
  body: Buffer;
  /** Weak entity tag of the body. */
  tag: string;
  /** The body compressed; made with the first call, whoever else asks meanwhile. */
  encodedAs(encoding: ContentEncoding): Promise<Buffer>;
};

const compressors: Record<ContentEncoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

/** Makes an asset of a media type. */
export function assetOf(type: string, body: Buffer): Asset {
  const encoded: Partial<Record<ContentEncoding, Promise<Buffer>>> = {};
  return {
    type,
    body,
    tag: `W/"${hash('sha256', body, 'base64url').slice(0, 16)}"`,
    encodedAs: (encoding) => (encoded[encoding] ??= compressors[encoding](body)),
  };
}

/** Something made from the dataset, made again only when another one is served. */
export function perDataset(
  type: string,
  make: (store: Store | undefined) => string,
): (store: Store | undefined) => Asset {
  let known: { version: string | undefined; asset: Asset } | undefined;
  return (store) => {
    const version = store?.manifest.version;
    if (!known || known.version !== version) known = { version, asset: assetOf(type, Buffer.from(make(store))) };
    return known.asset;
  };
}
