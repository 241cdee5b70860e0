/** Limits of sign-ups, and links sent by mail, on the server that machines share: what one admits counts on all. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  countedMs,
  defaultSignUpLimits,
  linkSubject,
  makeToken,
  type SignUpLimits,
  type SignUps,
  subjectsOf,
} from '../sign-ups.ts';
import { type Connection, connect, scriptOf } from './connection.ts';
import { names } from './records.ts';
import { admitScript } from './scripts.ts';

const admission = scriptOf(admitScript);

/**
 * Sign-ups on the server at `url`, as in `openSignUps`. It is connected to when somebody signs up for the first time.
 * All but `close` throw `unavailable` while the server is away.
 */
export function openValkeySignUps(
  url: string,
  { now = Date.now, limits = defaultSignUpLimits }: { now?: () => number; limits?: SignUpLimits } = {},
): SignUps {
  let opened: Promise<Connection> | undefined;
  let secret: string | undefined;

  async function server(): Promise<{ connection: Connection; digest: (text: string) => string }> {
    opened ??= connect(url, { onUp: () => {}, onDown: () => {} });
    const connection = await opened;
    if (secret === undefined) {
      // The first machine's secret is the one of all.
      await connection.send('SET', names.signUpSecret, randomBytes(32).toString('hex'), 'NX');
      secret = (await connection.send('GET', names.signUpSecret)) as string;
    }
    const key = Buffer.from(secret, 'hex');
    return { connection, digest: (text) => createHmac('sha256', key).update(text).digest('hex') };
  }

  return {
    async admit(network, email) {
      const { connection, digest } = await server();
      const subjects = subjectsOf(network, email, limits);
      const keys = subjects.map(([text]) => names.tries(digest(text)));
      const most = subjects.map(([, tries]) => tries);
      return (await connection.run(admission, keys, [now(), countedMs, randomUUID(), ...most])) as number;
    },
    async makeLink() {
      const { connection, digest } = await server();
      const token = makeToken();
      await connection.send('SET', names.link(digest(linkSubject(token))), 1, 'PX', limits.linkMs);
      return token;
    },
    async useLink(token) {
      const { connection, digest } = await server();
      return (await connection.send('DEL', names.link(digest(linkSubject(token))))) === 1;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
