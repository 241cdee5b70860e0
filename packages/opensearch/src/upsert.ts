/** Live data: adds, changes and deletes addresses and points of the served index by their source's identifiers. */
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../../src/errors.ts';
import type { SourceInfo } from '../../../src/store/manifest-format.ts';
import type { Connection } from './connection.ts';
import { isConflict, LiveIndex } from './live-index.ts';
import { putPoi } from './live-poi.ts';
import { type LiveRecord, type LiveSource, unnamedSource } from './live-record.ts';
import { putAddress, removeHouse } from './live-street.ts';

/** How long a record is tried while other programs change the same documents. */
const timeoutMs = 30_000;
const maxPauseMs = 50;
/** Nodes notice the changes of a long file while it is applied, and of one that is broken off. */
const reportEveryMs = 1000;

type LiveData = Exclude<LiveRecord, LiveSource>;

/** Applies records in order to the served version; nodes answer with them within seconds. Returns their number. */
export async function upsertLive(connection: Connection, records: AsyncIterable<LiveRecord>): Promise<number> {
  const index = await LiveIndex.open(connection);
  let source = unnamedSource;
  let count = 0;
  let reportedAt = performance.now();
  try {
    for await (const record of records) {
      if ('source' in record) {
        source = index.sourceOf(record);
        continue;
      }
      await apply(index, record, source);
      count++;
      if (performance.now() - reportedAt < reportEveryMs) continue;
      await index.report();
      reportedAt = performance.now();
    }
  } catch (error) {
    if (count > 0) await index.report().catch(() => {});
    const reason = index.reasonOf(error);
    throw reason instanceof UsageError ? new UsageError(`${reason.message} (records applied: ${count})`) : reason;
  }
  if (count > 0) await index.report();
  return count;
}

async function apply(index: LiveIndex, record: LiveData, source: SourceInfo): Promise<void> {
  for (const startedAt = performance.now(); ; ) {
    try {
      await removeAll(index, record.id, await put(index, record, source));
      return;
    } catch (error) {
      if (!isConflict(error) || performance.now() - startedAt > timeoutMs) throw error;
      await wait(Math.random() * maxPauseMs);
      await index.refresh();
    }
  }
}

/** Adds or changes the record of a source's identifier; returns the document that it is in now, if it is in one. */
async function put(index: LiveIndex, record: LiveData, source: SourceInfo): Promise<string | undefined> {
  if ('isDeleted' in record) return undefined;
  const name = 'street' in record ? await putAddress(index, record, source) : await putPoi(index, record, source);
  index.reach(name, record);
  await index.refresh();
  return name;
}

/** Removes what an identifier of the source stands for, except from one document. */
async function removeAll(index: LiveIndex, id: string, except: string | undefined): Promise<void> {
  const found = (await index.ofSource(id)).filter(({ _id }) => _id !== except);
  for (const { _id } of found) await (_id.startsWith('p') ? index.delete(_id) : removeHouse(index, _id, id));
  if (found.length > 0) await index.refresh();
}
