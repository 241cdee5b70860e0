/** Bodies that are the same for everybody: held in memory with a tag, compressed once when first requested. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Store } from '../store/store.ts';

export type ContentEncoding = 'br' | 'gzip';

const compressors: Record<ContentEncoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

export class Asset {
  /** Media type. */
  readonly type: string;
  readonly bytes: Buffer;
  /** Weak entity tag of the bytes. */
  readonly tag: string;
  readonly #encoded: Partial<Record<ContentEncoding, Promise<Buffer>>> = {};

  constructor(type: string, body: string | Buffer) {
    this.type = type;
    this.bytes = Buffer.from(body);
    this.tag = `W/"${hash('sha256', this.bytes, 'base64url').slice(0, 16)}"`;
  }

  /** The compressed bytes; computed once, on the first call, also for concurrent callers. */
  encodedAs(encoding: ContentEncoding): Promise<Buffer> {
    return (this.#encoded[encoding] ??= compressors[encoding](this.bytes));
  }
}

/** A value derived from the dataset, recomputed only when another one is served. */
export function perDataset(
  type: string,
  make: (store: Store | undefined) => string,
): (store: Store | undefined) => Asset {
  let known: { version: string | undefined; asset: Asset } | undefined;
  return (store) => {
    const version = store?.manifest.version;
    if (!known || known.version !== version) known = { version, asset: new Asset(type, make(store)) };
    return known.asset;
  };
}
