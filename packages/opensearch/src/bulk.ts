/** Documents sent in bulk, a few requests at a time. */
import type { Connection } from './connection.ts';
import { Refused } from './request.ts';

const maxBytes = 4_000_000;
const maxPending = 3;
const conflict = 409;

type Written = { status: number; error?: { type?: string; reason?: string } };
type BulkAnswer = { errors: boolean; items: Record<string, Written>[] };

export class Bulk {
  /** Number of documents that were not written, as they changed since they were read. */
  conflicts = 0;
  readonly #connection: Connection;
  readonly #path: string;
  readonly #pending = new Set<Promise<void>>();
  #lines: string[] = [];
  #bytes = 0;
  #error: unknown;

  /** To an alias: a missing index would be created. `parameters` are those of the requests: `refresh=wait_for`. */
  constructor(connection: Connection, alias: string, parameters = '') {
    this.#connection = connection;
    this.#path = `/${alias}/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error&${parameters}`;
  }

  /**
   * Adds an action, `{ index: { _id } }` for example, with its document; resolves when the next one may be added. Throws when
   * an earlier one could not be written.
   */
  async add(action: object, document?: object): Promise<void> {
    const line = [action, document].map((part) => (part ? `${JSON.stringify(part)}\n` : '')).join('');
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
    const sent = this.#connection
      .write<BulkAnswer>({ method: 'POST', path: this.#path, lines }, faultOf)
      .then(
        (answer) => {
          this.conflicts += writtenOf(answer).filter(({ status }) => status === conflict).length;
        },
        (error) => {
          this.#error ??= error;
        },
      )
      .finally(() => this.#pending.delete(sent));
    this.#pending.add(sent);
  }
}

const writtenOf = ({ items }: BulkAnswer): Written[] => items.flatMap((item) => Object.values(item));

/** The fault of a bulk answer; a request with documents that a node rejected for overload is sent again as a whole. */
function faultOf(answer: unknown): Error | undefined {
  const failed = writtenOf(answer as BulkAnswer).filter(({ status, error }) => error && status !== conflict);
  if (failed.length === 0) return undefined;
  const { status, error } = failed.find((one) => one.status !== 429) ?? failed[0];
  return new Refused(status, error?.type, `the cluster refused a document: ${error?.reason}`);
}
