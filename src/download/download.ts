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
import { Failure, namingPath, UsageError } from '../errors.ts';
import { fetchWithRedirects, type PaceOptions, readDocument, reasonOf, watchPace } from './fetch.ts';

export type DownloadOptions = PaceOptions & {
  /** The expected hash of the file; by default a published one is looked up. */
  checksum?: Checksum;
  /** Most bytes that it may have, as its server has announced; unlimited by default. */
  maxBytes?: number | undefined;
  /** Called with the received bytes and, if known, the total size. */
  progress?(bytes: number, total: number | undefined): void;
  /** Further headers, such as the sign-in that a publisher asks for; not sent on to another host. */
  headers?: Readonly<Record<string, string>>;
  /** How often a broken transfer is resumed. */
  retries?: number;
  /** Delay before a transfer is resumed, doubled each time, ms. */
  retryAfterMs?: number;
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
  const { retries = 5, retryAfterMs = 1000 } = options;
  await mkdir(dirname(target), { recursive: true });
  const checksum = options.checksum ?? (await publishedChecksum(url, options.signal));
  for (let attempt = 0; ; attempt++) {
    try {
      await transfer(url, target, options);
      break;
    } catch (error) {
      options.signal?.throwIfAborted();
      // A retry would not help.
      if (error instanceof UsageError) throw error;
      if (attempt >= retries) {
        throw new Failure(
          `${url} could not be downloaded after ${attempt + 1} tries: ${reasonOf(error)}. The received part is kept; run the same command again to resume.`,
        );
      }
      await pause(retryAfterMs * 2 ** attempt, undefined, { signal: options.signal });
    }
  }
  const part = `${target}.part`;
  if (checksum) await verify(url, part, checksum);
  await rename(part, target);
  await rm(`${part}.json`, { force: true });
  return target;
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
    if (response.status === 416 && response.headers.get('content-range') === `bytes */${downloadedBytes}`) return;
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
    const file = await open(part, start > 0 ? 'a' : 'w');
    try {
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
    } finally {
      await file.close();
    }
    if (total !== undefined && bytes !== total) throw new Error(`${bytes} of ${total} bytes arrived`);
  } finally {
    pace.stop();
  }
}

/** Throws Failure where a disk is nearly full. */
async function checkRoom(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize < minFreeBytes)
    throw new Failure(
      `the disk of ${path} has less than ${minFreeBytes / 1e6} MB left; make room, then run the same command again to resume`,
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

const sizeOf = (path: string) =>
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
