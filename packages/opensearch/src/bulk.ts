/** Documents sent in bulk, a few requests at a time. */
import type { Connection } from './connection.ts';
import { Refused } from './request.ts';

const maxBytes = 4_000_000;
const maxPending = 3;
const conflict = 409;

type Written = { status: number; error?: { type?: string; reason?: string } };
type BulkAnswer = { errors: boolean; items: Record<string, Written>[] };

/** Sends to an alias: a missing index would be created. `parameters` are those of the requests: `refresh=wait_for`. */
export function bulkTo(connection: Connection, alias: string, parameters = '') {
  const path = `/${alias}/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error&${parameters}`;
  const pending = new Set<Promise<void>>();
  let lines: string[] = [];
  let bytes = 0;
  let conflicts = 0;
  let firstError: unknown;

  function send(): void {
    const written = (answer: BulkAnswer) => {
      conflicts += writtenOf(answer).filter(({ status }) => status === conflict).length;
    };
    const sent = connection
      .write<BulkAnswer>({ method: 'POST', path, lines: lines.join('') }, faultOf)
      .then(written, (error) => void (firstError ??= error))
      .finally(() => pending.delete(sent));
    pending.add(sent);
    lines = [];
    bytes = 0;
  }

  return {
    /**
     * Adds an action, `{ index: { _id } }` for example, with its document; resolves when the next one may be added. Throws when
     * an earlier one could not be written.
     */
    async add(action: object, document?: object): Promise<void> {
      const line = [action, document].map((part) => (part ? `${JSON.stringify(part)}\n` : '')).join('');
      lines.push(line);
      bytes += line.length;
      if (bytes < maxBytes) return;
      send();
      while (pending.size >= maxPending) await Promise.race(pending);
      if (firstError) throw firstError;
    },
    /** Sends what is left and waits for all; returns the number of documents that were not written, as they changed since they were read. */
    async finish(): Promise<number> {
      if (lines.length > 0) send();
      await Promise.all(pending);
      if (firstError) throw firstError;
      return conflicts;
    },
  };
}

const writtenOf = ({ items }: BulkAnswer): Written[] => items.flatMap((item) => Object.values(item));

/** The fault of a bulk answer; a request with documents that a node rejected for overload is sent again as a whole. */
function faultOf(answer: unknown): Error | undefined {
  const failed = writtenOf(answer as BulkAnswer).filter(({ status, error }) => error && status !== conflict);
  if (failed.length === 0) return undefined;
  const { status, error } = failed.find((one) => one.status !== 429) ?? failed[0];
  return new Refused(status, error?.type, `the cluster refused a document: ${error?.reason}`);
}
