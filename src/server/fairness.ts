/**
 * The thread's time is shared among callers. A request runs at once while the current turn of the event loop has time
 * left, and otherwise waits in the lane of its network and key; who recently used the least time is next.
 */
import type { onRequestHookHandler } from 'fastify';
import TinyQueue from 'tinyqueue';
import { WhereaboutsError } from '../errors.ts';
import type { Soon } from '../keys/soon.ts';
import { callerOf } from './call.ts';
import type { Limits } from './limits.ts';
import type { Service } from './service.ts';

/** The names that a caller's use is counted under: its network, the wider ones that contain it, and its key. */
export type Caller = readonly string[];

type Task = () => unknown;
type Lane = { caller: Caller; tasks: { run: Task; since: number }[]; usedMs: number };

/** Half-life of the time that a caller has used, ms. */
const halfLifeMs = 5_000;
const decayEveryMs = 500;
/** Less than this is forgotten, ms. */
const negligibleMs = 0.1;
/** Most lanes whose place is corrected in one choice, which bounds its time. */
const maxCorrections = 16;

/** Shares time. `now` in ms; `nextTurn` runs something in the next turn of the event loop. */
export class Lanes {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #lanes = new Map<string, Lane>();
  /** By the time used when they were inserted, which may have grown since. */
  readonly #order = new TinyQueue<Lane>([], (a, b) => a.usedMs - b.usedMs || a.tasks[0].since - b.tasks[0].since);
  readonly #used = new Map<string, number>();
  #decayedAt = 0;
  #spentMs = 0;
  #isDue = false;
  /** Requests that wait. */
  waiting = 0;

  constructor(
    limits: Limits,
    { now = () => performance.now(), nextTurn = setImmediate as (run: () => void) => void } = {},
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /** Whether work may start at once. */
  isFree(): boolean {
    return this.waiting === 0 && this.#spentMs < this.#limits.sliceMs;
  }

  /** Runs a task at once or later; throws or rejects with what it throws. */
  run<T>(caller: () => Caller, task: () => Soon<T>): Soon<T> {
    if (!this.isFree()) {
      return new Promise<T>((resolve, reject) => {
        this.wait(caller(), () => {
          try {
            resolve(task());
          } catch (error) {
            reject(error);
          }
        });
      });
    }
    const startedAt = this.#now();
    try {
      return task();
    } finally {
      this.#spentMs += this.#now() - startedAt;
      if (this.#spentMs > 1) this.#turnLater();
    }
  }

  /** Queues a task, which must not throw. */
  wait(caller: Caller, run: Task): void {
    const now = this.#now();
    if (now - this.#decayedAt >= decayEveryMs) this.#decay(now);
    const name = caller.join(' ');
    const task = { run, since: now };
    const lane = this.#lanes.get(name);
    if (lane) lane.tasks.push(task);
    else {
      const opened = { caller, tasks: [task], usedMs: this.#usedBy(caller) };
      this.#lanes.set(name, opened);
      this.#order.push(opened);
    }
    this.waiting++;
    this.#turnLater();
  }

  /** Why a further request of a caller is refused: too many of its own wait, or they have waited too long. */
  refusal(caller: Caller): 'own' | 'all' | undefined {
    const { waitingRequests, waitingRequestsPerKey, maxWaitMs } = this.#limits;
    if (this.waiting >= waitingRequests) return 'all';
    const tasks = this.#lanes.get(caller.join(' '))?.tasks ?? [];
    if (tasks.length >= waitingRequestsPerKey) return 'own';
    return tasks.length > 0 && maxWaitMs > 0 && this.#now() - tasks[0].since > maxWaitMs ? 'all' : undefined;
  }

  #turnLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    this.#spentMs = 0;
    if (this.waiting === 0) return;
    do {
      const lane = this.#takeLane();
      const { run } = lane.tasks.shift()!;
      if (lane.tasks.length > 0) this.#order.push(lane);
      else this.#lanes.delete(lane.caller.join(' '));
      this.waiting--;
      const startedAt = this.#now();
      run();
      const ms = this.#now() - startedAt;
      this.#spentMs += ms;
      for (const name of lane.caller) this.#used.set(name, (this.#used.get(name) ?? 0) + ms);
    } while (this.waiting > 0 && this.#spentMs < this.#limits.sliceMs);
    // Also where nobody waits any more: what arrives before the next turn waits for it.
    this.#turnLater();
  }

  /** Removes and returns the lane of the caller with the least time used. */
  #takeLane(): Lane {
    for (let corrections = 0; ; corrections++) {
      const lane = this.#order.pop()!;
      const usedMs = this.#usedBy(lane.caller);
      const hasGrown = usedMs > lane.usedMs && this.#order.length > 0 && corrections < maxCorrections;
      lane.usedMs = usedMs;
      if (!hasGrown) return lane;
      this.#order.push(lane);
    }
  }

  /** Time recently used by a caller, ms: the most of its names; the least of them decides between equals. */
  #usedBy(caller: Caller): number {
    const times = caller.map((name) => this.#used.get(name) ?? 0);
    return Math.max(...times) + Math.min(...times) / 1000;
  }

  #decay(now: number): void {
    const part = 2 ** ((this.#decayedAt - now) / halfLifeMs);
    this.#decayedAt = now;
    for (const [name, ms] of this.#used) {
      if (ms * part < negligibleMs) this.#used.delete(name);
      else this.#used.set(name, ms * part);
    }
    // By the same factor, so that the order remains.
    for (const lane of this.#lanes.values()) lane.usedMs *= part;
  }
}

/** Lets a request through when it is its turn. Answers 429 or 503 where too much of its caller waits already. */
export const fairTurns = (service: Service): onRequestHookHandler => {
  const { lanes } = service;
  return ({ call }, _reply, done) => {
    service.arrived++;
    // A probe must not wait for what it is to report.
    if (call.route?.isVital) return done();
    if (lanes.isFree()) return void lanes.run(() => [], done);
    const caller = callerOf(service, call);
    const refusal = lanes.refusal(caller);
    if (refusal === undefined) return lanes.wait(caller, () => !call.response.destroyed && done());
    service.refused++;
    done(overloaded(refusal));
  };
};

function overloaded(refusal: 'own' | 'all'): WhereaboutsError {
  const retry = { retryAfterSeconds: 2 };
  return refusal === 'own'
    ? new WhereaboutsError('rate_limited', 'too many requests with this key are waiting; send fewer at once', retry)
    : new WhereaboutsError('unavailable', 'the service is overloaded; send fewer requests, or try again later', retry);
}
