/**
 * What callers share. The thread's time, by start-time fair queueing: a request runs at once while the current turn of the event
 * loop has time left, and otherwise waits in the lane of its network and key. Who begins to wait is even with those who wait, and
 * what its tasks take puts its next ones behind theirs. Places in that queue, and the memory of bodies and answers: where there is
 * no room left, who holds the most loses first.
 */
import TinyQueue from 'tinyqueue';
import { RecentCache } from '../core/recent-cache.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Soon } from '../keys/meter.ts';
import type { Limits } from './limits.ts';

/** The names that a caller's use is counted under: its network, the wider ones that contain it, and its key. */
export type Caller = readonly string[];

/** Either is called once: `refuse` where others need the task's place. */
type Task = { lane: Lane; run: () => unknown; refuse: (error: WhereaboutsError) => void; since: number; kind?: Kind };
/** A route, operation or tool, whose tasks are expected to take what they took of late. */
type Kind = object | string;
/**
 * Its tasks are none where the last one was refused: then it leaves the order later. `start` is the virtual time when its next
 * one came first in it, `place` that with what it costs.
 */
type Lane = { caller: Caller; tasks: Task[]; start: number; place: number };

const byPlace = (a: Lane, b: Lane) => a.place - b.place || (a.tasks[0]?.since ?? 0) - (b.tasks[0]?.since ?? 0);

/** Of work that is done at once, whose caller is determined only where it took more, ms. */
const leastCountedMs = 1;
/**
 * Lanes that are looked at in one choice, which bounds its time: a look takes a microsecond, and a task makes the lanes stale
 * that share a name with its own, so that more may be looked at behind it.
 */
const minLooks = 16;
const looksPerMs = 10;
const maxLooks = 1_000;
/**
 * What a task is expected to take counts so often: callers who come anew with a dear request each would all be before who is at work
 * with light ones. Dear ones wait until each other caller has used so many times the difference.
 */
const costWeight = 2;
/**
 * After a task that took longer than a slice, dear ones rest for this part of the excess: what another caller's request awaits one after the other
 * (the disk, entries of a batch, messages) comes back in turns, of which each would have a dear task.
 */
const restShare = 1 / 3;
/** What the last task adds to the average of its kind: little of one that took less, so that light ones do not hide the dear. */
const risingShare = 1 / 4;
const fallingShare = 1 / 32;

/** Half of the most names whose shares, and whose use, are known: a text that is no key is a name too. */
const keptNames = 5_000;

/** Who may start when: callers by all of their names, in the time that has been shared out. Who comes anew is even with those who wait. */
export class VirtualTime {
  #usedUntil = new RecentCache<string, number>(keptNames);
  #nowMs = 0;

  /** When a caller may start, no earlier than what was served last, or than `earliest`. */
  startOf(caller: Caller, earliest = this.#nowMs): number {
    const times = caller.map((name) => Math.max(earliest, this.#usedUntil.get(name) ?? 0));
    // Between equals the least of their names decides: of the addresses that share a key, the one that used least.
    const most = Math.max(earliest, ...times);
    return most + (Math.min(most, ...times) - earliest) / 1000;
  }

  /** Counts time as used by a caller. */
  use(caller: Caller, ms: number): void {
    for (const name of caller) this.#usedUntil.set(name, Math.max(this.#nowMs, this.#usedUntil.get(name) ?? 0) + ms);
  }

  /** Says when the one started that is served now. */
  reach(start: number): void {
    this.#nowMs = Math.max(this.#nowMs, start);
  }

  /** Where nobody waits all are even again. */
  restart(): void {
    this.#usedUntil = new RecentCache(keptNames);
    this.#nowMs = 0;
  }
}

type TurnLimits = Pick<Limits, 'sliceMs' | 'maxWaitMs' | 'waitingRequests' | 'waitingRequestsPerKey'>;

/**
 * Shares time. `now` in ms; `nextTurn` runs something in the next turn of the event loop, `afterPromises` in this one when no
 * promise is left to go on.
 */
export function sharedTime(
  { sliceMs, maxWaitMs, waitingRequests, waitingRequestsPerKey }: TurnLimits,
  {
    now = () => performance.now(),
    nextTurn = setImmediate as (run: () => void) => void,
    later = setTimeout as (run: () => void, ms: number) => void,
    afterPromises = (run: () => void) => queueMicrotask(() => process.nextTick(run)),
  } = {},
) {
  const lanes = new Map<string, Lane>();
  /** By their places when they were inserted, which may have grown since. */
  const order = new TinyQueue<Lane>([], byPlace);
  const virtual = new VirtualTime();
  const shares = new RecentCache<string, number>(keptNames);
  /** Tasks that wait, by the names of their callers; and those sets by their size, the largest last. */
  const waitingBy = new Map<string, Set<Task>>();
  const bySize: Set<Set<Task>>[] = [];
  const refusals = new Set<() => void>();
  /** What tasks of a kind took of late on average, ms. */
  const costs = new Map<Kind, number>();
  let spentMs = 0;
  let countedMs = 0;
  /** Lanes that may be looked at beyond the least. */
  let moreLooks = 0;
  let isResting = false;
  let isDue = false;
  /** Whether a task runs. What it starts has its turn. */
  let isInside = false;
  let waiting = 0;

  const costOf = (kind: Kind | undefined): number => (kind === undefined ? 0 : (costs.get(kind) ?? 0));
  const mustRest = (kind: Kind | undefined): boolean => isResting && costOf(kind) > sliceMs;
  /** Whether work of a kind may start at once. */
  const isFree = (kind?: Kind): boolean => waiting === 0 && spentMs < sliceMs && !mustRest(kind);
  /** How many times the time of others a caller's key has. */
  const shareOf = (caller: Caller): number => shares.get(caller.at(-1) ?? '') ?? 1;

  /** Runs a task now, and counts what it takes: its caller's if it is more than `leastMs`. */
  function perform<T>(caller: () => Caller, task: () => T, leastMs = 0, kind?: Kind): T {
    const [startedAt, countedBefore] = [now(), countedMs];
    const wasInside = isInside;
    const end = () => {
      const ms = now() - startedAt - (countedMs - countedBefore);
      if (kind) {
        const before = costOf(kind);
        costs.set(kind, before + (ms - before) * (ms > before ? risingShare : fallingShare));
      }
      if (!wasInside) {
        moreLooks = Math.min(maxLooks, moreLooks + looksPerMs * ms);
        countedMs += ms;
        spentMs += ms;
        rest((ms - sliceMs) * restShare);
        if (ms > leastMs) count(caller(), ms);
      }
      if (spentMs > 1) turnLater();
    };
    isInside = true;
    let result: T | undefined;
    try {
      result = task();
      return result;
    } finally {
      isInside = wasInside;
      const goesOn = result instanceof Promise;
      // Nothing else starts in this turn, and what is done until no promise is left to go on counts.
      if (goesOn) spentMs = Number.POSITIVE_INFINITY;
      if (!goesOn) end();
      else if (!wasInside) afterPromises(end);
    }
  }

  function rest(ms: number): void {
    if (ms <= 0) return;
    isResting = true;
    later(() => {
      isResting = false;
      turnLater();
    }, ms);
  }

  /** Counts time as a caller's, as that of work that goes on behind a task's promise. */
  function count(caller: Caller, ms: number): void {
    virtual.use(caller, ms / shareOf(caller));
    turnLater();
  }

  /**
   * Queues a task, which must not throw. Where the queue is full the newest task of the name with the most is refused: who has
   * none in it always gets a place.
   */
  function wait(caller: Caller, run: () => unknown, refuse: Task['refuse'], kind?: Kind, isInProgress = false): void {
    if (waiting >= waitingRequests) makeRoom();
    const at = now();
    const name = caller.join(' ');
    let lane = lanes.get(name);
    if (!lane) lanes.set(name, (lane = { caller, tasks: [], start: 0, place: 0 }));
    // The first is the one that has waited longest.
    const task = { lane, run, refuse, since: isInProgress ? (lane.tasks[0]?.since ?? at) : at, kind };
    if (isInProgress) lane.tasks.unshift(task);
    else lane.tasks.push(task);
    if (lane.tasks.length === 1) order.push(placed(lane));
    countWaiting(task, true);
    turnLater();
  }

  /**
   * Refuses at once, or where the turn has no time left in the next: who is not accepted yet waits for it. What that takes is its
   * caller's: else who sends more than is answered would be first.
   */
  function refuse(caller: Caller, answer: () => void): void {
    const run = () => perform(() => caller, answer);
    if (spentMs < sliceMs || refusals.size >= waitingRequests) return void run();
    refusals.add(run);
    turnLater();
  }

  /** The tasks of the name with the most. */
  function tasksOfMost(): Set<Task> {
    const [most] = bySize.at(-1)!;
    return most;
  }

  function makeRoom(): void {
    const looked = tasksOfMost().values().take(minLooks);
    const { lane } = looked.reduce((one, other) => (other.lane.tasks.length > one.lane.tasks.length ? other : one));
    const task = lane.tasks.pop()!;
    if (lane.tasks.length === 0) lanes.delete(lane.caller.join(' '));
    countWaiting(task, false);
    refuse(lane.caller, () => task.refuse(overloaded()));
  }

  /** Counts a task that begins or ceases to wait. */
  function countWaiting(task: Task, waits: boolean): void {
    waiting += waits ? 1 : -1;
    for (const name of task.lane.caller) {
      const tasks = waitingBy.get(name) ?? new Set();
      bySize[tasks.size]?.delete(tasks);
      if (waits) tasks.add(task);
      else tasks.delete(task);
      if (tasks.size === 0) waitingBy.delete(name);
      else {
        waitingBy.set(name, tasks);
        (bySize[tasks.size] ??= new Set()).add(tasks);
      }
    }
    while (bySize.at(-1)?.size === 0) bySize.pop();
  }

  function turnLater(): void {
    if (isDue) return;
    isDue = true;
    nextTurn(beginTurn);
  }

  function beginTurn(): void {
    isDue = false;
    spentMs = 0;
    if (waiting === 0) {
      virtual.restart();
      if (refusals.size === 0) return;
    }
    for (const refuse of refusals) {
      refusals.delete(refuse);
      refuse();
      if (spentMs >= sliceMs / 2) break;
    }
    // Also where nobody waits any more: what arrives before the next turn waits for it.
    turnLater();
    runNext();
  }

  /** Runs what waits until a slice is over. What a task's caller has next is in its lane before the next lane is chosen. */
  function runNext(): void {
    const lane = takeLane();
    if (!lane) return;
    const task = lane.tasks.shift()!;
    const hasMore = lane.tasks.length > 0;
    if (!hasMore) lanes.delete(lane.caller.join(' '));
    countWaiting(task, false);
    perform(() => lane.caller, task.run, 0, task.kind);
    if (hasMore) order.push(placed(lane));
    if (spentMs < sliceMs) afterPromises(runNext);
  }

  /** Removes and returns the lane that is next; undefined where none is, or all that were looked at must rest. */
  function takeLane(): Lane | undefined {
    const resting: Lane[] = [];
    const mostLooks = minLooks + moreLooks;
    let looks = 0;
    let taken: Lane | undefined;
    for (; !taken && order.length > 0 && resting.length < minLooks; looks++) {
      const lane = order.pop()!;
      if (lane.tasks.length === 0) continue;
      const { place } = lane;
      const hasGrown = placed(lane, lane.start).place > place && order.length > 0 && looks < mostLooks;
      if (hasGrown) order.push(lane);
      else if (mustRest(lane.tasks[0].kind)) resting.push(lane);
      else taken = lane;
      // Where the looks are used up others may be due before it.
      if (taken && looks < mostLooks) virtual.reach(lane.start);
    }
    for (const lane of resting) order.push(lane);
    moreLooks -= Math.max(0, looks - minLooks);
    return taken;
  }

  function placed(lane: Lane, earliest?: number): Lane {
    lane.start = virtual.startOf(lane.caller, earliest);
    lane.place = lane.start + (costWeight * costOf(lane.tasks[0]?.kind)) / shareOf(lane.caller);
    return lane;
  }

  return {
    isFree,
    shareOf,
    perform,
    count,
    wait,
    refuse,
    /** Requests that wait. */
    get waiting() {
      return waiting;
    },
    /** Runs a task at once or later; throws or rejects with what it throws, or as `wait` refuses. */
    run<T>(caller: () => Caller, task: () => Soon<T>, kind?: Kind): Soon<T> {
      if (isInside || isFree(kind)) return perform(caller, task, leastCountedMs, kind);
      return new Promise<T>((resolve, reject) => {
        const run = () => {
          try {
            const result = task();
            resolve(result);
            return result;
          } catch (error) {
            return reject(error);
          }
        };
        wait(caller(), run, reject, kind);
      });
    },
    /**
     * Resolves in a turn of a caller, whose work behind it has the rest of that turn. Rejects as `wait` refuses. Work in
     * progress goes on before its caller's others start: of each caller little is half done, which is in memory and counted by nobody.
     */
    turn(caller: Caller, kind?: Kind, isInProgress = false): Promise<void> {
      // Two phases later, as what a request begins on its arrival would go on before others arrive.
      return new Promise((resolve, reject) =>
        nextTurn(() => wait(caller, async () => resolve(), reject, kind, isInProgress)),
      );
    },
    /** Gives a key, the last name of its callers, so many times the time of others: its use and what it asks for count as much less. */
    setShare(key: string, share: number): void {
      if (share !== (shares.get(key) ?? 1)) shares.set(key, share);
    },
    /** The error of a further request of a caller: too many of its own wait, or they have waited too long, or nobody has more in a full queue. */
    refusal(caller: Caller): WhereaboutsError | undefined {
      const tasks = lanes.get(caller.join(' '))?.tasks ?? [];
      if (tasks.length >= waitingRequestsPerKey) {
        const detail = 'too many requests with this key are waiting; send fewer at once';
        return new WhereaboutsError('rate_limited', detail, retrySoon);
      }
      const isLate = tasks.length > 0 && maxWaitMs > 0 && now() - tasks[0].since > maxWaitMs;
      const own = () => Math.max(...caller.map((name) => waitingBy.get(name)?.size ?? 0));
      return isLate || (waiting >= waitingRequests && own() >= tasksOfMost().size) ? overloaded() : undefined;
    },
  };
}

export type Lanes = ReturnType<typeof sharedTime>;

/** Half-life of what is counted as used, ms. */
const halfLifeMs = 5_000;
const decayEveryMs = 500;
/** Less than this is forgotten, ms. */
const negligibleMs = 0.1;

/** Time that was recently used, by name, ms. */
export function recentUse(now = () => performance.now()) {
  const used = new Map<string, number>();
  let decayedAt = 0;
  const usedNow = (name: string): number => {
    const at = now();
    if (at - decayedAt >= decayEveryMs) {
      const part = 2 ** ((decayedAt - at) / halfLifeMs);
      decayedAt = at;
      for (const [each, ms] of used) {
        if (ms * part < negligibleMs) used.delete(each);
        else used.set(each, ms * part);
      }
    }
    return used.get(name) ?? 0;
  };
  return { of: usedNow, add: (name: string, ms: number) => void used.set(name, usedNow(name) + ms) };
}

export type RecentUse = ReturnType<typeof recentUse>;

const retrySoon = { retryAfterSeconds: 2 };

export const overloaded = () =>
  new WhereaboutsError('unavailable', 'the service is overloaded; send fewer requests, or try again later', retrySoon);

const crowdedOut = () =>
  new WhereaboutsError('unavailable', 'all concurrent requests together are too large; try again in a moment', {
    retryAfterSeconds: 1,
  });

/** Bytes that are counted until they are released. `isInUse`: who would hold as much does not get them. */
export type Hold = {
  names: Caller;
  bytes: number;
  share: number;
  cut: (refusal: WhereaboutsError) => void;
  isInUse?: boolean;
};

/** Shares memory: at most `all` bytes, and `each` of one caller. Where there is no room, bytes of a key with a larger share count as much less. */
export function heldBytes(
  what: string,
  { all, each }: { all: number; each: number },
  shareOf: (names: Caller) => number,
) {
  const byName = new Map<string, { bytes: number; shared: number; holds: Set<Hold> }>();
  let allBytes = 0;

  function count(hold: Hold, sign: 1 | -1): void {
    const bytes = sign * hold.bytes;
    allBytes += bytes;
    for (const name of hold.names) {
      const held = byName.getOrInsertComputed(name, () => ({ bytes: 0, shared: 0, holds: new Set() }));
      held.bytes += bytes;
      held.shared += bytes / hold.share;
      if (sign > 0) held.holds.add(hold);
      else held.holds.delete(hold);
      if (held.holds.size === 0) byName.delete(name);
    }
  }

  const held = {
    /**
     * Counts bytes of a caller; `cut` takes them from it again. Throws `rate_limited` where it has its share already, and
     * `unavailable` where nobody has bytes that it may take: of who holds more than it does, and what is in use of who holds more
     * than it would with the bytes that it is expected to take in all.
     */
    take(names: Caller, bytes: number, cut: Hold['cut'], expectedBytes = bytes): Hold {
      const own = names.map((name) => byName.get(name) ?? { bytes: 0, shared: 0 });
      const hold: Hold = { names, bytes, share: shareOf(names), cut };
      if (Math.max(...own.map((held) => held.bytes)) + bytes > each) {
        const detail = `the ${what} of your concurrent requests exceed ${each} bytes; send the requests one after the other`;
        throw new WhereaboutsError('rate_limited', detail, { retryAfterSeconds: 1 });
      }
      while (allBytes + bytes > all) {
        let most = Math.max(...own.map((held) => held.shared));
        const wouldHold = most + expectedBytes / hold.share;
        let slowest: Hold | undefined;
        for (const { shared, holds } of byName.values()) {
          const found = shared > most && holds.values().find(({ isInUse }) => !isInUse || shared > wouldHold);
          if (found) [slowest, most] = [found, shared];
        }
        if (!slowest) throw crowdedOut();
        held.release(slowest);
        slowest.cut(crowdedOut());
      }
      count(hold, 1);
      return hold;
    },
    /** Ends holds; once is enough. */
    release(...holds: readonly Hold[]): void {
      for (const hold of holds) if (byName.get(hold.names[0])?.holds.has(hold)) count(hold, -1);
    },
  };
  return held;
}

export type Held = ReturnType<typeof heldBytes>;
