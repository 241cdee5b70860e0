/** Keys in a database of this machine. */
import type { KeyEngine } from '../engine.ts';
import type { AuditEntry, KeyRecord } from '../key-record.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../key-store.ts';
import { keptDays } from '../lease.ts';
import { dayMs, dayOf } from '../meter.ts';
import { openDatabase } from './database.ts';
import { createLedger, tidy } from './ledger.ts';
import { migrateKeys } from './schema.ts';

/**
 * How long a lease waits for a lock of another process before calls are counted here, ms: as long as for a server of keys.
 * Another worker may write often, or for long where a disk takes a tenth of a second for each fsync.
 */
const exchangeWaitMs = 1000;

/** Opens keys over the database at a path, as `createKeyStore` has them. Throws the system's or SQLite's error when it cannot. */
export function openKeys(
  path: string,
  options: Omit<KeyStoreOptions, 'whenUnavailable'> & { isAlone?: boolean },
): KeyStore {
  // The database is of this machine: while it fails, serving on is worth more than being exact.
  return createKeyStore(openSqliteEngine(path, options), { whenUnavailable: 'allow', ...options });
}

/**
 * Opens the database at a path (`:memory:` for none on disk). `isAlone`: no other process spends from the quotas, so that
 * what processes before held when they were killed is free again.
 */
export function openSqliteEngine(
  path: string,
  { isAlone = false, now = Date.now }: { isAlone?: boolean; now?: () => number } = {},
): KeyEngine {
  const database = openDatabase(path, (connection) => {
    migrateKeys(connection, path);
    tidy(connection, dayOf(now()), isAlone);
  });
  const { connection, read, write } = database;
  const ledger = createLedger(connection);
  const byHash = connection.prepare(
    'SELECT record FROM texts JOIN records ON records.id = texts.key_id WHERE texts.hash = ?',
  );
  const byId = connection.prepare('SELECT record FROM records WHERE id = ?');
  const page = connection.prepare('SELECT record FROM records WHERE id > ? ORDER BY id LIMIT ?');
  const lastId = connection.prepare('SELECT coalesce(max(id), 0) AS id FROM records');
  const put = connection.prepare(
    'INSERT INTO records VALUES (?, ?) ON CONFLICT DO UPDATE SET record = excluded.record',
  );
  const addText = connection.prepare('INSERT INTO texts VALUES (?, ?, NULL)');
  const endText = connection.prepare('UPDATE texts SET until = ? WHERE hash = ?');
  const forgetTexts = connection.prepare('DELETE FROM texts WHERE until < ?');
  const note = connection.prepare('INSERT INTO audit (at, by, action, key_id, detail) VALUES (?, ?, ?, ?, ?)');
  const forgetNotes = connection.prepare('DELETE FROM audit WHERE at < ?');
  const notes = connection.prepare(
    'SELECT at, by, action, key_id AS keyId, detail FROM audit ORDER BY id DESC LIMIT ? OFFSET ?',
  );
  const generation = connection.prepare('SELECT value FROM generation');
  const nextGeneration = connection.prepare('UPDATE generation SET value = value + 1');

  const recordOf = (row: Record<string, unknown> | undefined): KeyRecord | undefined =>
    row && JSON.parse(row.record as string);
  const audited = ({ at, by, action, keyId, detail }: AuditEntry) => {
    note.run(at, by, action, keyId, detail && JSON.stringify(detail));
    forgetNotes.run(at - keptDays * dayMs);
  };

  return {
    byHash: (hash) => read(() => recordOf(byHash.get(hash))),
    byId: (id) => read(() => recordOf(byId.get(id))),
    page: (after, count) => read(() => page.all(after, count).map((row) => recordOf(row)!)),
    add: (key, entry) =>
      write(() => {
        const id = (lastId.get()!.id as number) + 1;
        put.run(id, JSON.stringify({ id, ...key }));
        addText.run(key.hash, id);
        audited({ ...entry, keyId: id });
        return id;
      }),
    replace: (key, entry, formerUntil) =>
      write(() => {
        const before = recordOf(byId.get(key.id));
        if (before?.revision !== key.revision - 1) return false;
        put.run(key.id, JSON.stringify(key));
        if (formerUntil !== undefined) {
          forgetTexts.run(entry.at);
          endText.run(formerUntil, before.hash);
          addText.run(key.hash, key.id);
        }
        audited(entry);
        nextGeneration.run();
        return true;
      }),
    generation: () => read(() => String(generation.get()!.value)),
    exchange: (reports) => write(() => reports.map(ledger.exchange), { lockWaitMs: exchangeWaitMs, isDurable: false }),
    history: (keyId, from) => read(() => ledger.history(keyId, from)),
    endpointUse: (keyId, from, to) => read(() => ledger.endpointUse(keyId, from, to)),
    audit: (offset, count) =>
      read(() =>
        notes.all(count, offset).map((row) => ({ ...row, detail: JSON.parse((row.detail as string) ?? 'null') })),
      ) as ReturnType<KeyEngine['audit']>,
    isUp: () => true,
    // It does not come and go: each step finds out by itself.
    watch() {},
    close: () => database.close(),
  };
}
