/** Tasks that wait for the thread, with the time shared fairly among networks and among keys. */
import TinyQueue from 'tinyqueue';
import type { Caller } from './turns.ts';

/** Work; if it returns a promise it continues in microtasks. It must not throw. */
export type Task = () => unknown;
export type Waiting = { caller: Caller; task: Task; since: number };
type Lane = { caller: Caller; tasks: Waiting[]; usedMs: number };

/** Half-life of the time that a network or key has used, ms. */
const halfLifeMs = 5_000;
/** Less than this is forgotten, ms. */
const negligibleMs = 0.1;
const decayEveryMs = 500;
/** Maximum number of lanes whose position is corrected in one choice, which bounds its time. */
const maxCorrections = 16;

/**
 * The caller that recently used the least time is next. Time counts by network, so that many keys at one address are one
 * caller, and by key, so that one key at many addresses is one as well. A lane holds the tasks of one key at one network, and
 * exists while something waits in it.
 */
export class FairQueue {
  readonly #lanes = new Map<string, Lane>();
  /** All lanes by the time used when they were inserted, which may have grown since. */
  readonly #order = new TinyQueue<Lane>([], (a, b) => a.usedMs - b.usedMs || a.tasks[0].since - b.tasks[0].since);
  readonly #used = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  #decayedAt = 0;
  size = 0;

  /** Adds a task of a caller that waits since `now`, ms. */
  add(caller: Caller, task: Task, now: number): void {
    if (now - this.#decayedAt >= decayEveryMs) this.#decay(now);
    const name = nameOf(caller);
    const waiting = { caller, task, since: now };
    const lane = this.#lanes.get(name);
    if (lane) lane.tasks.push(waiting);
    else this.#open({ caller, tasks: [waiting], usedMs: this.#usedBy(caller) });
    const { key } = caller;
    if (key !== '') this.#waitingOf.set(key, this.waitingOf(key) + 1);
    this.size++;
  }

  /** Removes and returns the next task; undefined if none waits. Its time must be charged afterwards. */
  next(): Waiting | undefined {
    if (this.size === 0) return undefined;
    const lane = this.#takeLane();
    const taken = lane.tasks.shift()!;
    if (lane.tasks.length > 0) this.#order.push(lane);
    else this.#lanes.delete(nameOf(lane.caller));
    const { key } = taken.caller;
    this.size--;
    if (key !== '') {
      const left = this.waitingOf(key) - 1;
      if (left === 0) this.#waitingOf.delete(key);
      else this.#waitingOf.set(key, left);
    }
    return taken;
  }

  /** Charges the network and the key of a task that was taken with the time it took, ms. */
  charge({ network, key }: Caller, ms: number): void {
    this.#use(network, ms);
    if (key !== '') this.#use(`key ${key}`, ms);
  }

  /** Tasks that wait for a key, wherever they come from. */
  waitingOf(key: string): number {
    return this.#waitingOf.get(key) ?? 0;
  }

  /** Tasks that wait for a caller's lane. */
  waitingAt(caller: Caller): number {
    return this.#lanes.get(nameOf(caller))?.tasks.length ?? 0;
  }

  /** Since when a caller's oldest task waits; undefined where none does. */
  oldestOf(caller: Caller): number | undefined {
    return this.#lanes.get(nameOf(caller))?.tasks[0].since;
  }

  #open(lane: Lane): void {
    this.#lanes.set(nameOf(lane.caller), lane);
    this.#order.push(lane);
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

  /** Time recently used by a caller, ms: the maximum of its network's and its key's; the minimum decides between equals. */
  #usedBy({ network, key }: Caller): number {
    const ofNetwork = this.#used.get(network) ?? 0;
    const ofKey = (key !== '' && this.#used.get(`key ${key}`)) || 0;
    return Math.max(ofNetwork, ofKey) + Math.min(ofNetwork, ofKey) / 1000;
  }

  #use(name: string, ms: number): void {
    if (ms > 0) this.#used.set(name, (this.#used.get(name) ?? 0) + ms);
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

const nameOf = ({ network, key }: Caller) => `${network} ${key}`;
