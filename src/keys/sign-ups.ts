/**
 * Who signed up, as little of it as limits need: keyed hashes of e-mail addresses and networks, forgotten after a day,
 * and of links sent by mail, forgotten when used or over. No address is stored, and none leads from it to a key.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { clientNetwork } from '../core/ip/client-network.ts';

/** How long a try counts, ms. */
export const countedMs = 86_400_000;

export type SignUpLimits = {
  /** Sign-ups from one network (see `clientNetwork`) within 24 hours. */
  perNetwork: number;
  /** Sign-ups with one e-mail address within 24 hours. */
  perEmail: number;
  /** How long a link sent by mail is good, ms. */
  linkMs: number;
};

export const defaultSignUpLimits: SignUpLimits = { perNetwork: 10, perEmail: 3, linkMs: 3_600_000 };

type Soon<T> = T | Promise<T>;

export type SignUps = {
  /** Counts one try; gives 0, or the seconds to wait when the network or the e-mail has had its share of a day. */
  admit(network: string | undefined, email: string | undefined): Soon<number>;
  /** Makes the secret part of a link; only its hash is kept. */
  makeLink(): Soon<string>;
  /** Whether a link is good; it is used up by this. */
  useLink(token: string): Soon<boolean>;
  close(): Soon<void>;
};

/** What a try counts for, as text to be hashed, with how many tries each may have within a day. */
export function subjectsOf(
  network: string | undefined,
  email: string | undefined,
  limits: SignUpLimits,
): [subject: string, most: number][] {
  const subjects: [string, number][] = [[`network ${clientNetwork(network)}`, limits.perNetwork]];
  if (email !== undefined) subjects.push([`email ${mailboxOf(email)}`, limits.perEmail]);
  return subjects;
}

/** The secret part of a link, and what of it is hashed. */
export const makeToken = (): string => randomBytes(24).toString('base64url');
export const linkSubject = (token: string): string => `link ${token}`;

/** Opens the database of sign-ups (`:memory:` for none on disk), and makes it when there is none. */
export function openSignUps(
  path: string,
  { now = Date.now, limits = defaultSignUpLimits }: { now?: () => number; limits?: SignUpLimits } = {},
) {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 5000 });
  // Not in WAL mode: workers that start together would each try to switch to it, which SQLite refuses without waiting.
  database.exec(`
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS secret (value BLOB NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS tries (subject BLOB NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS tries_of ON tries (subject, at);
    CREATE TABLE IF NOT EXISTS links (token BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `);
  database.prepare('INSERT INTO secret SELECT ? WHERE NOT EXISTS (SELECT 1 FROM secret)').run(randomBytes(32));
  const secret = database.prepare('SELECT value FROM secret').get()!.value as Uint8Array;
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();

  const count = database.prepare('SELECT count(*) AS tries, min(at) AS first FROM tries WHERE subject = ? AND at > ?');
  const add = database.prepare('INSERT INTO tries (subject, at) VALUES (?, ?)');
  const forgetTries = database.prepare('DELETE FROM tries WHERE at <= ?');
  const addLink = database.prepare('INSERT INTO links (token, expires_at) VALUES (?, ?)');
  const forgetLinks = database.prepare('DELETE FROM links WHERE expires_at <= ?');
  const takeLink = database.prepare('DELETE FROM links WHERE token = ? AND expires_at > ?');

  return {
    admit(network: string | undefined, email: string | undefined): number {
      const at = now();
      const subjects = subjectsOf(network, email, limits).map(([text, most]) => [digest(text), most] as const);
      database.exec('BEGIN IMMEDIATE');
      try {
        forgetTries.run(at - countedMs);
        for (const [subject, most] of subjects) {
          const { tries, first } = count.get(subject, at - countedMs) as { tries: number; first: number };
          if (tries >= most) return Math.max(1, Math.ceil((first + countedMs - at) / 1000));
        }
        for (const [subject] of subjects) add.run(subject, at);
        return 0;
      } finally {
        database.exec('COMMIT');
      }
    },
    makeLink(): string {
      const token = makeToken();
      forgetLinks.run(now());
      addLink.run(digest(linkSubject(token)), now() + limits.linkMs);
      return token;
    },
    useLink: (token: string): boolean => takeLink.run(digest(linkSubject(token)), now()).changes === 1,
    close: (): void => database.close(),
  } satisfies SignUps;
}

/** The mailbox behind an address: case, width, the way accents are coded and what follows a plus sign make no other. */
function mailboxOf(written: string): string {
  const email = written.normalize('NFKC');
  const at = email.lastIndexOf('@');
  return email.slice(0, at).replace(/\+.*$/, '').toLowerCase() + email.slice(at).toLowerCase();
}
