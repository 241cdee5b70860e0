import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server on a free port for one file, with the faults that servers have. */
export type FileServer = {
  url: string;
  /** The requests, e.g. `GET bytes=5-`. */
  requests: string[];
  content: Buffer;
  etag: string | undefined;
  /**
   * Answers stop after that many bytes, as often as `cuts` says, and break off when the client has them (`received`).
   */
  cutAfter: number;
  cuts: number;
  received(bytes: number): void;
  acceptsRanges: boolean;
  hasLength: boolean;
  /** So many bytes behind what was asked for a range begins. */
  shift: number;
  status: number;
  /** More files, by path. */
  files: Map<string, string>;
  close(): Promise<void>;
};

export async function startFileServer(content: Buffer): Promise<FileServer> {
  const state: FileServer = {
    url: '',
    requests: [],
    content,
    etag: '"v1"',
    cutAfter: Infinity,
    cuts: 0,
    received: () => {},
    acceptsRanges: true,
    hasLength: true,
    shift: 0,
    status: 200,
    files: new Map(),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  const server = createServer((request, response) => answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.bin`;
  return state;
}

function answer(state: FileServer, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  if (path !== '/file.bin') {
    const text = state.files.get(path);
    response.writeHead(
      text === undefined ? 404 : 200,
      text === undefined ? {} : { 'Content-Length': Buffer.byteLength(text) },
    );
    response.end(request.method === 'HEAD' ? undefined : text);
    return;
  }
  const { range, 'if-range': condition } = request.headers;
  state.requests.push(`${request.method} ${range ?? 'whole'}`);
  if (state.status !== 200) {
    response.writeHead(state.status).end();
    return;
  }
  const isSame = condition === undefined || condition === state.etag;
  const start = range && state.acceptsRanges && isSame ? Number(/\d+/.exec(range)![0]) : 0;
  const tag = state.etag === undefined ? {} : { ETag: state.etag };
  if (start >= state.content.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${state.content.length}` }).end();
    return;
  }
  const rest = state.content.subarray(start);
  const length: Record<string, string | number> = state.hasLength ? { 'Content-Length': rest.length } : {};
  if (start > 0) length['Content-Range'] = `bytes ${start + state.shift}-${state.content.length - 1}/*`;
  response.writeHead(start > 0 ? 206 : 200, { ...tag, ...length });
  if (state.cuts > 0 && rest.length > state.cutAfter) {
    state.cuts--;
    response.write(rest.subarray(0, state.cutAfter));
    state.received = (bytes) => {
      if (bytes === start + state.cutAfter) response.destroy();
    };
  } else {
    if (!state.hasLength) response.flushHeaders();
    response.end(rest);
  }
}

export const hashOf = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest('hex');
