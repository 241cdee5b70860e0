/** Sign-ups on the server or cluster that machines share: what one admits counts on all. */
import { randomUUID } from 'node:crypto';
import { countedMs, type SignUpEngine } from '../../../src/keys/sign-ups.ts';
import { type Connection, type ConnectionOptions, connect, scriptOf } from './connection.ts';
import { names } from './names.ts';
import { admitScript } from './scripts.ts';

const admission = scriptOf(admitScript);

/** Sign-ups on the server at `url`, as `openKeyEngine` has it. It is connected to when somebody signs up. */
export function openSignUpEngine(url: string, options: ConnectionOptions = {}): SignUpEngine {
  let opened: Promise<Connection> | undefined;
  const server = () => (opened ??= connect(url, { onUp: () => {}, onDown: () => {} }, options));
  const { signUpSecret } = names;
  return {
    async secret(offered) {
      const { read, write } = await server();
      await write(signUpSecret, 'SET', signUpSecret, offered, 'NX');
      return (await read(signUpSecret, 'GET', signUpSecret)) as string;
    },
    async admit(subjects, now) {
      const keys = subjects.map(({ subject }) => names.tries(subject));
      const maxTries = subjects.map((subject) => subject.maxTries);
      return (await (await server()).run(admission, keys, [now, countedMs, randomUUID(), ...maxTries])) as number;
    },
    async keepLink(link, _now, lifeMs) {
      await (await server()).write(names.link(link), 'SET', names.link(link), 1, 'PX', lifeMs);
    },
    takeLink: async (link) => (await (await server()).write(names.link(link), 'DEL', names.link(link))) === 1,
    close: async () => (await opened)?.close(),
  };
}
