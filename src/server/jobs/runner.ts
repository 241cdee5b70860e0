/** Answers the rows of jobs, between requests: of each key one job at a time, a few at once in a process. */
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpoints } from '../../endpoints/index.ts';
import { type ErrorCode, errorTable, systemReason, WhereaboutsError } from '../../errors.ts';
import { lineGroups } from '../../geocode/input.ts';
import type { Plan } from '../../keys/key-record.ts';
import { type Account, dayMs } from '../../keys/meter.ts';
import { whenFound } from '../../store/store.ts';
import { checkEndpoint, quotaExceeded, shareOfPlan } from '../access.ts';
import { interrupted } from '../body.ts';
import type { Caller } from '../fairness.ts';
import { places } from '../places.ts';
import type { Service } from '../service.ts';
import { type FoundJob, isJobOf, type Job, type JobState, jobFiles } from './job-files.ts';
import { answeringRows, type RowResult, resultHeader } from './rows.ts';

export type JobOptions = {
  /** Where jobs are kept; processes that share it work on the same jobs. */
  directory: string;
  /** How often jobs that are due are looked for, ms. */
  sweepMs?: number;
  /**
   * While the jobs of all keys take this much of the disk, no further one is taken; those of one key may take a tenth of it;
   * bytes, 10 GB by default.
   */
  maxBytes?: number;
  /** How long a job is kept beyond its end by the time that this process has run: the clock may be wrong for a moment; ms, an hour by default. */
  keptMs?: number;
};

/** How long a result is kept, and a job that has none yet, ms. */
const resultMs = dayMs;
const unfinishedMs = 7 * dayMs;
const writeStateMs = 500;
/** After this time a paused job tries again, as its key may have another plan; ms. */
const tryAgainMs = 60_000;
/** The same where data, keys or the disk could not be reached, ms. */
const awayMs = 5_000;
/** Rows whose calls are taken together. */
const rowsAtOnce = 20;
/** How long rows may occupy the thread before requests have their turn, ms. */
const sliceMs = 2;
const maxRunning = 4;
/** How long a job keeps its place where others wait for one, ms. */
const turnMs = 2_000;
/** Larger bodies wait for each other only; bytes. */
const maxSmallBytes = 1_048_576;
/** Processor time of reading, as measured: the process alone, and bytes of CSV; of lines of JSON it reads more than twice as many. */
const processMs = 250;
const bytesPerMs = 9_000;
/** Jobs of a key that are kept at a time, and the part of the disk's room that they may take: one in so many. */
const maxJobs = 10;
const keyShare = 10;
/** The same by its plan; and what its jobs may take while there is no room: who has none always gets a place; bytes. */
const bytesPerCall = 65_536;
const alwaysBytes = 1_000_000;
/** While a job arrives the room is looked at again behind so many bytes. */
const countedBytes = 65_536;
/** The part of the room that keys without a larger plan may fill, of which anybody may have many. */
const smallestPart = 1 / 2;

/** Whether a time is yet to come. What is further away than any wait was written while the clock was wrong. */
const isAhead = (time: number, now: number) => time > now && time <= now + dayMs;

/** When a job is forgotten, epoch ms. */
export const endOf = ({ job, state }: Pick<FoundJob, 'job' | 'state'>): number =>
  state.endedAt === undefined ? job.createdAt + unfinishedMs : state.endedAt + resultMs;

/** A job that arrives: whose, the bytes that it is said to have, and those that are there. */
export type Arriving = { keyId: number; announced: number; bytes: number };

const sumOf = (sizes: Iterable<number>) => Iterator.from(sizes).reduce((sum, each) => sum + each, 0);

/** What stops a job before its end: the state it is left in. */
class Stopped extends Error {
  readonly change: Partial<JobState>;

  constructor(change: Partial<JobState>) {
    super();
    this.change = change;
  }
}

/** A service, and the runner of its jobs where it keeps any. */
export type JobService = Service & { jobs?: JobRunner | undefined };

/** The runner of a service's jobs. */
export type JobRunner = ReturnType<typeof jobRunner>;

/** Works on the jobs of a directory from its start until it is closed. */
export function jobRunner(
  service: Service,
  { directory, sweepMs = 1_000, maxBytes = 1e10, keptMs = 3_600_000 }: JobOptions,
) {
  const files = jobFiles(directory);
  const { shareOf } = service.lanes;
  /** Small and large ones, so that nobody's small one waits for a large one. */
  const readers = [places(2, shareOf), places(1, shareOf)];
  /** Ids of the jobs that are worked on here, with their keys. */
  const running = new Map<string, { keyId: number; isCancelled: boolean; ended: Promise<void> }>();
  /** When a job is looked at again, epoch ms. */
  const nextLook = new Map<string, number>();
  /** When a job was first seen beyond its end, ms. */
  const overSince = new Map<string, number>();
  /** What is announced of each job, until it is one or was refused. */
  const arriving = new Map<string, Arriving>();
  /** Bytes of each job, as a sweep found it or it was written here since. */
  const sizes = new Map<string, number>();
  /** When a key's job last had a place here, ms; and whether another job waits for one. */
  const hadPlace = new Map<number, number>();
  let isPlaceWanted = false;
  let sweeping: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;

  /** What to say of a key whose jobs take more than its part of the disk; undefined for others. */
  function excessOf(bytes: number, { callsPerDay }: Plan): string | undefined {
    const most = Math.min(maxBytes / keyShare, callsPerDay * bytesPerCall);
    if (bytes <= most) return undefined;
    return `the jobs of the key take ${megabytes(bytes)} MB of this service's disk, at most ${megabytes(most)} MB are kept`;
  }

  /**
   * What to say of a key whose jobs take more than a little of the disk while those of all keys leave it no room for `more`; undefined
   * for others.
   */
  function fullFor(own: number, plan: Plan, more = 0): string | undefined {
    const room = shareOfPlan(plan) > 1 ? maxBytes : maxBytes * smallestPart;
    const bytes = sumOf(sizes.values()) + sumOf(arriving.values().map((each) => each.bytes)) + more;
    if (own <= alwaysBytes || bytes <= room) return undefined;
    return `the jobs of all keys take ${megabytes(bytes)} MB of this service's disk, at most ${megabytes(room)} MB are kept for this plan`;
  }

  /** Looks for jobs that are due: to be worked on, or to be forgotten. */
  function sweep(): void {
    sweeping ??= sweepOnce()
      .catch((error) => service.log.error({ err: error }, 'jobs could not be looked for; retrying'))
      .finally(() => (sweeping = undefined));
  }

  async function sweepOnce(): Promise<void> {
    if (!service.store.current) return;
    const all = await files.all();
    const known = new Set(all.map(({ id }) => id));
    for (const byId of [nextLook, overSince, sizes]) for (const id of byId.keys()) if (!known.has(id)) byId.delete(id);
    const keys = new Set(all.map(({ keyId }) => keyId));
    for (const keyId of hadPlace.keys()) if (!keys.has(keyId)) hadPlace.delete(keyId);
    isPlaceWanted = false;
    const since = ({ keyId }: { keyId: number }) => hadPlace.get(keyId) ?? 0;
    for (const { keyId, id } of all.sort((one, other) => since(one) - since(other))) {
      const now = service.now();
      if (isClosing) return;
      if (running.has(id) || isAhead(nextLook.get(id) ?? 0, now)) continue;
      try {
        await look(keyId, id, now);
      } catch (error) {
        nextLook.set(id, now + tryAgainMs);
        service.log.error({ err: error, job: id }, 'a job could not be looked at; retrying');
      }
    }
  }

  async function look(keyId: number, id: string, now: number): Promise<void> {
    const found = await files.find(keyId, id);
    if (!found) return;
    const { job, state } = found;
    sizes.set(id, job.bytes + state.outputBytes);
    const ends = endOf(found);
    if (ends <= now) {
      const since = overSince.get(id) ?? performance.now();
      overSince.set(id, since);
      if (performance.now() - since >= keptMs) await files.remove(job);
      return;
    }
    overSince.delete(id);
    if (state.endedAt !== undefined) nextLook.set(id, ends);
    else if (isAhead(state.retryAt, now)) nextLook.set(id, state.retryAt);
    else await begin(job, now);
  }

  async function begin(job: Job, now: number): Promise<void> {
    const { keyId, id } = job;
    if (running.values().some((other) => other.keyId === keyId)) return;
    if (running.size >= maxRunning) {
      isPlaceWanted = true;
      return;
    }
    const lock = await files.lock(job);
    if (!lock) return void nextLook.set(id, now + awayMs);
    // Another process may have gone on with it, or deleted it, since it was found.
    const found = await files.find(keyId, id).catch((error) => {
      lock.close();
      throw error;
    });
    if (!found || found.state.endedAt !== undefined || isAhead(found.state.retryAt, now)) return lock.close();
    const work = { keyId, isCancelled: false, ended: Promise.resolve() };
    running.set(id, work);
    work.ended = workOn(found, work).finally(() => {
      lock.close();
      running.delete(id);
      hadPlace.set(keyId, performance.now());
      if (!isClosing) sweep();
    });
  }

  /** Works on a job that is locked until it ends or stops, and leaves its state behind. */
  async function workOn({ job, state: before }: FoundJob, work: { isCancelled: boolean }): Promise<void> {
    const { log, now, keys } = service;
    const state = { ...before };
    const start = state.outputBytes;
    const output = createWriteStream(files.output(job), { start, flags: start > 0 ? 'r+' : 'w' });
    // A failure is thrown where it is written to.
    output.on('error', () => {});
    const calls = unwrittenCalls(keys, job.endpoint, now);
    const write = async (change: Partial<JobState>): Promise<void> => {
      await flushed(output);
      state.outputBytes = start + output.bytesWritten;
      sizes.set(job.id, job.bytes + state.outputBytes);
      Object.assign(state, { retryAt: 0, resumesAt: undefined, detail: undefined }, change);
      if (!(await files.write(job, state))) throw new Stopped({});
      calls.count();
    };
    const leave = (change: Partial<JobState>) => write(change).catch(() => nextLook.set(job.id, now() + awayMs));
    try {
      await answerRows(job, state, output, work, calls, write);
      await write({ state: 'done', endedAt: now() });
    } catch (error) {
      if (error instanceof Stopped) await leave(error.change);
      // Without its files where it was deleted as it began; those of a bad disk may be unreadable.
      else if (await files.find(job.keyId, job.id).catch(() => true)) {
        log.error({ err: error, job: job.id }, 'a job could not go on; it is tried again');
        const detail = `it could not go on: ${systemReason(error)}`;
        await leave({ state: 'queued', retryAt: now() + awayMs, detail });
      }
    } finally {
      output.destroy();
      calls.giveBack();
    }
  }

  async function answerRows(
    job: Job,
    state: JobState,
    output: WriteStream,
    work: { isCancelled: boolean },
    calls: ReturnType<typeof unwrittenCalls>,
    write: (change: Partial<JobState>) => Promise<void>,
  ): Promise<void> {
    const { now } = service;
    const endpoint = (endpoints as Record<string, Endpoint>)[job.endpoint];
    const answer = answering(endpoint, job);
    if (state.outputBytes === 0) output.write(resultHeader(endpoint, job));
    const beganAt = performance.now();
    let writtenAt = beganAt;
    const isOver = () => isPlaceWanted && performance.now() - beganAt > turnMs;
    const input = createReadStream(files.input(job), { start: state.inputBytes });
    for await (const group of lineGroups(input as AsyncIterable<Buffer>)) {
      const lines = group as Buffer[];
      for (let at = 0; at < lines.length; ) {
        if (work.isCancelled) throw new Stopped({});
        if (isClosing) throw new Stopped({ state: 'queued', retryAt: 0 });
        const account = await accountOf(job);
        const granted = await calls.take(account, Math.min(rowsAtOnce, lines.length - at));
        if (granted === 0) throw outOfQuota(account);
        const isNews = state.state !== 'running';
        for (let left = granted; left > 0; left--, at++) {
          if (isOver()) {
            calls.giveBack(left);
            break;
          }
          const result = await answer(lines[at], state.answered + 1);
          if (result.code === 'unavailable' || result.code === 'dataset_missing') {
            calls.giveBack(left);
            throw new Stopped({
              state: 'queued',
              retryAt: now() + awayMs,
              detail: `${result.code}; it is tried again`,
            });
          }
          if (isFree(result.code)) calls.giveBack(1);
          state.answered++;
          state[result.outcome]++;
          state.inputBytes += lines[at].length + 1;
          if (!output.write(result.text)) await flushed(output);
        }
        if (!isNews && !isOver() && performance.now() - writtenAt < writeStateMs) continue;
        await write({ state: 'running' });
        writtenAt = performance.now();
        const own = sumOf((await files.roomOf(job.keyId)).values());
        const excess = excessOf(own, account.plan);
        if (excess) {
          const detail = `${excess}; delete others and send the rows that have no result yet`;
          throw new Stopped({ state: 'failed', endedAt: now(), detail });
        }
        const full = fullFor(own, account.plan);
        if (full) throw new Stopped({ state: 'queued', retryAt: now() + tryAgainMs, detail: full });
        if (isOver()) throw new Stopped({ state: 'queued', retryAt: 0 });
      }
    }
    if (state.answered < job.rows) {
      const detail = `${job.rows - state.answered} of its rows are no longer on the disk; send them again`;
      throw new Stopped({ state: 'failed', endedAt: now(), detail });
    }
  }

  /** Creates the function that answers a line of the input when it is its turn, by the dataset that is served then. */
  function answering(endpoint: Endpoint, job: Job): (line: Buffer, number: number) => Promise<RowResult> {
    const { store, lanes, lookUps, log } = service;
    const caller = [`jobs of key ${job.keyId}`];
    let opened = store.current!;
    let answer = answeringRows(opened, endpoint, job);
    let turnedAt = performance.now();
    return async (line, number) => {
      if (performance.now() - turnedAt > sliceMs) {
        await nextTurn();
        turnedAt = performance.now();
      }
      const result = await lanes.run(
        () => caller,
        () => {
          if (store.current !== opened) answer = answeringRows((opened = store.current!), endpoint, job);
          return whenFound(
            () => answer(line, number),
            (found) => lookUps(caller, () => found.fetch()).then(() => lanes.turn(caller, endpoint, true)),
          );
        },
        endpoint,
      );
      if (result.bug !== undefined) log.error({ err: result.bug, job: job.id, row: number }, 'a row caused a bug');
      return result;
    };
  }

  /** The account that pays. Throws Stopped where its key may no longer be used for this. */
  async function accountOf(job: Job): Promise<Account> {
    const failed = (detail: string) => new Stopped({ state: 'failed', endedAt: service.now(), detail });
    const account = await service.keys.accountOf(job.keyId, service.now());
    if (typeof account === 'string') throw failed(`the key is ${account}`);
    if (!isJobOf(job, account.key)) throw failed('the key is another');
    try {
      checkEndpoint(account, job.endpoint);
      return account;
    } catch (error) {
      throw failed((error as Error).message);
    }
  }

  function outOfQuota(account: Account): Stopped {
    const now = service.now();
    const { message, retryAfterSeconds = 1 } = quotaExceeded(account, now);
    const resumesAt = Math.ceil((now + retryAfterSeconds * 1000) / 1000) * 1000;
    return new Stopped({
      state: 'paused',
      resumesAt,
      retryAt: Math.min(resumesAt, now + tryAgainMs),
      detail: message,
    });
  }

  return {
    files,
    arriving,
    start(): void {
      timer = setInterval(sweep, sweepMs).unref();
      sweep();
    },
    /** Stops working; the jobs go on with the next process. */
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(timer);
      await sweeping;
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
    /**
     * Throws where a key has too many jobs besides one that arrives, or they take too much with it, or more than a little while those of
     * all keys leave no room for it. What is announced counts for the key from then on, for all what has arrived: else who
     * only announces would have the room. Of a job that was read it is what it has.
     */
    async checkRoom({ key, plan }: Account, id: string, arrived: Arriving, isRead = false): Promise<void> {
      const ofKey = await files.roomOf(key.id);
      if (ofKey.size > maxJobs) {
        const detail = `the key has ${ofKey.size - 1} jobs, at most ${maxJobs} are kept; delete one`;
        throw new WhereaboutsError('rate_limited', detail);
      }
      arriving.delete(id);
      for (const [other, { keyId, announced, bytes }] of arriving)
        if (keyId === key.id) ofKey.set(other, Math.max(announced, bytes, ofKey.get(other) ?? 0));
      const bytes = isRead ? arrived.bytes : arrived.announced;
      const own = sumOf(ofKey.set(id, bytes).values());
      const excess = excessOf(own, plan);
      if (excess) throw new WhereaboutsError('rate_limited', `${excess}; delete one, or send less`);
      const full = fullFor(own, plan, bytes);
      if (full) throw noRoom(full);
      if (isRead) sizes.set(id, bytes);
      else arriving.set(id, arrived);
    },
    /** Counts what has arrived of a job, and throws as soon as there is no room for it. */
    countArrived({ plan }: Account, arrived: Arriving, bytes: number): void {
      const isMuchMore = Math.floor(bytes / countedBytes) > Math.floor(arrived.bytes / countedBytes);
      arrived.bytes = bytes;
      const full = isMuchMore ? fullFor(bytes, plan) : undefined;
      if (full) throw noRoom(full);
    },
    /** Reads what a job was sent with, one large and two small ones at a time: each takes a process and some of the memory. */
    async inTurn<T>(caller: Caller, bytes: number, read: () => Promise<T>, client?: ServerResponse): Promise<T> {
      if (client?.destroyed) throw interrupted();
      const reader = readers[bytes > maxSmallBytes ? 1 : 0];
      // Its sender, or a proxy, may give up as it waits.
      return reader(caller, read, processMs + bytes / bytesPerMs, (leave) =>
        client?.once('close', () => leave(interrupted())),
      );
    },
    /** Removes a job, and ends the work on it. */
    async remove(job: Job): Promise<void> {
      const here = running.get(job.id);
      if (here) here.isCancelled = true;
      await here?.ended;
      await files.remove(job);
      sizes.delete(job.id);
    },
    sweep,
  };
}

/** Calls for rows of which the disk knows nothing yet: nobody has these, and they are answered again. */
function unwrittenCalls({ meter }: Service['keys'], endpoint: string, now: () => number) {
  let payer: Account;
  let calls = 0;
  return {
    async take(account: Account, most: number): Promise<number> {
      const granted = await meter.take(account, most, now());
      payer = account;
      calls += granted;
      return granted;
    },
    giveBack(count = calls): void {
      if (count > 0) meter.refund(payer, count, now());
      calls -= count;
    },
    /** The rows of all are written. */
    count(): void {
      for (; calls > 0; calls--) meter.count(payer, endpoint);
    },
  };
}

const noRoom = (full: string) =>
  new WhereaboutsError('unavailable', `${full}; delete jobs whose results you have, or send the job later`);

const megabytes = (bytes: number) => Math.round(bytes / 1e6).toLocaleString('en');

/** Whether a row with this error costs nothing, as a request with it would not. */
function isFree(code: string | undefined): boolean {
  const status = errorTable[code as ErrorCode]?.status ?? 200;
  return status >= 500 || status === 403;
}

/** Resolves when all that was written has been handed to the system. */
const flushed = (output: WriteStream) =>
  new Promise<void>((resolve, reject) => {
    if (output.errored) reject(output.errored);
    else output.write('', (error) => (error ? reject(error) : resolve()));
  });
