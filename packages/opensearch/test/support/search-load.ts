/** Queries sent repeatedly by several clients, each answer compared with the right ones. */
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../test/support/served.ts';
import type { askerOf } from './search-service.ts';

type Ask = ReturnType<typeof askerOf>;

const clients = 2;
/** For times that say something: ANSWERS=1000. */
const answersAPhase = Number(process.env.ANSWERS ?? 50);
/** Between two questions of a client once a phase has its answers: without end they would slow down nodes that start. */
const pauseMs = process.env.ANSWERS ? 0 : 200;

/** The right answer to each question, from a service with local data. */
export async function answersOf(ask: Ask, paths: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of paths) found.set(path, JSON.stringify((await ask(path)).body));
  return found;
}

export type Load = {
  /** Runs an action while the clients ask without a pause, and continues until this many more answers have come; prints their times. */
  during(what: string, act: () => Promise<void>, more?: number): Promise<void>;
  /** Ends it; returns the answers that were wrong and those other than 200. */
  stop(): Promise<{ wrong: string[]; failed: string[] }>;
};

/** Sends questions until stopped. An answer is right when any of the given sets has it. */
export function startLoad(t: TestContext, ask: Ask, right: readonly Map<string, string>[]): Load {
  const paths = [...right[0].keys()];
  const [wrong, failed]: string[][] = [[], []];
  let times: number[] = [];
  let next = 0;
  let isOver = false;
  async function client(): Promise<void> {
    while (!isOver) {
      const path = paths[next++ % paths.length];
      const startedAt = performance.now();
      const { status, body } = await ask(path);
      times.push(performance.now() - startedAt);
      const text = JSON.stringify(body);
      if (status !== 200) failed.push(`${path} ${status} ${text}`);
      else if (right.every((answers) => answers.get(path) !== text)) wrong.push(`${path} ${text}`);
      if (times.length > answersAPhase) await wait(pauseMs);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    async during(what, act, more = answersAPhase) {
      times = [];
      const startedAt = performance.now();
      await until('no client pauses', () => times.length >= 2 * clients);
      await act();
      const needed = times.length + more;
      await until('the load goes on', () => times.length >= needed);
      const sorted = times.toSorted((one, other) => one - other);
      const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]);
      const rate = Math.round((1000 * sorted.length) / (performance.now() - startedAt));
      t.diagnostic(
        `${what}: ${sorted.length} answers, ${rate} a second, ms: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
      );
    },
    async stop() {
      isOver = true;
      await running;
      return { wrong, failed };
    },
  };
}
