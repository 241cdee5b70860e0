import { setTimeout as wait } from 'node:timers/promises';
import type { KeyStoreOptions } from '../keys/key-store.ts';

const tries = 3;
const timeoutMs = 5000;
const pauseMs = 1000;

/**
 * Posts to an address that a key has spent 80 or 100% of its day's calls: `{key_id, key, name, plan, limit, percent, at}`.
 * Tried three times while the process lives; `onError` is called when all of them failed.
 */
export function quotaWebhook(
  url: string,
  onError: (error: unknown) => void,
): NonNullable<KeyStoreOptions['onReached']> {
  return ({ id, display, name, plan }, limit, percent) => {
    const at = new Date().toISOString();
    const body = JSON.stringify({ key_id: id, key: display, name, plan, limit, percent, at });
    post(url, body).catch(onError);
  };
}

async function post(url: string, body: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      const headers = { 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(timeoutMs);
      const { ok, status } = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      if (ok) return;
      throw new Error(`the quota webhook answered ${status}`);
    } catch (error) {
      if (tried === tries) throw error;
      await wait(pauseMs * tried, undefined, { ref: false });
    }
  }
}
