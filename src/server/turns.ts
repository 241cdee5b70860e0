/**
 * Schedules requests on the single thread: a request runs at once while the current turn of the event loop has time
 * left, and otherwise waits in a fair queue by network address and key.
 */
import type { Soon } from '../keys/soon.ts';
import { FairQueue, type Task } from './fair-queue.ts';
import type { Limits } from './limits.ts';

/** The unit of fair sharing: a network, and within it the text of a key, or an empty text. */
export type Caller = { network: string; key: string };

export type Turns = {
  /** Whether work may start at once: nothing waits, no connection arrived, and this turn has time left. */
  isFree(): boolean;
  /** Records the time of work that ran at once, ms. */
  spend(ms: number): void;
  /** Queues a task of a caller. A task must not throw. */
  wait(caller: Caller, task: Task): void;
  /** Runs a task at once or later; throws or rejects with what it throws. */
  run<T>(caller: Caller, task: () => Soon<T>): Soon<T>;
  /**
   * Runs a task that continues in microtasks without external waiting: at once or later, as the last of its turn; its
   * time counts until it is settled.
   */
  runUntilSettled<T>(caller: Caller, task: () => Promise<T>): Promise<T>;
  /** Why a request of a caller is refused: too many of its own wait, or others have waited too long. */
  refusal(caller: Caller): 'own' | 'all' | undefined;
  /**
   * Records that a connection arrived in this turn. The event loop accepts one per turn, so that the next ones wait for
   * long turns: half of the time, further ones are accepted before work starts.
   */
  connected(): void;
  /** Whether the time of this turn is measured, because something in it took long. */
  readonly isMeasured: boolean;
  /**
   * Records and returns the time since the last work of this turn, ms; 0 if it was not measured, which starts now.
   * `isWork`: whether it was scheduled as work.
   */
  measure(isWork: boolean): number;
  /** Calls `run` at the end of each measured turn; it returns whether the next one is to be measured too. */
  onTurnEnd(run: () => boolean): void;
  /** Number of waiting tasks. */
  readonly waiting: number;
};

/** Work up to this time needs no end-of-turn callback, ms: so only one in dozens of cheap requests pays for it. */
const negligibleMs = 1;

export function createTurns(
  limits: Pick<Limits, 'sliceMs' | 'maxWaitMs' | 'waitingRequests' | 'waitingRequestsPerKey'>,
  { now = () => performance.now(), nextTurn = (run: () => void): void => void setImmediate(run) } = {},
): Turns {
  const queue = new FairQueue();
  let spentMs = 0;
  let isNoted = false;
  /** End of the last work of a turn with an end-of-turn callback. */
  let markedAt = 0;
  let atEnd = (): boolean => false;
  let hasConnected = false;
  /** End and duration of the last work. */
  let workedAt = 0;
  let workedMs = 0;
  let turnsSoFar = 0;

  function note(): void {
    if (isNoted) return;
    isNoted = true;
    markedAt = now();
    nextTurn(turn);
  }

  function turn(): void {
    isNoted = false;
    turnsSoFar++;
    spentMs = 0;
    const isAccepting = hasConnected;
    hasConnected = false;
    const startedAt = now();
    if (isAccepting && startedAt - workedAt < Math.max(limits.sliceMs, workedMs)) {
      note();
      return;
    }
    const isToMeasure = atEnd();
    if (queue.size === 0) {
      if (isToMeasure) note();
      return;
    }
    let from = startedAt;
    let rest: Promise<unknown> | undefined;
    do {
      const { caller, task } = queue.next()!;
      const result = task();
      rest = result instanceof Promise ? result : undefined;
      const until = now();
      queue.charge(caller, until - from);
      from = until;
      if (rest) countRest(rest, caller);
    } while (!rest && queue.size > 0 && from - startedAt < limits.sliceMs);
    spentMs = from - startedAt;
    workedMs = spentMs;
    workedAt = from;
    // Also where nobody waits any more: what the tasks leave to do is booked in this turn.
    note();
  }

  /** Records the time until a task is settled, which is in this turn unless it waits for something external. */
  function countRest(rest: Promise<unknown>, caller: Caller): void {
    const from = now();
    const turn = turnsSoFar;
    const settled = () => {
      if (turnsSoFar !== turn) return;
      const ms = now() - from;
      queue.charge(caller, ms);
      spend(ms);
      workedMs += ms;
      workedAt = from + ms;
    };
    rest.then(settled, settled);
  }

  const isFree = () => queue.size === 0 && spentMs < limits.sliceMs && !hasConnected;
  const wait = (caller: Caller, task: Task) => {
    queue.add(caller, task, now());
    note();
  };
  const spend = (ms: number) => {
    spentMs += ms;
    if (isNoted) markedAt += ms;
    else if (spentMs > negligibleMs) note();
  };
  return {
    isFree,
    spend,
    wait,
    run<T>(caller: Caller, task: () => Soon<T>): Soon<T> {
      if (!isFree()) {
        return new Promise<T>((resolve, reject) => {
          wait(caller, () => {
            try {
              resolve(task());
            } catch (error) {
              reject(error);
            }
          });
        });
      }
      const startedAt = now();
      try {
        return task();
      } finally {
        spend(now() - startedAt);
      }
    },
    runUntilSettled<T>(caller: Caller, task: () => Promise<T>): Promise<T> {
      if (!isFree()) {
        return new Promise<T>((resolve, reject) => {
          wait(caller, () => {
            const rest = task();
            rest.then(resolve, reject);
            return rest;
          });
        });
      }
      const startedAt = now();
      const rest = task();
      spend(now() - startedAt);
      countRest(rest, caller);
      return rest;
    },
    refusal(caller) {
      if (queue.size === 0) return undefined;
      if (queue.size >= limits.waitingRequests) return 'all';
      if (queue.waitingOf(caller.key) >= limits.waitingRequestsPerKey) return 'own';
      const oldest = queue.oldestOf(caller);
      return oldest !== undefined && limits.maxWaitMs > 0 && now() - oldest > limits.maxWaitMs ? 'all' : undefined;
    },
    connected() {
      hasConnected = true;
      note();
    },
    get isMeasured() {
      return isNoted;
    },
    measure(isWork) {
      note();
      const ms = now() - markedAt;
      markedAt += ms;
      spentMs += ms;
      if (isWork) {
        workedAt = markedAt;
        workedMs += ms;
      }
      return ms;
    },
    onTurnEnd(run) {
      atEnd = run;
    },
    get waiting() {
      return queue.size;
    },
  };
}
