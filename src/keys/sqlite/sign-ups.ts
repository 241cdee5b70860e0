/** Sign-ups in a database of this machine. */
import { countedMs, createSignUps, type SignUpOptions, type SignUps } from '../sign-ups.ts';
import { openDatabase } from './database.ts';

const tables = `
  CREATE TABLE IF NOT EXISTS sign_up_secret (value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sign_up_tries (subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS sign_up_tries_of ON sign_up_tries (subject, at);
  CREATE TABLE IF NOT EXISTS sign_up_links (link TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Opens the database of sign-ups (`:memory:` for none on disk), and makes it when there is none. */
export function openSignUps(path: string, options: SignUpOptions = {}): SignUps {
  const { connection, write, close } = openDatabase(path, (database) => database.exec(tables));
  const offer = connection.prepare(
    'INSERT INTO sign_up_secret SELECT ? WHERE NOT EXISTS (SELECT 1 FROM sign_up_secret)',
  );
  const secret = connection.prepare('SELECT value FROM sign_up_secret');
  const count = connection.prepare(
    'SELECT count(*) AS tries, min(at) AS first FROM sign_up_tries WHERE subject = ? AND at > ?',
  );
  const add = connection.prepare('INSERT INTO sign_up_tries (subject, at) VALUES (?, ?)');
  const forgetTries = connection.prepare('DELETE FROM sign_up_tries WHERE at <= ?');
  const addLink = connection.prepare('INSERT INTO sign_up_links (link, until) VALUES (?, ?)');
  const forgetLinks = connection.prepare('DELETE FROM sign_up_links WHERE until <= ?');
  const takeLink = connection.prepare('DELETE FROM sign_up_links WHERE link = ? AND until > ?');

  return createSignUps(
    {
      secret: (offered) =>
        write(() => {
          offer.run(offered);
          return secret.get()!.value as string;
        }),
      admit: (subjects, now) =>
        write(() => {
          forgetTries.run(now - countedMs);
          for (const { subject, maxTries } of subjects) {
            const { tries, first } = count.get(subject, now - countedMs) as { tries: number; first: number };
            if (tries >= maxTries) return Math.max(1, Math.ceil((first + countedMs - now) / 1000));
          }
          for (const { subject } of subjects) add.run(subject, now);
          return 0;
        }),
      keepLink: (link, now, lifeMs) =>
        write(() => {
          forgetLinks.run(now);
          addLink.run(link, now + lifeMs);
        }),
      takeLink: (link, now) => write(() => takeLink.run(link, now).changes === 1),
      close,
    },
    options,
  );
}
