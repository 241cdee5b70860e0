/** A web server over a directory, on a free port, with ranges and with the faults that servers and networks have. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export type StaticServer = {
  url: string;
  /** The requests: `GET /files/… bytes=5-`. */
  requests: string[];
  /** Called before each piece of 16 KiB is sent, with the bytes sent so far in all answers; false breaks the answer off. */
  mayGoOn(sent: number): boolean;
  acceptsRanges: boolean;
};

const piece = 16 * 1024;

export async function staticServer(t: TestContext, directory: string): Promise<StaticServer> {
  const state: StaticServer = { url: '', requests: [], mayGoOn: () => true, acceptsRanges: true };
  let sent = 0;
  const server = createServer((request, response) => {
    const path = join(directory, request.url ?? '');
    const { range } = request.headers;
    state.requests.push([request.method, request.url, range].filter(Boolean).join(' '));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(path);
    const from = range && state.acceptsRanges ? Number(/\d+/.exec(range)![0]) : 0;
    response.writeHead(from > 0 ? 206 : 200, {
      'Content-Length': size - from,
      ...(from > 0 && { 'Content-Range': `bytes ${from}-${size - 1}/${size}` }),
    });
    const file = openSync(path, 'r');
    const send = (at: number) => {
      if (at >= size || !state.mayGoOn(sent)) {
        closeSync(file);
        if (at >= size) response.end();
        else response.destroy();
        return;
      }
      const buffer = Buffer.alloc(Math.min(piece, size - at));
      readSync(file, buffer, 0, buffer.length, at);
      sent += buffer.length;
      response.write(buffer, () => send(at + buffer.length));
    };
    send(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
