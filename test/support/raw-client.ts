/** A client that writes bytes as they are, for what no proper client sends. */
import { connect, type Socket } from 'node:net';

export type RawClient = {
  socket: Socket;
  /** Bytes as they are, Latin-1. */
  write(text: string): void;
  /** Resolves when more has come, or the other side has ended. */
  more(): Promise<void>;
  /** What has come back and was not taken yet. */
  received(): string;
  /** Takes one answer: its status, its headers and its body by Content-Length. Undefined when the connection is closed. */
  answer(isHead?: boolean): Promise<RawAnswer | undefined>;
  /** Settled when the connection is closed on both sides, whether in peace or not. */
  closed: Promise<void>;
};
export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Connects to a port of the loopback interface, from one of its addresses; `isReading`: whether it takes what comes. */
export function rawClient(
  port: number,
  { from = '127.0.0.1', isReading = true, allowHalfOpen = false } = {},
): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen });
  let text = '';
  let isClosed = false;
  let wake = () => {};
  socket.setEncoding('latin1').on('error', () => {});
  if (isReading) {
    socket.on('data', (chunk) => {
      text += chunk;
      wake();
    });
  } else socket.pause();
  socket.on('end', () => wake());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      wake();
      resolve();
    });
  });
  const client: RawClient = {
    socket,
    closed,
    write: (bytes) => void socket.write(bytes, 'latin1'),
    received: () => text,
    more: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
    async answer(isHead = false) {
      for (;;) {
        const taken = takeAnswer(text, isHead);
        if (taken) {
          text = taken.rest;
          if (taken.answer.status === 100 || taken.answer.status === 102) continue;
          return taken.answer;
        }
        if (isClosed || socket.readableEnded) return undefined;
        await client.more();
      }
    },
  };
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(client)).once('close', () => resolve(client));
  });
}

function takeAnswer(text: string, isHead: boolean): { answer: RawAnswer; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no answer begins with ${JSON.stringify(first.slice(0, 100))}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = isHead || status === 304 || status === 204 || status < 200 ? 0 : Number(headers['content-length']);
  const from = end + 4;
  if (text.length < from + length) return undefined;
  return { answer: { status, headers, body: text.slice(from, from + length) }, rest: text.slice(from + length) };
}
