/**
 * New text for a key, with the same account: quota, use and restrictions stay. And the owner's code, for keys that
 * others get to see.
 */
import { timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { displayLength, generateKey, hashKey } from './key-format.ts';

/** A text that a key had before; `expiresAt` is epoch ms. */
export type FormerText = { display: string; expiresAt: number };

export type Rotation = {
  /** Gives a key a new text, shown once; the one before stays valid for `graceMs`, which may be 0. */
  rotate(id: number, graceMs: number): string;
  /** Former texts of a key that are still valid, the one that ends first, first. */
  formerTexts(id: number): FormerText[];
  /** Key and end (epoch ms) of a former text by its hash, also when it has ended. */
  former(hash: Buffer): { id: number; until: number } | undefined;
  /** Whether changes to a key need its owner's code. */
  isProtected(id: number): boolean;
  /** Makes an owner's code, shown once; from now on changes to the key need it. */
  protect(id: number): string;
  unprotect(id: number): void;
  /** Whether a text is the owner's code of a key. */
  isOwner(id: number, code: string): boolean;
};

/** Rotation over the key database; `onChange` is told of each change. */
export function createRotation(database: DatabaseSync, now: () => number, onChange: () => void): Rotation {
  const byHash = database.prepare('SELECT key_id AS id, expires_at AS until FROM former WHERE hash = ?');
  const ofKey = database.prepare(
    'SELECT display, expires_at AS expiresAt FROM former WHERE key_id = ? AND expires_at > ? ORDER BY expires_at',
  );
  const keep = database.prepare(
    'INSERT INTO former (hash, key_id, display, expires_at) SELECT hash, id, display, ? FROM keys WHERE id = ?',
  );
  const change = database.prepare('UPDATE keys SET hash = ?, display = ? WHERE id = ?');
  const setOwner = database.prepare('UPDATE keys SET owner_hash = ? WHERE id = ?');
  const owner = database.prepare('SELECT owner_hash AS hash FROM keys WHERE id = ?');
  const ownerHash = (id: number) => owner.get(id)?.hash as Uint8Array | null | undefined;

  return {
    rotate(id, graceMs) {
      const key = generateKey();
      database.exec('BEGIN IMMEDIATE');
      try {
        keep.run(now() + graceMs, id);
        change.run(hashKey(key), key.slice(0, displayLength), id);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
      onChange();
      return key;
    },
    formerTexts: (id) => ofKey.all(id, now()) as FormerText[],
    former: (hash) => byHash.get(hash) as { id: number; until: number } | undefined,
    isProtected: (id) => Boolean(ownerHash(id)),
    protect(id) {
      const code = generateKey().replace(/^wab_/, 'own_');
      setOwner.run(hashKey(code), id);
      return code;
    },
    unprotect(id) {
      setOwner.run(null, id);
    },
    isOwner(id, code) {
      const hash = ownerHash(id);
      return Boolean(hash) && timingSafeEqual(hash!, hashKey(code));
    },
  };
}
