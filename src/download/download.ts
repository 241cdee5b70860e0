/**
 * Downloads one file atomically: into `<target>.part`, resumed with a range request after a break or a kill, checked,
 * and renamed when it is whole.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, namingPath, systemFault, UsageError } from '../errors.ts';

export type ResumeOptions = PaceOptions & {
  /** How often a broken transfer is resumed that made no progress. */
  retries?: number;
  /** Delay before a transfer is resumed, doubled each time, ms. */
  retryAfterMs?: number;
};

export type DownloadOptions = ResumeOptions & {
  /** The expected hash of the file; by default a published one is looked up. */
  checksum?: Checksum;
  /** Its bytes, as its server has announced; unlimited by default. */
  maxBytes?: number | undefined;
  /** Called with the received bytes and, if known, the total size. */
  progress?(bytes: number, total: number | undefined): void;
  /** Further headers, such as the sign-in that a publisher asks for; not sent on to another host. */
  headers?: Readonly<Record<string, string>>;
};

/** Room that a download leaves on the disk, and after how many bytes it is looked at. */
const minFreeBytes = 500_000_000;
const lookBytes = 67_108_864;

/** What a part belongs to: a resumed transfer must go on with the same version of the same file. */
type Part = { url: string; validator: string };

/**
 * Downloads `url` to `target` and returns the target. Does nothing when the target is there already. Throws Failure
 * that names the address, what happened and the remedy; received data is kept for the next attempt, except for a file
 * with a wrong checksum.
 */
export async function download(url: string, target: string, options: DownloadOptions = {}): Promise<string> {
  if (await sizeOf(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  const checksum = options.checksum ?? (await publishedChecksum(url, options.signal));
  const part = `${target}.part`;
  const isLasting = (error: unknown) => error instanceof UsageError;
  await resumed(url, part, () => transfer(url, target, options), isLasting, options);
  if (checksum) await verify(url, part, checksum);
  await rename(part, target);
  await rm(`${part}.json`, { force: true });
  return target;
}

/**
 * Repeats a transfer to `part` until it ends. Throws its error where `isLasting` says that a retry would not help, or the
 * file system refuses; and Failure that names what is transferred after too many tries, when the received part is kept.
 */
export async function resumed(
  what: string,
  part: string,
  transfer: () => Promise<void>,
  isLasting: (error: unknown) => boolean,
  { retries = 5, retryAfterMs = 1000, signal }: ResumeOptions,
): Promise<void> {
  let before = await sizeOf(part);
  let since = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await transfer();
    } catch (error) {
      signal?.throwIfAborted();
      if (isLasting(error) || systemFault(error) !== undefined) throw error;
      // A link that gets on at the least speed, pauses included, is not given up, however often it breaks.
      const receivedBytes = await sizeOf(part);
      if (receivedBytes - before >= minBytes(performance.now() - since)) {
        before = receivedBytes;
        since = performance.now();
        attempt = 0;
      }
      if (attempt >= retries) {
        throw new Failure(
          `${what} could not be downloaded after ${attempt + 1} tries: ${reasonOf(error)}. The received part is kept; run the same command again to resume.`,
        );
      }
      await pause(retryAfterMs * 2 ** attempt, undefined, { signal });
    }
  }
}

/** One transfer: of the whole file, or of the missing rest. */
async function transfer(
  url: string,
  target: string,
  { progress, headers: further = {}, maxBytes = Infinity, ...options }: DownloadOptions,
): Promise<void> {
  const part = `${target}.part`;
  const before = await readPart(`${part}.json`);
  const downloadedBytes = before?.url === url ? await sizeOf(part) : 0;
  const headers: Record<string, string> = { ...further, 'Accept-Encoding': 'identity' };
  if (downloadedBytes > 0 && before)
    Object.assign(headers, { Range: `bytes=${downloadedBytes}-`, 'If-Range': before.validator });

  const pace = watchPace(options);
  try {
    const response = await fetchWithRedirects(url, { headers, signal: pace.signal });
    // The part is already complete: the last run was stopped between the last byte and the rename.
    const isWhole = response.headers.get('content-range') === `bytes */${downloadedBytes}`;
    if (response.status === 416 && isWhole && [Infinity, downloadedBytes].includes(maxBytes)) return;
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel();
      const message = `${url} answered ${response.status} ${response.statusText}`.trim();
      if (response.status >= 500 || response.status === 429 || response.status === 416) {
        if (response.status === 416) await rm(part, { force: true });
        throw new Error(message);
      }
      const isClosed = response.status === 401 || response.status === 403;
      throw new Failure(
        `${message}; ${isClosed ? 'the publisher asks for a sign-in: see "Downloads" in docs/updating.md' : 'check the address, or name a mirror in the configuration'}`,
      );
    }
    const start = response.status === 206 ? downloadedBytes : 0;
    const range = response.headers.get('content-range') ?? '';
    if (response.status === 206 && !range.startsWith(`bytes ${start}-`)) {
      await response.body?.cancel();
      throw new Error(`${url} answered with ${range}, expected the bytes from ${start}`);
    }
    const length = response.headers.get('content-length');
    const total = length === null ? undefined : start + Number(length);
    const validator = response.headers.get('etag') ?? response.headers.get('last-modified');
    // A weak tag cannot be a range's condition; without a strong one a part cannot be resumed safely.
    const canResume = validator !== null && !validator.startsWith('W/');
    if (canResume) await writeFile(`${part}.json`, JSON.stringify({ url, validator } satisfies Part));
    else await rm(`${part}.json`, { force: true });

    if (!response.body) throw new Error('the answer has no body');
    let bytes = start;
    // Chunk by chunk, so that received data is on disk when the connection breaks.
    await using file = await open(part, start > 0 ? 'a' : 'w');
    for await (const chunk of response.body) {
      await file.writeFile(chunk).catch(namingPath(part));
      // What is free is looked at now and then.
      if (Math.floor(bytes / lookBytes) !== Math.floor((bytes += chunk.length) / lookBytes)) await checkRoom(part);
      if (bytes > maxBytes)
        throw new Failure(
          `${url} has more than the ${maxBytes} bytes that its server announced; try again, or use another mirror`,
        );
      pace.arrived(chunk.length);
      progress?.(bytes, total);
    }
    // What comes without a length may end early; its server has announced one before.
    const expected = total ?? maxBytes;
    if (expected !== Infinity && bytes !== expected) throw new Error(`${bytes} of ${expected} bytes arrived`);
  } finally {
    pace.stop();
  }
}

/** Throws Failure where a disk has no room for so many bytes, or is nearly full. */
export async function checkRoom(path: string, bytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  const wanted = bytes + minFreeBytes;
  if (bavail * bsize < wanted)
    throw new Failure(
      `the disk of ${path} has less than ${Math.ceil(wanted / 1e6)} MB left; make room, then run the same command again to resume`,
    );
}

async function verify(url: string, part: string, { algorithm, hex }: Checksum): Promise<void> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(part), hash);
  const got = hash.digest('hex');
  if (got === hex) return;
  await rm(part, { force: true });
  await rm(`${part}.json`, { force: true });
  throw new Failure(
    `${url} does not have its ${algorithm.toUpperCase()}: got ${got}, expected ${hex}. The download was deleted; try again, or use another mirror.`,
  );
}

async function readPart(path: string): Promise<Part | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    // No note for the part, or a broken one: the transfer starts again.
    return undefined;
  }
}

export const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** A file's hash as published. */
type Checksum = { algorithm: 'md5' | 'sha256'; hex: string };

/** Suffixes of published hash files: `<hex>  <name>`. */
const checksumSuffixes = [
  ['.sha256', 'sha256', 64],
  ['.md5', 'md5', 32],
] as const;

/**
 * The published hash of a file (Geofabrik: `<file>.md5`); undefined when there is none. A hash can also be part of the
 * URL: `https://…/file.zip#sha256=<hex>`.
 */
export async function publishedChecksum(url: string, signal?: AbortSignal): Promise<Checksum | undefined> {
  const address = new URL(url);
  const [, algorithm, hex] = /^#(md5|sha256)=([0-9a-f]+)$/i.exec(address.hash) ?? [];
  if (algorithm) return { algorithm: algorithm.toLowerCase() as Checksum['algorithm'], hex: hex.toLowerCase() };
  address.hash = '';
  for (const [suffix, kind, length] of checksumSuffixes) {
    const checksumUrl = new URL(address);
    checksumUrl.pathname += suffix;
    const text = await readDocument(checksumUrl.href, { maxBytes: 2 ** 16, timeoutMs: 20_000, signal }).catch(
      () => undefined,
    );
    const found = new RegExp(`^\\s*([0-9a-f]{${length}})(\\s|$)`, 'i').exec(text?.toString('latin1', 0, 200) ?? '');
    if (found) return { algorithm: kind, hex: found[1].toLowerCase() };
  }
  return undefined;
}

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
const minBytes = (ms: number) => (minBytesPerSecond * ms) / 1000;

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
