import { fetchWithRedirects } from '../download/fetch.ts';
import { readDocument } from '../download/small-document.ts';
import { UsageError } from '../errors.ts';
import type { ObjectStore } from './object-store.ts';

const answerMs = 30_000;

/** What lies below an http(s) address, such as a web server over a published directory; it can only be read. */
export function httpStore(address: string): ObjectStore {
  const base = address.replace(/\/+$/, '');
  const request = async (key: string, init: RequestInit) => {
    const response = await fetchWithRedirects(`${base}/${key}`, init);
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`${base}/${key} answered ${response.status}`);
  };
  const cannot = async () => {
    throw new UsageError(`${address} is read-only; publish to the directory or bucket behind it`);
  };
  return {
    address: base,
    read: (key, maxBytes) => readDocument(`${base}/${key}`, { maxBytes }),
    async open(key, from, signal) {
      const response = await request(key, { signal, headers: from > 0 ? { Range: `bytes=${from}-` } : {} });
      if (response.status === 404 || !response.body) throw new Error(`${base}/${key} does not exist`);
      return from > 0 && response.status !== 206 ? without(response.body, from) : response.body;
    },
    async sizeOf(key) {
      const response = await request(key, { method: 'HEAD', signal: AbortSignal.timeout(answerMs) });
      return response.ok ? Number(response.headers.get('content-length')) : undefined;
    },
    write: cannot,
    writeFile: cannot,
  };
}

/** The bytes after the first ones, of a server that does not know ranges. */
async function* without(body: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of body) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
