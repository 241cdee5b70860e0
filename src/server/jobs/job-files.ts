/**
 * Jobs on disk, which several processes of a machine work on: a folder for each key, and in it one for each job with
 *
 * - `job.json`: what was asked, written once; `input`: its rows, a line of JSON each;
 * - `lock`: locked by the process that works on the job, until it lets go or ends. Only that process writes the rest:
 * - `output`: what it answered, and `state.json`. The result is the output as far as the state says: what a killed process wrote
 *   behind it is no part, and is written over.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KeyRecord } from '../../keys/key-record.ts';
import { replaceDurably, synced } from '../../store/durable.ts';
import { lockFile } from '../../store/sqlite/database.ts';

/** Bytes of a row of JSON, characters of one of CSV. */
export const maxRowBytes = 65_536;

/** What applies to all rows: parameters by their columns, parameters that all have, and the most results of each. */
export type RowForm = { map: Record<string, string[]>; set: Record<string, string>; limitPerRow: number };

/** What was asked. */
export type Job = {
  id: string;
  keyId: number;
  /** Says which of the keys of that number has it, as numbers are given again after a backup of the keys is restored; epoch ms. */
  keyCreatedAt?: number;
  /** Name of the endpoint in the list of endpoints. */
  endpoint: string;
  /** Rows of CSV have this header, others are objects of parameters. */
  header: string[] | undefined;
  form: RowForm;
  rows: number;
  /** Size of the input, bytes. */
  bytes: number;
  /** Epoch ms. */
  createdAt: number;
};

const notStarted = {
  state: 'queued' as 'queued' | 'running' | 'paused' | 'done' | 'failed',
  answered: 0,
  found: 0,
  withoutResult: 0,
  failed: 0,
  /** Bytes of the input that are answered. */
  inputBytes: 0,
  outputBytes: 0,
  /** Nobody works on it before, epoch ms. */
  retryAt: 0,
};

export type JobState = typeof notStarted & {
  /** When a paused job goes on, epoch ms. */
  resumesAt?: number | undefined;
  endedAt?: number | undefined;
  /** Why it is paused or has failed. */
  detail?: string | undefined;
};

export type FoundJob = { job: Job; state: JobState };

/** Whether a job in the folder of a key is that key's own. */
export const isJobOf = ({ keyCreatedAt }: Job, { createdAt }: KeyRecord) => (keyCreatedAt ?? createdAt) === createdAt;

/** Jobs that are still received, or being removed, have a name with this beginning. */
const arriving = '.arriving-';
/** What takes the room of a job: `sent` is there until it was read. */
const largeFiles = ['sent', 'input', 'output', 'job.json'];
/** Which the process that receives them has locked after this time; others are leftovers of a killed one, ms. */
const lockedAfterMs = 10_000;

/** The jobs in a directory. */
export function jobFiles(directory: string) {
  const pathOf = ({ keyId, id }: Pick<Job, 'keyId' | 'id'>, file = '') => join(directory, String(keyId), id, file);
  /** The ids of a key's jobs, those that are still received included. */
  const idsOf = (keyId: number) => listed(join(directory, String(keyId)));

  /** A key's job; undefined for none of that id. One whose files are damaged has failed, so that it can be seen, deleted and forgotten. */
  async function find(keyId: number, id: string): Promise<FoundJob | undefined> {
    if (!/^[0-9a-f]{24}$/.test(id)) return undefined;
    const path = (file = '') => pathOf({ keyId, id }, file);
    try {
      const asked = readFile(path('job.json'), 'utf8');
      const [text, written] = await Promise.all([asked, readFile(path('state.json'), 'utf8').catch(orNone)]);
      const job = JSON.parse(text) as Job;
      const state = written === undefined ? notStarted : JSON.parse(written);
      if (job?.id !== id || typeof state?.state !== 'string') throw new SyntaxError('no job');
      return { job, state };
    } catch (error) {
      if (!(error instanceof SyntaxError)) return orNone(error);
      const { mtimeMs: endedAt } = await stat(path());
      const detail = 'its files are damaged; delete it, and send the rows again';
      const form = { map: {}, set: {}, limitPerRow: 1 };
      const job = { id, keyId, endpoint: '', header: undefined, form, rows: 0, bytes: 0, createdAt: endedAt };
      return { job, state: { ...notStarted, state: 'failed', endedAt, detail } };
    }
  }

  return {
    idsOf,
    find,
    /**
     * Makes the folder of a job that is received: `write` writes the input to its path and returns the rest of the job. Each step that
     * is awaited takes a turn of the event loop, so what can be done at once is.
     */
    async add(
      keyId: number,
      write: (input: string, id: string) => Promise<Omit<Job, 'id' | 'keyId'>>,
    ): Promise<FoundJob> {
      const id = randomBytes(12).toString('hex');
      const part = pathOf({ keyId, id: arriving + id });
      const ofKey = join(directory, String(keyId));
      const opened: FileHandle[] = [];
      // Rows are personal data.
      const made = await mkdir(part, { recursive: true, mode: 0o700 });
      const lock = lockFile(join(part, 'lock'));
      try {
        const job: Job = { id, keyId, ...(await write(join(part, 'input'), id)) };
        const all = [open(join(part, 'job.json'), 'wx'), open(part), open(ofKey)];
        for (const each of await Promise.all(all)) opened.push(each);
        const [file, folder, folders] = opened;
        await file.writeFile(JSON.stringify(job));
        // On the disk before it has its name.
        await Promise.all([file.sync(), folder.sync()]);
        // From then on it is that of who works on the job.
        lock?.close();
        await rename(part, pathOf(job));
        await Promise.all([folders.sync(), made !== part && synced(directory)]);
        return { job, state: notStarted };
      } catch (error) {
        if (lock?.isOpen) lock.close();
        await rm(part, { recursive: true, force: true });
        throw error;
      } finally {
        await Promise.all(opened.map((each) => each.close()));
      }
    },
    /** The bytes of a key's jobs by their ids, those that are still received included. */
    async roomOf(keyId: number): Promise<Map<string, number>> {
      const ids = await idsOf(keyId);
      const paths = ids.flatMap((id) => largeFiles.map((file) => pathOf({ keyId, id }, file)));
      // A job may be deleted meanwhile.
      const sizes = await Promise.all(paths.map((path) => stat(path).catch(() => ({ size: 0 }))));
      const bytesOf = (at: number) => sizes.slice(at, at + largeFiles.length).reduce((sum, { size }) => sum + size, 0);
      return new Map(ids.map((id, at) => [id.replace(arriving, ''), bytesOf(at * largeFiles.length)]));
    },
    /** Every job as key and id. Removes what killed processes were receiving, and the folders of keys without jobs. */
    async all(): Promise<{ keyId: number; id: string }[]> {
      const found: { keyId: number; id: string }[] = [];
      for (const key of await listed(directory)) {
        const ids = await listed(join(directory, key));
        // A job may arrive meanwhile.
        if (ids.length === 0) await rmdir(join(directory, key)).catch(() => {});
        for (const id of ids) {
          if (!id.startsWith(arriving)) found.push({ keyId: Number(key), id });
          else {
            const path = join(directory, key, id);
            const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
            const lock = Date.now() - mtimeMs > lockedAfterMs ? lockFile(join(path, 'lock')) : undefined;
            lock?.close();
            if (lock) await rm(path, { recursive: true, force: true });
          }
        }
      }
      return found;
    },
    /** Locks a job until the lock is closed; undefined where another process has it, or it was deleted. */
    async lock(job: Job) {
      try {
        return lockFile(pathOf(job, 'lock'));
      } catch (error) {
        if (await find(job.keyId, job.id)) throw error;
        return undefined;
      }
    },
    /**
     * Writes the state of a job that is locked here once its output is on the disk: it must not say more than a power failure leaves.
     * False where it was deleted.
     */
    async write(job: Job, state: JobState): Promise<boolean> {
      try {
        await synced(pathOf(job, 'output'));
        await replaceDurably(pathOf(job, 'state.json'), JSON.stringify(state));
        return true;
      } catch (error) {
        return orNone(error) ?? false;
      }
    },
    input: (job: Job) => pathOf(job, 'input'),
    output: (job: Job) => pathOf(job, 'output'),
    /** Removes a job at once for all that look for it, also behind a loss of power, then its files. */
    async remove({ keyId, id }: Pick<Job, 'keyId' | 'id'>): Promise<void> {
      const gone = pathOf({ keyId, id: `${arriving}${id}` });
      await rename(pathOf({ keyId, id }), gone)
        .then(() => synced(dirname(gone)))
        .catch(orNone);
      await rm(gone, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Nothing for what is not there, or in what is no folder; throws any other error. */
function orNone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

const listed = async (directory: string): Promise<string[]> => (await readdir(directory).catch(orNone)) ?? [];
