/** Small documents of publishers, such as lists, hashes and manifests: read whole, bounded in bytes and in time. */
import { Failure, systemFault, UsageError } from '../errors.ts';
import { fetchWithRedirects, reasonOf } from './fetch.ts';

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
