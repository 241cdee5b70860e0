/**
 * Every reader of untrusted bytes, on inputs guided by coverage: it accepts them or refuses them as documented, in one
 * line, in bounded time and memory. FUZZ_SEED (1) chooses the inputs: the same seed tries the same ones in the same
 * order. FUZZ_SECONDS limits the time of all targets together (10), FUZZ_INPUTS the number of inputs, FUZZ_ONLY selects
 * targets. What was found once stands in the tests of its reader.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Job, Outcome } from './fuzz-thread.ts';
import { targets } from './targets.ts';

const total = Number(process.env.FUZZ_SECONDS ?? 10);
const only = process.env.FUZZ_ONLY?.split(',');
const seed = Number(process.env.FUZZ_SEED ?? 1);
const names = Object.keys(targets).filter((name) => only?.includes(name) ?? true);
const seconds = total / names.length;
const inputs = Number(process.env.FUZZ_INPUTS ?? Number.POSITIVE_INFINITY) / names.length;
/** An input that has not ended after this time hangs, even on a busy machine. */
const hangMs = 300_000;
const deadlineMs = Math.ceil(seconds * 1000) + hangMs;

for (const name of names) {
  test(`${name}: any bytes are read or refused`, async (t) => {
    const current = new SharedArrayBuffer(4 + (1 << 20));
    const workerData: Job = { target: name, seconds, inputs, seed, current };
    const worker = new Worker(new URL('./fuzz-thread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const input = () => {
      const bytes = Buffer.from(current);
      return bytes.subarray(4, 4 + bytes.readUInt32LE()).toString('base64');
    };
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      const [outcome] = (await once(worker, 'message', { signal: deadline })) as [Outcome];
      const { runs, corpus, seen, slowestMs, finding } = outcome;
      t.diagnostic(`${name}: ${runs} inputs, ${corpus} kept, ${seen} blocks, slowest ${slowestMs.toFixed(0)} ms`);
      assert.equal(finding, undefined, `seed ${seed}, input ${input()}\n${finding}`);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      assert.fail(`seed ${seed}, input ${input()}\n${deadline.aborted ? 'does not end' : (error as Error).stack}`);
    } finally {
      await worker.terminate();
    }
  });
}
