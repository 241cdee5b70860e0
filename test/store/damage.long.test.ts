/** Datasets with flipped bits: refused, or answered within bounds, never followed for ever. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A look-up takes far less, even on a busy machine; an endless loop does not. */
const deadlineMs = 300_000;

async function smallDataset(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  return directory;
}

function flip(path: string, bit: number): void {
  const bytes = readFileSync(path);
  bytes[bit >>> 3] ^= 1 << (bit & 7);
  writeFileSync(path, bytes);
}

/** A thread that opens a dataset and asks every endpoint; `outcome` is `hung` when it does not come back. */
function createProber(t: TestContext): (directory: string) => Promise<string> {
  const start = () => new Worker(new URL('../support/damage-prober.ts', import.meta.url));
  let worker = start();
  t.after(() => worker.terminate());
  return async (directory) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    worker.postMessage(directory);
    try {
      const [outcome] = await once(worker, 'message', { signal: deadline });
      return outcome;
    } catch (error) {
      await worker.terminate();
      worker = start();
      return deadline.aborted ? 'hung' : String(error);
    }
  };
}

test('a flipped bit anywhere in any pack: opening is refused, or every question is answered or refused', async (t) => {
  const directory = await smallDataset(t);
  const probe = createProber(t);
  assert.equal(await probe(directory), 'answered');
  const packs = readdirSync(directory).filter((name) => name.endsWith('.pack'));
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...packs),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (name, share) => {
        const path = join(directory, name);
        const bit = Math.floor(share * statSync(path).size * 8);
        flip(path, bit);
        try {
          const outcome = await probe(directory);
          seen.add(outcome);
          assert.ok(['answered', 'refused'].includes(outcome), `${name}, bit ${bit}: ${outcome}`);
        } finally {
          flip(path, bit);
        }
      },
    ),
    { numRuns: Number(process.env.DAMAGE_RUNS ?? 400), endOnFailure: true },
  );
  assert.deepEqual([...seen].sort(), ['answered', 'refused']);
});
