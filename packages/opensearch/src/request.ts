/** One request to one node. */
import type { Client } from '@opensearch-project/opensearch';

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  path: string;
  /** JSON. */
  body?: object;
  /** Lines of JSON. */
  lines?: string;
};

/** A refusal by the cluster: the same from any node. */
export class Refused extends Error {
  readonly status: number;
  readonly type: string | undefined;

  constructor(status: number, type: string | undefined, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }

  /** Whether another node, or the same one later, would answer the same. */
  get isFinal(): boolean {
    return this.status < 500 && this.status !== 429;
  }
}

/** Sends a request. The answer rejects with `Refused`, or with the network error. */
export function send<T>(client: Client, { method, path, body, lines }: Request, timeoutMs: number) {
  const sent = client.transport.request(
    { method, path, ...(lines !== undefined ? { bulkBody: lines } : body !== undefined ? { body } : {}) } as never,
    { requestTimeout: timeoutMs, maxRetries: 0 },
  );
  const answer = sent.then(
    ({ body: found }) => found as T,
    (error: Error & { statusCode?: number; body?: { error?: { type?: string; reason?: string } } }) => {
      if (error.name !== 'ResponseError') throw error;
      const { type, reason } = error.body?.error ?? {};
      // Servers before a cluster, and its own security, state no reason for this one.
      const lacking = error.statusCode === 401 ? 'the user, password or signature is not accepted' : error.message;
      throw new Refused(error.statusCode ?? 500, type, reason ?? lacking);
    },
  );
  return { answer, abort: () => sent.abort() };
}
