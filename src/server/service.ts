/** What the parts of the server share: the service, its routes, and the state of a request. */
import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip, type InputType, type ZlibOptions } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { datasetTag } from '../api/caching.ts';
import type { Answer } from '../api/execute.ts';
import type { Network } from '../core/ip/address.ts';
import type { Profile } from '../endpoints/endpoint.ts';
import { type ParameterError, WhereaboutsError } from '../errors.ts';
import type { KeyStore, Reservation } from '../keys/key-store.ts';
import type { Account, Soon } from '../keys/meter.ts';
import type { Store } from '../store/store.ts';
import type { Caller, Held, Lanes, RecentUse } from './fairness.ts';
import type { Limits } from './limits.ts';
import type { Places } from './places.ts';

/**
 * The served dataset, changed at run time by its owner: `current` is set when a dataset is open, and swapped for
 * another. Each request, and each entry of a batch, examines it once and uses it synchronously, so that the store
 * before may be closed as soon as another has taken its place.
 */
export type StoreHolder = {
  current: Store | undefined;
  /** Set when the process is about to stop: `/health/ready` answers 503, everything else still answers. */
  isStopping?: boolean;
};

type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'level'>;

/** What a route takes: `expected` is what the sender of an empty body reads. */
export type BodyRule = {
  maxBytes: number;
  expected: string;
  /** Whether a form is taken as an object of JSON is. */
  hasForms?: boolean;
  /** The handler gets bodies as streams, of JSON and of these types, and counts the bytes of those without a length. */
  streamed?: { types: string[]; maxBytes: number };
};

/** An answer over HTTP; an asset is a body that is the same for everybody, bytes and a stream of them are sent as they are. */
export type HttpAnswer = Answer<Answer['body'] | Asset | Buffer | Readable>;

/** Who may call a route, and what a call costs; `access.ts` enforces it. */
export type Access = {
  /** Where a key may stand of clients that cannot send the header. */
  keyIn?: 'parameter' | 'bearer';
  /** The name by which keys are restricted to endpoints; undefined where the route checks that itself. */
  endpoint?: string;
  /** A key's owner, whatever origins the key is restricted to; or an operator with an admin key. */
  as?: 'owner' | 'admin';
  /** Calls that it costs, 0 by default. Throws what makes the request wrong for everybody. */
  callsOf?(call: Call): number;
};

/** A route: the handler of the requests to a path. */
export type Route = {
  /** As the log and the metrics name it. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path from the root; `{name}` marks a path parameter. */
  path: string;
  /** Undefined: open without a key. */
  access?: Access;
  /** Refuses what a key alone does not, before the body is read. */
  before?(call: Call): Soon<void>;
  /** What body it reads. */
  takes?: BodyRule;
  /** Whether it waits for its like alone: probes. */
  isVital?: boolean;
  /** Throws or rejects WhereaboutsError for what is reported to the client; anything else is a bug. */
  handle(call: Call): Soon<HttpAnswer>;
  /** Writes its errors, where that is not a problem document. */
  problem?(call: Call, error: WhereaboutsError): { type: string; body: string };
};

/** Query parameters by name: one string, or several where a name was given several times. */
export type RawQuery = Record<string, string | string[]>;
/** A query string taken apart, with what is wrong in it. */
export type ParsedQuery = { query: RawQuery; errors: ParameterError[] | undefined };

const saneRequestId = /^[\w.:+/=@-]{1,128}$/;

/** The state of one request, which every hook and handler reads: `request.call`. */
export type Call = ReturnType<typeof startCall>;

/** Starts a call; keeps the request's own `X-Request-Id` if it is safe in headers and logs. */
export function startCall(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { raw } = request;
  const { url = '' } = raw;
  const { parameters } = service.limits;
  const requestId = raw.headers['x-request-id'];
  const { route } = request.routeOptions.config;
  const mark = url.indexOf('?');
  const search = mark < 0 ? '' : url.slice(mark + 1);
  return {
    request: raw,
    response: reply.raw,
    requestId: typeof requestId === 'string' && saneRequestId.test(requestId) ? requestId : service.nextRequestId(),
    /** Of `performance.now()`, for `query_ms`. */
    startedAt: performance.now(),
    /** The service's clock, epoch ms. */
    now: service.now(),
    /** Undefined for a path or method that does not exist. */
    route,
    /** Name of its route, as the log and the metrics have it. */
    endpoint: route?.name ?? 'other',
    /** Path parameters, decoded. */
    path: request.params as Record<string, string | undefined>,
    /** The query string, without `?`: no more of it than may be read, as its key is looked for before its turn. */
    search: search.length < 2 * parameters ? search : search.split('&', parameters + 1).join('&'),
    /** The same taken apart; see `queryOf`. */
    parsed: undefined as ParsedQuery | undefined,
    /** The body, where the route takes one. */
    body: undefined as unknown,
    /** Set where the memory of its body is needed for others: what is not done yet is answered with it. */
    refusal: undefined as WhereaboutsError | undefined,
    /** The names that its use is counted under; see `callerOf`. */
    caller: undefined as Caller | undefined,
    /** What was granted to its key. */
    reserved: undefined as Reservation | undefined,
    /** Set once a valid key is found: from then on every answer states what is left of its quota. */
    account: undefined as Account | undefined,
    /** Calls that were taken, and how many of them an answer that is worth less than them costs; see `access.ts`. Not counted, they are refunded. */
    charged: undefined as { name: string; calls: number; worth: number; onCounted?: () => void } | undefined,
    /** Set once it is read. */
    profile: 'default' as Profile,
    /** Whether its answer lacks street-level data that it should have. */
    isIncomplete: false,
    /** Bytes of its answer that are counted, before it is sent; 0 of one that is everybody's. */
    held: undefined as number | undefined,
  };
}

/** The context that all handlers share. */
export type Service = {
  store: StoreHolder;
  keys: KeyStore;
  limits: Limits;
  /** Shares time among callers, and the memory of bodies and of answers. */
  lanes: Lanes;
  /** For look-ups at other machines. */
  lookUps: Places;
  /** What Node parsed for nothing, by network. */
  floods: RecentUse;
  bodies: Held;
  answers: Held;
  /** Version of the program. */
  version: string;
  now: () => number;
  /** Networks of trusted proxies. */
  proxies: readonly Network[];
  /** Makes the id of a request that has none of its own. */
  nextRequestId: () => string;
  log: Log;
  /** Called for each answer as it is sent, with the time it took. */
  record(call: Call, status: number, ms: number): void;
  /** The same for what never became a request. */
  recordBroken(status: number, requestId: string, address: string | undefined): void;
  /** Requests since the last report, and how many of them were refused because too much waited. */
  arrived: number;
  refused: number;
  /** Connections that are open; 0 where the server is not ours. */
  connections: number;
  /** All that ever were; 0 where the server is not ours. */
  accepted: number;
  /** Whether "100 Continue" is ours to send. */
  sendsContinue: boolean;
  /** Set when the server is closing: connections end with the answers that are still in progress. */
  isClosing: boolean;
};

/** The store that is served. Throws `unavailable` while none is open. */
export function currentStore({ store }: Service): Store {
  if (store.current) return store.current;
  throw new WhereaboutsError('unavailable', 'the service is starting: no dataset is open yet', {
    retryAfterSeconds: 1,
  });
}

const tags = new WeakMap<Store['manifest'], string>();

/** The part of entity tags that identifies a store, cached. */
export function tagOf({ manifest }: Store, version: string): string {
  let tag = tags.get(manifest);
  if (tag === undefined) {
    // A growing dataset is another one with each layer that arrives.
    tag = datasetTag([manifest.version, ...(manifest.coming ?? [])].join(' '), version);
    tags.set(manifest, tag);
  }
  return tag;
}

// Bodies that are the same for everybody: held in memory with a tag, compressed once when first requested.

export type ContentEncoding = 'br' | 'gzip';

const compressors = {
  br: promisify<InputType, ZlibOptions & BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<InputType, ZlibOptions, Buffer>(gzip),
};

/** Compresses bytes on the thread pool. In pieces of 16 KiB, as by default, each would wait for a turn of a busy main thread. */
export const compress = (body: Buffer, encoding: ContentEncoding, level: number): Promise<Buffer> =>
  compressors[encoding](body, {
    chunkSize: Math.max(constants.Z_DEFAULT_CHUNK, body.length),
    ...(encoding === 'br' ? { params: { [constants.BROTLI_PARAM_QUALITY]: level } } : { level }),
  });

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
    return (this.#encoded[encoding] ??= compress(this.bytes, encoding, 9).catch((error) => {
      delete this.#encoded[encoding];
      throw error;
    }));
  }
}

/** A value derived from the dataset, recomputed only when another one, or more of a growing one, is served, or `also` is another. */
export function perDataset(
  type: string,
  make: (store: Store | undefined) => string,
): (store: Store | undefined, also?: string) => Asset {
  let known: { manifest: Store['manifest'] | undefined; also: string; asset: Asset } | undefined;
  return (store, also = '') => {
    const manifest = store?.manifest;
    if (known?.manifest !== manifest || known?.also !== also)
      known = { manifest, also, asset: new Asset(type, make(store)) };
    return known!.asset;
  };
}
