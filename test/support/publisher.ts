/** A publisher's server on a free port: files that a test changes, with entity tags and dates. */
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Publisher = {
  /** With a slash at its end. */
  base: string;
  /** The published files, by path without a slash; tests change them. */
  files: Map<string, { content: Uint8Array; modified?: Date; hasTag?: boolean }>;
  /** The requests: `GET long.osm.pbf`. */
  requests: string[];
};

export async function startPublisher(t: TestContext): Promise<Publisher> {
  const publisher: Publisher = { base: '', files: new Map(), requests: [] };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    publisher.requests.push(`${request.method} ${path}`);
    const file = publisher.files.get(path);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const { content, modified, hasTag = true } = file;
    response.writeHead(200, {
      'Content-Length': content.length,
      ...(hasTag && { ETag: `"${hash('sha256', content).slice(0, 16)}"` }),
      ...(modified && { 'Last-Modified': modified.toUTCString() }),
    });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  publisher.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return publisher;
}
