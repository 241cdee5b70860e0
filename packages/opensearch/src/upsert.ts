/** Live data: adds, changes and deletes addresses and points of the served index by their source's identifiers. */
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../../src/errors.ts';
import type { SourceInfo, StreetLayerName } from '../../../src/store/manifest.ts';
import type { Line } from '../../../src/store/street-engine.ts';
import type { Connection } from './connection.ts';
import { planRecords, type Sourced, withTerms } from './live-documents.ts';
import { type LiveIndex, openLiveIndex } from './live-index.ts';
import { recordOf, unnamedSource } from './live-record.ts';

/** Maximum number of records that are applied together. */
const maxBatch = 5000;
/** How long a batch waits for a further record, and for all of them. */
const lingerMs = 50;
const maxLingerMs = 500;

/** Applies lines of records in order to the served version; nodes answer with them within seconds. Returns their number. */
export async function upsertLive(connection: Connection, lines: AsyncIterable<Line>): Promise<number> {
  const index = await openLiveIndex(connection);
  let count = 0;
  try {
    for await (const batch of batched(recordsOf(index, lines))) {
      await index.credit(batch.map(({ record, source }) => [source, layersOf(record)] as const));
      await index.change((changes) => planRecords(changes, batch), withTerms);
      count += batch.length;
    }
  } catch (error) {
    const reason = index.reasonOf(error);
    throw reason instanceof UsageError ? new UsageError(`${reason.message} (records applied: ${count})`) : reason;
  }
  return count;
}

async function* recordsOf(index: LiveIndex, lines: AsyncIterable<Line>): AsyncGenerator<Sourced> {
  let source: SourceInfo = unnamedSource;
  for await (const { text, number } of lines) {
    const record = recordOf(text, number);
    if ('source' in record) source = index.sourceOf(record);
    else yield { record, source };
  }
}

function layersOf(record: Sourced['record']): readonly StreetLayerName[] {
  if ('deleted' in record) return [];
  return 'street' in record ? ['addresses', 'streets'] : ['pois'];
}

/** Items in batches, of those that come within a moment. An error comes after the items before it. */
async function* batched<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  const iterator = items[Symbol.asyncIterator]();
  // Settled once a batch is applied, so that a rejection has to wait.
  const next = () =>
    iterator.next().then(
      (result) => () => result,
      (error) => () => {
        throw error;
      },
    );
  let pending = next();
  for (let isOver = false; !isOver; ) {
    await pending;
    const until = performance.now() + maxLingerMs;
    const batch: T[] = [];
    let failure: unknown;
    while (batch.length < maxBatch && performance.now() < until) {
      const settled = await Promise.race([pending, wait(lingerMs, undefined)]);
      if (!settled) break;
      try {
        const { done, value } = settled();
        isOver = done === true;
        if (isOver) break;
        batch.push(value);
      } catch (error) {
        failure = error;
        break;
      }
      pending = next();
    }
    if (batch.length > 0) yield batch;
    if (failure) throw failure;
  }
}
