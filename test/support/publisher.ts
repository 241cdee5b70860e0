/** A publisher's server on a free port: files that a test changes, with entity tags and dates. */
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Publisher = {
  /** With a slash at its end. */
  base: string;
  /** The published files, by path without a slash; tests change them. The first answer of one with `breaksAt` stops at that byte. */
  files: Map<string, { content: Uint8Array; modified?: Date; hasTag?: boolean; breaksAt?: number }>;
  /** The requests: `GET long.osm.pbf`, `GET long.osm.pbf bytes=5-`. */
  requests: string[];
};

export async function startPublisher(t: TestContext): Promise<Publisher> {
  const publisher: Publisher = { base: '', files: new Map(), requests: [] };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    const { range } = request.headers;
    publisher.requests.push([request.method, path, range].filter(Boolean).join(' '));
    const file = publisher.files.get(path);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const { content, modified, hasTag = true, breaksAt } = file;
    const start = Number(/\d+/.exec(range ?? '')?.[0] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, {
      'Content-Length': content.length - start,
      ...(start > 0 && { 'Content-Range': `bytes ${start}-${content.length - 1}/${content.length}` }),
      ...(hasTag && { ETag: `"${hash('sha256', content).slice(0, 16)}"` }),
      ...(modified && { 'Last-Modified': modified.toUTCString() }),
    });
    if (request.method === 'HEAD') response.end();
    else if (breaksAt === undefined) response.end(content.subarray(start));
    else {
      file.breaksAt = undefined;
      response.write(content.subarray(start, breaksAt), () => response.socket?.end());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  publisher.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return publisher;
}
