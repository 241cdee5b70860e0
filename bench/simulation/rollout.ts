/** A version's way to a fleet of nodes that follow what is published, by the rules of src/publish/pull.ts. */
import { settings } from '../../src/config.ts';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { createClock, quantile } from './clock.ts';

export type Rollout = {
  nodes: number;
  /** What of the version is new to a node, MB; 0 when all go back to one that they have. */
  changedMb: number;
  /** Bandwidth of the store, and of a node, MB a second. */
  storeMbPerSecond: number;
  nodeMbPerSecond: number;
  /** Comparing all files with their hashes, and opening the version once, seconds. */
  verifySeconds: number;
  /** Part of the pulls that break off; a node resumes with what it has at its next check. */
  brokenPart: number;
};

export type RolloutOutcome = {
  /** Seconds after publishing until that share of the nodes serves the version. */
  first: number;
  half: number;
  p99: number;
  last: number;
  /** Maximum number of nodes that fetched at once, and of checks of the store in a second. */
  fetching: number;
  looks: number;
};

const everyMs = settings.properties.datasetEverySeconds.default * 1000;
const stepMs = 50;

export async function rollOut(options: Rollout): Promise<RolloutOutcome> {
  const { nodes, changedMb, storeMbPerSecond, nodeMbPerSecond, verifySeconds, brokenPart } = options;
  const random = randomNumbers(2);
  const clock = createClock(0);
  const taken: number[] = [];
  /** MB that each node has yet to fetch in its present pull, and what remains of the version. */
  const fetching = new Map<number, { left: number; breaksAt: number }>();
  const missing = new Float64Array(nodes).fill(changedMb);
  const looks = new Map<number, number>();
  let maxFetching = 0;

  function look(node: number): void {
    const second = Math.floor(clock.now / 1000);
    looks.set(second, (looks.get(second) ?? 0) + 1);
    const isBroken = random() < brokenPart;
    fetching.set(node, { left: missing[node], breaksAt: isBroken ? missing[node] * random() : -1 });
    maxFetching = Math.max(maxFetching, fetching.size);
  }
  function fetched(): void {
    clock.after(verifySeconds * 1000 + random() * everyMs, () => taken.push(clock.now / 1000));
  }
  /** All fetching nodes share the bandwidth of the store. */
  function step(): void {
    const part = (Math.min(nodeMbPerSecond, storeMbPerSecond / Math.max(1, fetching.size)) * stepMs) / 1000;
    for (const [node, pull] of fetching) {
      pull.left -= part;
      missing[node] = Math.max(0, pull.left);
      if (pull.left <= Math.max(0, pull.breaksAt)) {
        fetching.delete(node);
        if (pull.left > 0) clock.after(everyMs, () => look(node));
        else fetched();
      }
    }
    clock.after(stepMs, step);
  }
  for (let node = 0; node < nodes; node++) clock.after(random() * everyMs, () => look(node));
  clock.after(stepMs, step);
  while (taken.length < nodes) await clock.run(1000);
  return {
    first: quantile(taken, 0),
    half: quantile(taken, 0.5),
    p99: quantile(taken, 0.99),
    last: quantile(taken, 1),
    fetching: maxFetching,
    looks: Math.max(...looks.values()),
  };
}
