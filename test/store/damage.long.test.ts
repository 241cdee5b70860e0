/** Datasets with flipped bits: refused, or answered within bounds, never followed for ever. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { filesOf, readManifest, verifyFiles } from '../../src/store/manifest.ts';
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

/** Answers to questions of every endpoint, undefined for refused ones; or what became of the whole dataset. */
type Outcome = string | (string | undefined)[];

/** A thread that opens a dataset and asks every endpoint; the outcome is `hung` when it does not come back. */
function createProber(t: TestContext): (directory: string) => Promise<Outcome> {
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

/**
 * Flips a bit in a file of the dataset, as often as `runs` says, and compares the answers with those of the undamaged one.
 * Whatever they are, the file's hash has to tell.
 */
async function flipBits(t: TestContext, directory: string, { files, runs }: { files: string[]; runs: number }) {
  const probe = createProber(t);
  const right = await probe(directory);
  assert.ok(Array.isArray(right) && right.filter((answer) => answer !== undefined).length > 30);
  const manifest = readManifest(directory);
  const seen = { 'dataset refused': 0, 'all answers right': 0, 'some refused, the others right': 0, 'some wrong': 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (name, share) => {
        const path = join(directory, name);
        const bit = Math.floor(share * statSync(path).size * 8);
        flip(path, bit);
        try {
          await assert.rejects(verifyFiles(directory, manifest), ({ message }: Error) => message.includes(name));
          const outcome = await probe(directory);
          if (!Array.isArray(outcome)) {
            assert.equal(outcome, 'refused', `${name}, bit ${bit}`);
            seen['dataset refused']++;
            return;
          }
          const isWrong = outcome.some((answer, at) => answer !== undefined && answer !== right[at]);
          const isWhole = outcome.every((answer, at) => answer === right[at]);
          seen[isWrong ? 'some wrong' : isWhole ? 'all answers right' : 'some refused, the others right']++;
        } finally {
          flip(path, bit);
        }
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
  t.diagnostic(
    Object.entries(seen)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', '),
  );
  return seen;
}

test('a flipped bit anywhere in any file: its hash tells, and without that opening or questions are answered or refused', async (t) => {
  const directory = await smallDataset(t);
  const files = filesOf(readManifest(directory)).map(({ name }) => name);
  const seen = await flipBits(t, directory, { files, runs: Number(process.env.DAMAGE_RUNS ?? 100) });
  assert.ok(seen['dataset refused'] > 0 && seen['all answers right'] > 0);
});
