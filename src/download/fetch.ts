import { Failure, systemFault, UsageError } from '../errors.ts';

const maxRedirects = 10;

/**
 * Fetches a URL and follows redirects. Throws Failure for redirects without end, to anything but http(s), and from
 * https to http, where an attacker in between could change the data.
 */
export async function fetchWithRedirects(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = redirected(url, location);
    if (next.origin !== url.origin) headers.delete('authorization');
    url = next;
  }
  throw new Failure(`${address} redirects more than ${maxRedirects} times; check the address`);
}

/** The target of a redirect. Throws Failure if it must not be followed. */
export function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from);
  if (to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:')) return to;
  throw new Failure(
    `${from.href} redirects to ${JSON.stringify(location.slice(0, 200))}, expected ${from.protocol === 'http:' ? 'http(s)' : 'https'}://…; check the address`,
  );
}

/** The message of an error with its causes: `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? `${message} (${cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name)})`
    : message;
}

/** Minimum speed of a transfer: a slower one is useless, or an attempt to occupy the connection. */
const minBytesPerSecond = 1024;

export type PaceOptions = {
  /** A pause longer than this is a break, ms. */
  idleMs?: number;
  /** So long less than 1 KiB/s is a break too, ms. */
  slowMs?: number;
  signal?: AbortSignal | undefined;
};

/** Bytes received in a time at minimum speed. */
export const minBytes = (ms: number) => (minBytesPerSecond * ms) / 1000;

/** Watches a transfer: `signal` aborts it when it pauses or is too slow. `arrived` is to be called with the bytes of each chunk. */
export function watchPace({ idleMs = 30_000, slowMs = 60_000, signal }: PaceOptions) {
  const end = new AbortController();
  const idle = setTimeout(() => end.abort(new Error(`no byte for ${idleMs / 1000} s`)), idleMs);
  let bytes = 0;
  const pace = setInterval(() => {
    if (bytes < minBytes(slowMs))
      end.abort(new Error(`got ${bytes} bytes in ${slowMs / 1000} s, expected at least ${minBytesPerSecond} a second`));
    bytes = 0;
  }, slowMs);
  return {
    signal: AbortSignal.any(signal ? [signal, end.signal] : [end.signal]),
    arrived(count: number) {
      bytes += count;
      idle.refresh();
    },
    stop() {
      clearTimeout(idle);
      clearInterval(pace);
    },
  };
}

/** What a server says of a file, as far as it does. */
export type RemoteFile = { bytes?: number; etag?: string /** ISO 8601. */; lastModified?: string };

/**
 * Asks a server about a file without fetching it. Returns `missing` if it says that there is none, `unreachable` if it does
 * not answer, nothing of what it does not say.
 */
export async function remoteFile(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RemoteFile | 'missing' | 'unreachable'> {
  const asked = fetch(url, {
    method: 'HEAD',
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    signal: AbortSignal.timeout(20_000),
  });
  const response = await asked.catch(() => undefined);
  if (!response) return 'unreachable';
  if (response.status === 404 || response.status === 410) return 'missing';
  if (!response.ok) return {};
  const bytes = response.headers.get('content-length');
  const etag = response.headers.get('etag');
  const modified = Date.parse(response.headers.get('last-modified') ?? '');
  return {
    ...(bytes && { bytes: Number(bytes) }),
    ...(etag && { etag }),
    ...(!Number.isNaN(modified) && { lastModified: new Date(modified).toISOString() }),
  };
}

// Small documents of publishers, such as lists, hashes and manifests: read whole, bounded in bytes and in time.

type DocumentBounds = {
  /** After decoding: a megabyte of gzip unpacks to a gigabyte. */
  maxBytes: number;
  /** From the request to the last byte, ms. */
  timeoutMs?: number;
  /** Ends the messages. */
  remedy?: string;
  signal?: AbortSignal | undefined;
};

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The bytes that `open` yields; undefined if there are none. The source is closed as soon as a bound is passed. Throws
 * UsageError for that and for what the network refuses; errors of the file system stay as they are.
 */
export async function readWithin(
  address: string,
  open: (signal: AbortSignal) => Promise<Bytes | undefined>,
  { maxBytes, timeoutMs = 30_000, remedy = 'check the address and the network', signal }: DocumentBounds,
): Promise<Buffer | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const body = await open(AbortSignal.any(signal ? [timeout, signal] : [timeout]));
    if (body === undefined) return undefined;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new Failure(
          `${address} is too large: got at least ${bytes} bytes, expected at most ${maxBytes}; ${remedy}`,
        );
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof UsageError || systemFault(error) !== undefined) throw error;
    const reason = timeout.aborted
      ? `it did not end within ${timeoutMs / 1000} s, after ${bytes} bytes`
      : reasonOf(error);
    throw new Failure(`${address} could not be read: ${reason}; ${remedy}`);
  }
  return Buffer.concat(chunks);
}

/** A document at an http(s) address, past any cache; undefined where the server has none (404). */
export function readDocument(url: string, bounds: DocumentBounds): Promise<Buffer | undefined> {
  const { remedy = 'check the address' } = bounds;
  const open = async (signal: AbortSignal) => {
    const response = await fetchWithRedirects(url, { signal, cache: 'no-store' });
    if (response.ok) return response.body ?? [];
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Failure(`${url} answered ${response.status}; ${remedy}`);
  };
  return readWithin(url, open, bounds);
}
