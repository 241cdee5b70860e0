/** Documents sent in bulk, a few requests at a time. */
import type { Connection } from './connection.ts';
import { Refused } from './request.ts';

const maxBytes = 4_000_000;
const maxPending = 3;

type BulkAnswer = {
  errors: boolean;
  items: { index: { status: number; error?: { type?: string; reason?: string } } }[];
};

export class Bulk {
  readonly #connection: Connection;
  readonly #index: string;
  readonly #pending = new Set<Promise<void>>();
  #lines: string[] = [];
  #bytes = 0;
  #error: unknown;

  constructor(connection: Connection, index: string) {
    this.#connection = connection;
    this.#index = index;
  }

  /** Adds a document; resolves when the next one may be added. Throws when an earlier one could not be written. */
  async add(name: string, document: object): Promise<void> {
    const line = `{"index":{"_id":${JSON.stringify(name)}}}\n${JSON.stringify(document)}\n`;
    this.#lines.push(line);
    this.#bytes += line.length;
    if (this.#bytes < maxBytes) return;
    this.#send();
    while (this.#pending.size >= maxPending) await Promise.race(this.#pending);
    if (this.#error) throw this.#error;
  }

  /** Sends what is left and waits for all. */
  async finish(): Promise<void> {
    if (this.#lines.length > 0) this.#send();
    await Promise.all(this.#pending);
    if (this.#error) throw this.#error;
  }

  #send(): void {
    const lines = this.#lines.join('');
    this.#lines = [];
    this.#bytes = 0;
    const path = `/${this.#index}/_bulk?filter_path=errors,items.*.status,items.*.error`;
    const sent = this.#connection
      .write<BulkAnswer>({ method: 'POST', path, lines }, faultOf)
      .then(
        () => {},
        (error) => {
          this.#error ??= error;
        },
      )
      .finally(() => this.#pending.delete(sent));
    this.#pending.add(sent);
  }
}

/** The fault of a bulk answer; a request with documents that a node rejected for overload is sent again as a whole. */
function faultOf(answer: unknown): Error | undefined {
  const { errors, items } = answer as BulkAnswer;
  if (!errors) return undefined;
  const failed = items.map(({ index }) => index).filter(({ status }) => status >= 300);
  const { status, error } = failed.find((one) => one.status !== 429) ?? failed[0];
  return new Refused(status, error?.type, `the cluster refused a document: ${error?.reason}`);
}
