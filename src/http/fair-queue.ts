/** Tasks that wait for the thread, with the time shared fairly among networks, and within a network among keys. */
import type { Caller } from './turns.ts';

/** Work; if it returns a promise it continues in microtasks. It must not throw. */
export type Task = () => unknown;
export type Waiting = { caller: Caller; task: Task; since: number };
type KeyLane = { creditMs: number; tasks: Waiting[] };
type NetworkLane = { creditMs: number; lanes: Map<string, KeyLane> };

/** The time of a lane per round, ms. */
const quantumMs = 2;
/** Maximum debt of a lane, ms, so that rounds without credit are few. */
const maxDebtMs = 20;

/**
 * Deficit round robin (Shreedhar and Varghese, 1995): lanes are scheduled by the time their tasks took, so that a lane
 * of long tasks runs fewer of them. A lane exists while something waits in it.
 */
export class FairQueue {
  readonly #networks = new Map<string, NetworkLane>();
  readonly #waitingOf = new Map<string, number>();
  size = 0;

  /** Adds a task of a caller that waits since `now`, ms. */
  add(caller: Caller, task: Task, now: number): void {
    const { network, key } = caller;
    let own = this.#networks.get(network);
    if (!own) this.#networks.set(network, (own = { creditMs: quantumMs, lanes: new Map() }));
    let lane = own.lanes.get(key);
    if (!lane) own.lanes.set(key, (lane = { creditMs: quantumMs, tasks: [] }));
    lane.tasks.push({ caller, task, since: now });
    if (key !== '') this.#waitingOf.set(key, this.waitingOf(key) + 1);
    this.size++;
  }

  /** Removes and returns the next task; undefined if none waits. Its time must be charged afterwards. */
  next(): Waiting | undefined {
    if (this.size === 0) return undefined;
    const taken = laneInTurn(laneInTurn(this.#networks).lanes).tasks.shift()!;
    const { key } = taken.caller;
    this.size--;
    if (key !== '') {
      const left = this.waitingOf(key) - 1;
      if (left === 0) this.#waitingOf.delete(key);
      else this.#waitingOf.set(key, left);
    }
    return taken;
  }

  /** Charges the lanes of a task that was taken with the time it took, ms, and closes those in which nothing waits. */
  charge({ network, key }: Caller, ms: number): void {
    const own = this.#networks.get(network);
    const lane = own?.lanes.get(key);
    if (!own || !lane) return;
    own.creditMs = Math.max(own.creditMs - ms, -maxDebtMs);
    lane.creditMs = Math.max(lane.creditMs - ms, -maxDebtMs);
    if (lane.tasks.length === 0) own.lanes.delete(key);
    if (own.lanes.size === 0) this.#networks.delete(network);
  }

  /** Tasks that wait for a key, wherever they come from. */
  waitingOf(key: string): number {
    return this.#waitingOf.get(key) ?? 0;
  }

  /** Tasks that wait for a caller's lane. */
  waitingAt({ network, key }: Caller): number {
    return this.#networks.get(network)?.lanes.get(key)?.tasks.length ?? 0;
  }

  /** Since when a caller's oldest task waits; undefined where none does. */
  oldestOf({ network, key }: Caller): number | undefined {
    return this.#networks.get(network)?.lanes.get(key)?.tasks[0]?.since;
  }
}

/** The first lane with credit; those before it get their credit for the next round and move to the end. */
function laneInTurn<T extends { creditMs: number }>(lanes: Map<string, T>): T {
  for (;;) {
    const [name, lane] = lanes.entries().next().value!;
    if (lane.creditMs > 0) return lane;
    lane.creditMs += quantumMs;
    lanes.delete(name);
    lanes.set(name, lane);
  }
}
