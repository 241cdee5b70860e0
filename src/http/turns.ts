/**
 * Who works next. The service has one thread: what arrives is worked at once while a turn of the event loop has time left
 * for it, and else waits, by network address and within it by key, until its turn comes.
 */
import type { Soon } from '../keys/soon.ts';
import { FairQueue, type Task } from './fair-queue.ts';
import type { Limits } from './limits.ts';

/** Among whom the time is shared: a network, and there the text of a key, or nothing. */
export type Caller = { network: string; key: string };

export type Turns = {
  /** Whether work may begin at once: nobody waits, no connection came, and there is time left in this turn. */
  isFree(): boolean;
  /** Books the time of work that was done at once, ms. */
  spend(ms: number): void;
  /** Runs a task when it is its caller's turn. A task must not throw. */
  wait(caller: Caller, task: Task): void;
  /** Runs a task at once or later; throws or rejects with what it throws. */
  run<T>(caller: Caller, task: () => Soon<T>): Soon<T>;
  /**
   * Runs a task that goes on in microtasks, without waiting for anything outside: at once or later, as the last one of its
   * turn, and its time counts until it is settled.
   */
  runUntilSettled<T>(caller: Caller, task: () => Promise<T>): Promise<T>;
  /** Why a request of a caller must not wait: too many of its own do, or those before it have waited for too long. */
  refusal(caller: Caller): 'own' | 'all' | undefined;
  /**
   * Notes that a connection came in this turn. The event loop lets one in per turn, so that those behind it wait as long as
   * turns are: further ones are let in before there is work, half of the time.
   */
  connected(): void;
  /** Whether the time of this turn is measured, as something in it took its time. */
  readonly isMeasured: boolean;
  /**
   * Books the time since the last work of this turn, which it returns, ms: 0 where it was not measured, and is from now on.
   * `isWork`: whether it was put off until its turn, as work is.
   */
  measure(isWork: boolean): number;
  /** Has something run at the end of each turn that is measured; it says whether the next one is to be measured too. */
  onTurnEnd(run: () => boolean): void;
  /** Tasks that wait. */
  readonly waiting: number;
};

/** So much work needs no note of when the turn ends, ms: cheap requests pay for one in dozens. */
const negligibleMs = 1;

export function createTurns(
  limits: Pick<Limits, 'sliceMs' | 'maxWaitMs' | 'waitingRequests' | 'waitingRequestsPerKey'>,
  { now = () => performance.now(), nextTurn = (run: () => void): void => void setImmediate(run) } = {},
): Turns {
  const queue = new FairQueue();
  let spentMs = 0;
  let isNoted = false;
  /** When the last work of a turn that is noted ended. */
  let markedAt = 0;
  let atEnd = (): boolean => false;
  let hasConnected = false;
  /** When work ended last, and how long it took. */
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

  /** Books the time from now until a task is settled, which is in this turn unless it waits for something after all. */
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
