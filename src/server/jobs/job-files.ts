/**
 * Jobs on disk, which several processes of a machine work on: a folder for each key, and in it one for each job with
 *
 * - `job.json`: what was asked, written once; `input`: its rows, a line of JSON each;
 * - `claim-<n>.json`: the state. To claim a job is to create its next number, which only one process can; from then on only
 *   that process writes to it. A claim lapses at the time in it, unless its owner writes it again;
 * - `output-<n>`: what the owner of a claim answered. The result is the outputs of all claims, each as far as the last
 *   state says: what a killed process wrote behind it is no part.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { synced } from '../../store/durable.ts';

/** Bytes of a row of JSON, characters of one of CSV. */
export const maxRowBytes = 65_536;

/** What applies to all rows: parameters by their columns, parameters that all have, and the most results of each. */
export type RowForm = { map: Record<string, string[]>; set: Record<string, string>; limitPerRow: number };

/** What was asked. */
export type Job = {
  id: string;
  keyId: number;
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
  /** Numbers of the claims whose outputs make the result, and how many bytes of each. */
  outputs: [] as { claim: number; bytes: number }[],
  /** Until when nobody else may claim it, epoch ms. */
  claimedUntil: 0,
};

export type JobState = typeof notStarted & {
  /** When a paused job goes on, epoch ms. */
  resumesAt?: number | undefined;
  endedAt?: number | undefined;
  /** Why it is paused or has failed. */
  detail?: string | undefined;
};

/** A job with its state, and the number of the claim that the state is of; 0 before the first. */
export type FoundJob = { job: Job; claim: number; state: JobState };

/** Jobs that are still received, or being removed, have a name with this beginning. */
const arriving = '.arriving-';
/** After this time one of them is a leftover of a killed process, ms. */
const arrivingMs = 3_600_000;

export class JobFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  #pathOf({ keyId, id }: Pick<Job, 'keyId' | 'id'>, file = ''): string {
    return join(this.#directory, String(keyId), id, file);
  }

  /** Makes the folder of a job that is received: `write` writes the input to its path and returns the rest of the job. */
  async add(keyId: number, write: (input: string) => Promise<Omit<Job, 'id' | 'keyId'>>): Promise<FoundJob> {
    const id = randomBytes(12).toString('hex');
    const part = this.#pathOf({ keyId, id: arriving + id });
    // Rows are personal data.
    await mkdir(part, { recursive: true, mode: 0o700 });
    try {
      const job: Job = { id, keyId, ...(await write(join(part, 'input'))) };
      await writeFile(join(part, 'job.json'), JSON.stringify(job), durable);
      await synced(part);
      await rename(part, this.#pathOf(job));
      await synced(join(this.#directory, String(keyId)));
      return { job, claim: 0, state: notStarted };
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  /** A key's job; undefined for none of that id. */
  async find(keyId: number, id: string): Promise<FoundJob | undefined> {
    if (!/^[0-9a-f]{24}$/.test(id)) return undefined;
    const of = { keyId, id };
    try {
      const job = JSON.parse(await readFile(this.#pathOf(of, 'job.json'), 'utf8')) as Job;
      const claim = claimsIn(await readdir(this.#pathOf(of))).at(-1) ?? 0;
      if (claim === 0) return { job, claim, state: notStarted };
      return { job, claim, state: JSON.parse(await readFile(this.#pathOf(of, claimFile(claim)), 'utf8')) };
    } catch (error) {
      // Deleted, or claimed again since the folder was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return (await exists(this.#pathOf(of, 'job.json'))) ? this.find(keyId, id) : undefined;
    }
  }

  /** The ids of a key's jobs, those that are still received included. */
  async idsOf(keyId: number): Promise<string[]> {
    return listed(join(this.#directory, String(keyId)));
  }

  /** Size of all jobs of a key or of all keys, those that are still received included, in bytes. */
  async bytes(keyId?: number): Promise<number> {
    let sum = 0;
    for (const key of keyId === undefined ? await listed(this.#directory) : [String(keyId)]) {
      for (const id of await listed(join(this.#directory, key))) {
        for (const file of await listed(join(this.#directory, key, id))) {
          // A job may be deleted meanwhile.
          sum += (await stat(join(this.#directory, key, id, file)).catch(() => ({ size: 0 }))).size;
        }
      }
    }
    return sum;
  }

  /** Every job as key and id. Removes what killed processes were receiving. */
  async all(): Promise<{ keyId: number; id: string }[]> {
    const found: { keyId: number; id: string }[] = [];
    for (const key of await listed(this.#directory)) {
      for (const id of await listed(join(this.#directory, key))) {
        if (!id.startsWith(arriving)) found.push({ keyId: Number(key), id });
        else {
          const path = join(this.#directory, key, id);
          const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
          if (Date.now() - mtimeMs > arrivingMs) await rm(path, { recursive: true, force: true });
        }
      }
    }
    return found;
  }

  /** Claims a job with a state, which may leave out the last claim's output; undefined where another process has, or the job was deleted. */
  async claim({ job, claim }: FoundJob, state: JobState): Promise<FoundJob | undefined> {
    const part = this.#pathOf(job, `${randomBytes(6).toString('hex')}.part`);
    try {
      await writeFile(part, JSON.stringify(state), durable);
      // Fails where the file exists, and it appears with its content.
      await link(part, this.#pathOf(job, claimFile(claim + 1)));
    } catch (error) {
      if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    } finally {
      await rm(part, { force: true });
    }
    await rm(this.#pathOf(job, claimFile(claim)), { force: true });
    if (!state.outputs.some((output) => output.claim === claim)) await rm(this.output(job, claim), { force: true });
    return { job, claim: claim + 1, state };
  }

  /**
   * Writes the state of a claim once its output is on the disk: it must not say more than a power failure leaves. False where
   * another process has claimed the job since, or it was deleted.
   */
  async write({ job, claim }: FoundJob, state: JobState): Promise<boolean> {
    const part = this.#pathOf(job, `claim-${claim}.part`);
    try {
      if (await exists(this.#pathOf(job, claimFile(claim + 1)))) return false;
      await synced(this.output(job, claim));
      await writeFile(part, JSON.stringify(state), durable);
      await rename(part, this.#pathOf(job, claimFile(claim)));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  input(job: Job): string {
    return this.#pathOf(job, 'input');
  }

  output(job: Job, claim: number): string {
    return this.#pathOf(job, `output-${claim}`);
  }

  /** Removes a job at once for all that look for it, then its files. */
  async remove({ keyId, id }: Pick<Job, 'keyId' | 'id'>): Promise<void> {
    const gone = this.#pathOf({ keyId, id: `${arriving}${id}` });
    try {
      await rename(this.#pathOf({ keyId, id }), gone);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await rm(gone, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** On the disk before it has its name. */
const durable = { flush: true };

const claimFile = (claim: number) => `claim-${claim}.json`;

const claimsIn = (names: readonly string[]): number[] =>
  names
    .map((name) => Number(/^claim-(\d+)\.json$/.exec(name)?.[1] ?? 0))
    .filter((claim) => claim > 0)
    .sort((a, b) => a - b);

async function listed(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
