/**
 * A thread that tries inputs on one target. The next input lies in shared memory, so that it is known when the thread
 * hangs on it or dies of it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { startCoverage } from './coverage.ts';
import { mutate } from './mutate.ts';

export type Job = { target: string; seconds: number; inputs: number; seed: number; current: SharedArrayBuffer };
export type Outcome = { runs: number; seen: number; corpus: number; slowestMs: number; finding?: string };

/** Inputs that are tried before V8 is asked for its counts, which takes as long as some tens of small ones. */
const groupSize = 16;
/** Processor time that no input of 16 KB may take, ms. */
const maxMs = 2_000;

const { target: name, seconds, inputs, seed, current } = workerData as Job;
const takeBlocks = startCoverage();
/** Blocks that single inputs ran, and groups of them. */
const seen = new Set<string>();
const seenOfGroups = new Set<string>();
const { targets } = await import('./targets.ts');
const { randomNumbers } = await import('../../bench/quality/samples.ts');

const target = await targets[name]();
const random = randomNumbers(seed);
const corpus = target.seeds.map((bytes) => Buffer.from(bytes as Buffer));
const shared = Buffer.from(current);
const outcome: Outcome = { runs: 0, seen: 0, corpus: 0, slowestMs: 0 };
const cpuMs = () => process.threadCpuUsage().user / 1000;

/** Runs one input; returns what is wrong with how it ended. */
async function attempt(bytes: Buffer): Promise<string | undefined> {
  shared.writeUInt32LE(bytes.length);
  bytes.copy(shared, 4);
  outcome.runs++;
  const from = cpuMs();
  try {
    // A copy, so that a target that keeps or changes its input does not change the corpus.
    await target.run(Buffer.from(bytes));
  } catch (error) {
    const { name: kind, message, stack } = error as Error;
    if (!target.refusals.includes(kind)) return String(stack);
    if (message.includes('\n') || message.length > 8000) return `a message of several lines: ${message.slice(0, 3000)}`;
  }
  const ms = cpuMs() - from;
  outcome.slowestMs = Math.max(outcome.slowestMs, ms);
  return ms > maxMs ? `${ms.toFixed(0)} ms of processor time` : undefined;
}

/** Adds blocks to the known ones; returns whether any is new. */
function isNew(known: Set<string>, blocks: readonly string[]): boolean {
  const before = known.size;
  for (const block of blocks) known.add(block);
  return known.size > before;
}

async function search(): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (const bytes of [...corpus]) {
    if ((outcome.finding = await attempt(bytes))) return;
    isNew(seen, takeBlocks());
  }
  while (performance.now() < end && outcome.runs < inputs) {
    const group = Array.from({ length: groupSize }, () => mutate(corpus, target.words, random));
    for (const bytes of group) if ((outcome.finding = await attempt(bytes))) return;
    if (!isNew(seenOfGroups, takeBlocks())) continue;
    for (const bytes of group) {
      if ((outcome.finding = await attempt(bytes))) return;
      if (isNew(seen, takeBlocks())) corpus.push(bytes);
    }
  }
}
await search();
await target.close?.();
parentPort!.postMessage({ ...outcome, seen: seen.size, corpus: corpus.length } satisfies Outcome);
