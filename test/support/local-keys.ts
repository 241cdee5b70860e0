import { type KeyOptions, newKey } from '../../src/keys/key-record.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../../src/keys/key-store.ts';
import { openSqliteEngine } from '../../src/keys/sqlite/sqlite-keys.ts';

/** Keys in a database of this machine, and a way of making keys at once, for tests that need many. */
export function localKeys(
  path: string,
  options: Omit<KeyStoreOptions, 'whenUnavailable'>,
): { keys: KeyStore; makeKey(options?: KeyOptions): string } {
  const now = options.now ?? Date.now;
  const engine = openSqliteEngine(path, { isAlone: true });
  return {
    keys: createKeyStore(engine, { whenUnavailable: 'allow', flushMs: 0, ...options }),
    makeKey(keyOptions = {}) {
      const { key, record } = newKey(keyOptions, options.plans, now());
      engine.add(record, { at: now(), by: 'test', action: 'create', detail: null });
      return key;
    },
  };
}
