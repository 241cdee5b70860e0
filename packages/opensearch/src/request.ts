/** One request to one node. */
import type { Readable } from 'node:stream';
import type { Client } from '@opensearch-project/opensearch';

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
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

/** Most characters of an answer; those of look-ups have some hundred thousand. */
const maxAnswer = 32 * 2 ** 20;

/** Sends a request. The answer rejects with `Refused`, or with the fault of the network or of an answer that is too long or no JSON. */
export function send<T>(client: Client, { method, path, body, lines }: Request, timeoutMs: number) {
  const sent = client.transport.request(
    { method, path, ...(lines !== undefined ? { bulkBody: lines } : body !== undefined ? { body } : {}) } as never,
    // As a stream, since the client reads whatever comes, and unpacks it.
    { requestTimeout: timeoutMs, maxRetries: 0, asStream: true },
  );
  const answer = sent.then(async ({ statusCode, body: stream }) => {
    let text = '';
    for await (const chunk of (stream as unknown as Readable).setEncoding('utf8')) {
      text += chunk;
      if (text.length > maxAnswer) throw new Error(`the answer has more than ${maxAnswer} characters`);
    }
    const status = statusCode ?? 500;
    let value: (T & { error?: { type?: string; reason?: string } }) | undefined;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (status < 400) throw error;
    }
    if (status < 400) return value as T;
    // Servers before a cluster, and its own security, state no reason.
    const lacking = status === 401 ? 'the user, password or signature is not accepted' : `status ${status}`;
    throw new Refused(status, value?.error?.type, value?.error?.reason ?? lacking);
  });
  return { answer, abort: () => sent.abort() };
}
